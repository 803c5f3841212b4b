// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/math/types.h"

namespace sinew {

/// A node's transform relative to its parent: T · R · S, or a matrix that may be anything affine.
struct NodeTransform {
  Vec3 translation = Vec3::Zero();
  Quat rotation = Quat::Identity();  // unit
  Vec3 scale = Vec3::Ones();
  std::optional<Affine3> matrix;  // when set, the other three are not used

  [[nodiscard]] Affine3 to_affine() const;
};

struct Node {
  std::string name;
  int parent = -1;
  NodeTransform local;
  std::vector<double> morph_weights;  // of the node's mesh; empty without morph targets
};

/// The nodes of a scene as a forest, in the order of the file. Parents need not come first; there
/// are no cycles.
struct NodeTree {
  std::vector<Node> nodes;
  std::vector<int> order;  // parents before children

  /// The transform of every node to the scene, nodes in the pose that the file stores.
  [[nodiscard]] std::vector<Affine3> world_transforms() const;
};

/// Fills `order`; fails with place "nodes[i]" on a parent out of range or a cycle.
[[nodiscard]] Result<NodeTree> make_node_tree(std::vector<Node> nodes);

enum class ChannelPath { translation, rotation, scale, morph_weights };
enum class Interpolation { step, linear, cubic_spline };

/// One animated property of one node. `values` holds `width` numbers per key, times three for cubic
/// splines (in-tangent, value, out-tangent), as in glTF. Rotations are x y z w.
struct Channel {
  int node = -1;
  ChannelPath path = ChannelPath::translation;
  Interpolation interpolation = Interpolation::linear;
  int width = 3;
  std::vector<double> times;  // seconds, never going back, at least one
  std::vector<double> values;
};

struct Clip {
  std::string name;
  std::vector<Channel> channels;
  double start_s = 0;
  double end_s = 0;
};

/// The tree in the pose that the clip has at `time_s`. Before the first key and after the last it
/// stands still; rotations go the short way round along the great circle; nodes without channels
/// stay as stored.
[[nodiscard]] NodeTree sample_clip(const NodeTree& tree, const Clip& clip, double time_s);

}  // namespace sinew
