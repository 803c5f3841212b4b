// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/animation.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "model/forest.h"
#include "model/node_transforms.h"

namespace sinew {
namespace {

/// Rotations closer than this are blended along the chord: the arc's formula divides by the sine of
/// the angle.
constexpr double kSlerpMinSine = 1e-6;

/// Where a time falls among the keys.
struct KeySpan {
  std::size_t from = 0;
  std::size_t to = 0;
  double fraction = 0;  // 0 at `from`, 1 at `to`
  double length_s = 0;
};

KeySpan find_keys(const std::vector<double>& times, double time_s) {
  if (!(time_s > times.front())) return {};
  const std::size_t last = times.size() - 1;
  if (time_s >= times.back()) return {last, last, 0, 0};
  const auto after = std::upper_bound(times.begin(), times.end(), time_s);
  const auto to = static_cast<std::size_t>(after - times.begin());
  const double length_s = times[to] - times[to - 1];
  return {to - 1, to, (time_s - times[to - 1]) / length_s, length_s};
}

Quat slerp_short_way(const Quat& from, Quat to, double fraction) {
  double cosine = from.dot(to);
  if (cosine < 0) {
    to.coeffs() = -to.coeffs();
    cosine = -cosine;
  }
  const double angle = std::acos(std::min(cosine, 1.0));
  const double sine = std::sin(angle);
  Quat blended;
  if (sine < kSlerpMinSine)
    blended.coeffs() = (1 - fraction) * from.coeffs() + fraction * to.coeffs();
  else
    blended.coeffs() = (std::sin((1 - fraction) * angle) * from.coeffs() +
                        std::sin(fraction * angle) * to.coeffs()) /
                       sine;
  return blended;
}

/// The channel's `width` numbers at a time.
std::vector<double> sample_channel(const Channel& channel, double time_s) {
  const KeySpan keys = find_keys(channel.times, time_s);
  const auto width = static_cast<std::size_t>(channel.width);
  const bool cubic = channel.interpolation == Interpolation::cubic_spline;
  const std::size_t stride = cubic ? 3 * width : width;
  const double* from = channel.values.data() + keys.from * stride + (cubic ? width : 0);
  const double* to = channel.values.data() + keys.to * stride + (cubic ? width : 0);
  std::vector<double> out(from, from + width);
  if (keys.from == keys.to || channel.interpolation == Interpolation::step) return out;
  const double s = keys.fraction;
  if (cubic) {
    const double* out_tangent = from + width;
    const double* in_tangent = to - width;
    const double s2 = s * s, s3 = s2 * s;
    for (std::size_t c = 0; c < width; ++c)
      out[c] = (2 * s3 - 3 * s2 + 1) * from[c] +
               keys.length_s * (s3 - 2 * s2 + s) * out_tangent[c] + (-2 * s3 + 3 * s2) * to[c] +
               keys.length_s * (s3 - s2) * in_tangent[c];
  } else if (channel.path == ChannelPath::rotation) {
    const Quat a = Quat(from[3], from[0], from[1], from[2]).normalized();
    const Quat b = Quat(to[3], to[0], to[1], to[2]).normalized();
    const Quat blended = slerp_short_way(a, b, s);
    for (std::size_t c = 0; c < 4; ++c) out[c] = blended.coeffs()[static_cast<Eigen::Index>(c)];
  } else {
    for (std::size_t c = 0; c < width; ++c) out[c] = (1 - s) * from[c] + s * to[c];
  }
  return out;
}

}  // namespace

Affine3 NodeTransform::to_affine() const {
  if (matrix) return *matrix;
  Affine3 affine;
  affine.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  affine.translation() = translation;
  return affine;
}

NodeTransform as_trs(const NodeTransform& local) {
  if (!local.matrix) return local;
  NodeTransform trs;
  trs.translation = local.matrix->translation();
  Eigen::Matrix3d linear = local.matrix->linear();
  for (int c = 0; c < 3; ++c) trs.scale[c] = linear.col(c).norm();
  if (linear.determinant() < 0) trs.scale[0] = -trs.scale[0];
  for (int c = 0; c < 3; ++c)
    if (trs.scale[c] != 0) linear.col(c) /= trs.scale[c];
  trs.rotation = Quat(linear).normalized();
  return trs;
}

std::vector<Affine3> NodeTree::world_transforms() const {
  std::vector<Affine3> world(nodes.size(), Affine3::Identity());
  for (const int i : order) {
    const Node& node = nodes[static_cast<std::size_t>(i)];
    const Affine3 local = node.local.to_affine();
    world[static_cast<std::size_t>(i)] =
        node.parent < 0 ? local : world[static_cast<std::size_t>(node.parent)] * local;
  }
  return world;
}

Result<NodeTree> make_node_tree(std::vector<Node> nodes) {
  std::vector<int> parents;
  parents.reserve(nodes.size());
  for (const Node& node : nodes) parents.push_back(node.parent);
  NodeTree tree;
  SINEW_TRY(tree.order, parents_first(parents, ErrorCode::bad_file, "nodes"));
  tree.nodes = std::move(nodes);
  return tree;
}

NodeTree sample_clip(const NodeTree& tree, const Clip& clip, double time_s) {
  NodeTree posed = tree;
  for (const Channel& channel : clip.channels) {
    assert(channel.node >= 0 && static_cast<std::size_t>(channel.node) < posed.nodes.size());
    Node& node = posed.nodes[static_cast<std::size_t>(channel.node)];
    const std::vector<double> value = sample_channel(channel, time_s);
    if (channel.path == ChannelPath::morph_weights) {
      node.morph_weights = value;
      continue;
    }
    node.local = as_trs(node.local);
    if (channel.path == ChannelPath::rotation) {
      const Quat rotation(value[3], value[0], value[1], value[2]);
      node.local.rotation = rotation.norm() > 0 ? rotation.normalized() : Quat::Identity();
    } else {
      (channel.path == ChannelPath::translation ? node.local.translation : node.local.scale) =
          Vec3(value[0], value[1], value[2]);
    }
  }
  return posed;
}

}  // namespace sinew
