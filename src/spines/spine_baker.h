// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/spine_driver.h"
#include "sinew/model/character.h"
#include "sinew/spines/gltf_spine_joints.h"

namespace sinew {

/// How far a straight line between two keys may be from what it stands for: radians, and parts of
/// the bone's length. A tenth of what an eye sees on a screen that the bone fills.
inline constexpr double kKeyDeviation = 2e-4;

/// Keys of the nodes that a spine moves, all at the same times. Transforms are relative to the
/// bone's node.
struct SpineKeys {
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times_s;                        // ascending, distinct
  std::vector<std::vector<NodeTransform>> joints;    // per joint of the row, per time
  std::vector<std::vector<NodeTransform>> children;  // per node of SpineBaker::children, per time
  bool moves_joints = false;                         // away from where the file stores them
  std::vector<bool> moves_children;                  // per node: away from where the clip had it
};

/// What the nodes below a spine's node do in the pose that a file stores and in its clips.
class SpineBaker {
 public:
  SpineBaker(const Character& character, const SpineToWrite& spine);

  /// Nodes of the document that hang on the bone's node and have to move with the spine.
  [[nodiscard]] const std::vector<int>& children() const { return children_; }
  /// Whether a child, by its place in children(), turns with the end of the spine; the others keep
  /// their turns, and are moved alone.
  [[nodiscard]] bool is_carried(std::size_t child) const {
    return spine_.kind == BoneKind::spine && !drives_[child];
  }
  /// The one above which, or at which, the bone's main child is; -1 without one.
  [[nodiscard]] int main_child() const { return chain_.empty() ? -1 : chain_.front(); }
  /// Whether the main child itself hangs on the bone's node.
  [[nodiscard]] bool is_main_child_direct() const { return chain_.size() == 1; }

  /// The joints of the row at rest, and which of their axes lies along the bone.
  [[nodiscard]] const std::vector<NodeTransform>& joints_at_rest() const { return at_rest_; }
  [[nodiscard]] int bone_axis() const { return axis_; }

  struct Moment {
    std::vector<NodeTransform> joints;
    std::vector<NodeTransform> children;
  };
  [[nodiscard]] Moment stored() const { return at(tree_, Vec3::Zero()); }
  /// The children as they are without the spine.
  [[nodiscard]] std::vector<NodeTransform> children_before() const { return before(tree_); }
  /// Whether two transforms differ by more than rounding.
  [[nodiscard]] bool differ(const NodeTransform& a, const NodeTransform& b) const;

  /// Empty times where the clip moves nothing that the spine depends on.
  [[nodiscard]] SpineKeys bake(const Clip& clip) const;

 private:
  /// A clip as the spine sees it, and its turn at the moments of turn_times.
  struct Played {
    Clip clip;  // of the small tree
    double start_s = 0;
    std::vector<Vec3> turns;
  };
  /// `turn` is that of a moment ago: see drive_spines.
  [[nodiscard]] SpineMotion motion_at(const NodeTree& posed, const Vec3& turn) const;
  [[nodiscard]] Affine3 in_bone_space(const Affine3& motion) const;
  [[nodiscard]] std::vector<NodeTransform> children_at(const NodeTree& posed,
                                                       const SpineMotion& motion) const;
  [[nodiscard]] Moment at(const NodeTree& posed, const Vec3& turn) const;
  [[nodiscard]] Moment at(const Played& played, double time_s) const;
  [[nodiscard]] Played play(const Clip& clip) const;
  [[nodiscard]] std::vector<NodeTransform> before(const NodeTree& posed) const;
  [[nodiscard]] double distance(const NodeTransform& a, const NodeTransform& b) const;
  [[nodiscard]] double deviation(const Moment& a, const Moment& b) const;
  [[nodiscard]] Clip own_channels(const Clip& clip) const;
  using Keys = std::vector<std::pair<float, Moment>>;
  void refine(const Played& played, float from, const Moment& at_from, float to,
              const Moment& at_to, Keys& keys) const;
  [[nodiscard]] bool is_driven_by(const Clip& clip) const;
  [[nodiscard]] Keys keys_of(const Played& played) const;
  /// `children_still` are those of the stored pose without the spine.
  [[nodiscard]] SpineKeys by_node(const Clip& own, const Keys& keys, const Moment& still,
                                  const std::vector<NodeTransform>& children_still) const;

  /// The bone, its main child and those beside it alone, for drive_spines.
  Skeleton driving_;
  SpineSegments driving_segments_;
  std::vector<std::vector<std::size_t>> driving_paths_;  // nodes of the small tree, to each of them
  Affine3 bone_rest_ = Affine3::Identity();
  Affine3 bone_from_model_ = Affine3::Identity();
  SpineToWrite spine_;
  std::vector<double> middles_;
  std::vector<NodeTransform> at_rest_;
  int axis_ = 1;
  double length_ = 0;  // in the space of the bone's node

  /// The steps of the constructor. The bones that drive the spine: returns the heads of the bones,
  /// by the node that hangs on the bone's node and leads to them.
  std::map<int, Vec3> find_driving(const Character& character);
  void find_children(const Character& character, const std::map<int, Vec3>& heads_of_driving);
  void place_row();

  /// Adds what is between the bone's node and the one of a bone that hangs on it, if it is not
  /// there already, and tells where: nodes of the small tree.
  std::vector<std::size_t> add_path(const std::vector<Node>& nodes, int to_node);
  std::size_t add_node(const std::vector<Node>& nodes, int node, std::size_t parent);

  NodeTree tree_;                    // the bone's node as the root, the chain, the other children
  NodeTree trs_tree_;                // the same with no matrices: clips cannot move those
  std::vector<int> node_of_;         // of the document, per node of the small tree
  std::vector<int> chain_;           // document nodes from below the bone's node to the main child
  std::vector<int> children_;        // document nodes
  std::vector<std::size_t> places_;  // of the children, in the small tree
  std::vector<bool> drives_;         // per child: whether its turn bends the spine
  std::vector<Vec3> heads_;          // of the children at rest, model space
};

}  // namespace sinew
