// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/pointed_tails.h"

#include <algorithm>
#include <array>
#include <optional>

#include "math/segment.h"
#include "rig/nearest_bones.h"

namespace sinew {
namespace {

constexpr double kOrphanTailRel =
    0.1;  // of the mesh's diagonal, for a leaf with no parent to follow
constexpr double kIdleTailOfParent = 0.5;  // of the parent's length, for a leaf that serves nothing
/// Of the mesh's diagonal. Joints that an exporter wrote to one place are a few float digits apart,
/// and the direction between them is rounding.
constexpr double kNoLengthRel = 1e-6;
/// The cosine, in the median, from which on bones with one child are said to point along one of
/// their axes, and how many of them it takes to say so.
constexpr double kKeepsToAxis = 0.9;
constexpr std::size_t kLeastVotes = 3;
/// A ray ends where another bone is nearer to it than this much of the way come: what is there is
/// the other's.
constexpr double kAnotherIsNearer = 0.5;
constexpr int kPlacesOnRay = 64;

/// The local axis that bones with one child point along, if the file keeps to one.
std::optional<Vec3> axis_of_bones(const Skeleton& skeleton, double no_length) {
  std::array<std::vector<double>, 3> cosines;
  for (int j = 0; j < static_cast<int>(skeleton.bone_count()); ++j) {
    if (skeleton.children(j).size() != 1 || !skeleton.bone(j).deforms.value_or(true)) continue;
    const Vec3 step = skeleton.bone(skeleton.children(j)[0]).head() - skeleton.bone(j).head();
    if (step.norm() <= no_length) continue;
    for (int axis = 0; axis < 3; ++axis)
      cosines[static_cast<std::size_t>(axis)].push_back(
          skeleton.bone(j).rest.linear().col(axis).normalized().dot(step.normalized()));
  }
  if (cosines[0].size() < kLeastVotes) return std::nullopt;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& votes = cosines[static_cast<std::size_t>(axis)];
    std::ranges::sort(votes);
    const double median = (votes[(votes.size() - 1) / 2] + votes[votes.size() / 2]) / 2;
    if (std::abs(median) > kKeepsToAxis) return (median > 0 ? 1 : -1) * Vec3::Unit(axis);
  }
  return std::nullopt;
}

/// Its own axis where the file names one; else that of all bones; else from the nearest ancestor
/// that stands elsewhere to the leaf; up when there is none.
Vec3 direction_of_leaf(const Skeleton& skeleton, int leaf, const std::optional<Vec3>& of_all,
                       double no_length) {
  const Bone& bone = skeleton.bone(leaf);
  for (const std::optional<Vec3>& axis : {bone.leaf_axis, of_all}) {
    if (!axis) continue;
    const Vec3 direction = bone.rest.linear() * *axis;
    if (direction.norm() > 0) return direction.normalized();
  }
  for (int a = bone.parent; a >= 0; a = skeleton.bone(a).parent) {
    const Vec3 step = bone.head() - skeleton.bone(a).head();
    if (step.norm() > no_length) return step.normalized();
  }
  return Vec3::UnitY();
}

/// The way along a leaf's ray up to where another bone is nearer than a part of the way come;
/// leaves are where their joints are.
double way_before_others(const Skeleton& skeleton, const std::vector<Segment>& others, int leaf,
                         const Vec3& direction, double way) {
  const Vec3 head = skeleton.bone(leaf).head();
  for (int place = 1; place <= kPlacesOnRay; ++place) {
    const double come = way * place / kPlacesOnRay;
    const double nearest = kAnotherIsNearer * come;
    for (const Segment& other : others)
      if (other.bone != leaf && other.child != leaf &&
          squared_distance_to_segment(head + come * direction, other.head, other.tail) <
              nearest * nearest)
        return way * (place - 1) / kPlacesOnRay;
  }
  return way;
}

/// From a leaf's joint up to where another bone is near, at most through the whole mesh.
struct Ray {
  Vec3 direction = Vec3::UnitY();
  double way = 0;
};

/// Of each leaf, how far the vertices that are nearest to its ray reach along it.
std::vector<double> reaches_of(const Skeleton& skeleton, const Mesh& mesh,
                               const std::vector<int>& leaves, const std::vector<Ray>& rays) {
  std::vector<Segment> candidates;
  for (const Segment& segment : skeleton.segments())
    if (!segment.is_virtual) candidates.push_back(segment);
  std::vector<int> leaf_of_bone(skeleton.bone_count(), -1);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const Vec3 head = skeleton.bone(leaves[k]).head();
    candidates.push_back({leaves[k], -1, head, head + rays[k].way * rays[k].direction, false});
    leaf_of_bone[static_cast<std::size_t>(leaves[k])] = static_cast<int>(k);
  }
  const std::vector<int> server = nearest_bones(mesh, candidates);
  std::vector<double> reach(leaves.size(), 0);
  for (std::size_t v = 0; v < server.size(); ++v) {
    if (server[v] < 0 || leaf_of_bone[static_cast<std::size_t>(server[v])] < 0) continue;
    const auto k = static_cast<std::size_t>(leaf_of_bone[static_cast<std::size_t>(server[v])]);
    const Vec3 from_head = mesh.positions()[v] - skeleton.bone(server[v]).head();
    reach[k] = std::max(reach[k], from_head.dot(rays[k].direction));
  }
  return reach;
}

}  // namespace

GuessedTails point_leaf_tails(const Skeleton& skeleton, const Mesh& mesh) {
  GuessedTails result;
  for (int j = 0; j < static_cast<int>(skeleton.bone_count()); ++j) {
    const Bone& bone = skeleton.bone(j);
    if (!bone.tail && skeleton.children(j).empty() && bone.deforms.value_or(true))
      result.guessed.push_back(j);
  }
  if (result.guessed.empty()) {
    result.skeleton = skeleton;
    return result;
  }
  const Box box = bounding_box(mesh.positions());
  const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
  const double no_length = kNoLengthRel * diagonal;
  const std::optional<Vec3> of_all = axis_of_bones(skeleton, no_length);
  std::vector<Segment> others;  // of bones that are no leaves, and the joints of those that are
  for (const Segment& segment : skeleton.segments())
    if (!segment.is_virtual) others.push_back(segment);
  for (const int leaf : result.guessed)
    others.push_back({leaf, -1, skeleton.bone(leaf).head(), skeleton.bone(leaf).head(), false});
  std::vector<Ray> rays;
  for (const int leaf : result.guessed) {
    const Vec3 direction = direction_of_leaf(skeleton, leaf, of_all, no_length);
    rays.push_back({direction, way_before_others(skeleton, others, leaf, direction, diagonal)});
  }
  const std::vector<double> reaches = reaches_of(skeleton, mesh, result.guessed, rays);
  result.skeleton = skeleton.with([&](std::vector<Bone>& bones) {
    for (std::size_t k = 0; k < rays.size(); ++k) {
      Bone& leaf = bones[static_cast<std::size_t>(result.guessed[k])];
      double length = reaches[k];
      if (!(length > no_length))
        length = leaf.parent >= 0 ? kIdleTailOfParent * skeleton.length(leaf.parent) : 0;
      if (!(length > no_length)) length = diagonal > 0 ? kOrphanTailRel * diagonal : 1;
      leaf.tail = leaf.head() + length * rays[k].direction;
    }
  });
  return result;
}

}  // namespace sinew
