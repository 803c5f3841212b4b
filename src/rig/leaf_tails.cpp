// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/leaf_tails.h"

#include <algorithm>

#include "rig/nearest_bones.h"

namespace sinew {
namespace {

constexpr double kOrphanTailRel =
    0.1;  // of the mesh's diagonal, for a leaf with no parent to follow
constexpr double kIdleTailOfParent = 0.5;  // of the parent's length, for a leaf that serves nothing
/// Of the mesh's diagonal. Joints that an exporter wrote to one place are a few float digits apart,
/// and the direction between them is rounding.
constexpr double kNoLengthRel = 1e-6;

/// Its own axis where the file names one; else from the nearest ancestor that stands elsewhere to
/// the leaf; up when there is none.
Vec3 direction_of_leaf(const Skeleton& skeleton, int leaf, double no_length) {
  const Vec3 head = skeleton.bone(leaf).head();
  if (const auto& axis = skeleton.bone(leaf).leaf_axis) {
    const Vec3 direction = skeleton.bone(leaf).rest.linear() * *axis;
    if (direction.norm() > 0) return direction.normalized();
  }
  for (int a = skeleton.bone(leaf).parent; a >= 0; a = skeleton.bone(a).parent) {
    const Vec3 step = head - skeleton.bone(a).head();
    if (step.norm() > no_length) return step.normalized();
  }
  return Vec3::UnitY();
}

}  // namespace

GuessedTails guess_leaf_tails(const Skeleton& skeleton, const Mesh& mesh,
                              const SkinWeights& weights) {
  GuessedTails result;
  const auto is_bare_leaf = [&](int j) {
    const Bone& bone = skeleton.bone(j);
    return !bone.tail && skeleton.children(j).empty() && bone.deforms.value_or(true);
  };
  for (int j = 0; j < static_cast<int>(skeleton.bone_count()); ++j)
    if (is_bare_leaf(j)) result.guessed.push_back(j);
  if (result.guessed.empty()) {
    result.skeleton = skeleton;
    return result;
  }

  const Box box = bounding_box(mesh.positions());
  const double diagonal = box.isEmpty() ? 0 : box.diagonal().norm();
  const double no_length = kNoLengthRel * diagonal;
  std::vector<Vec3> direction(skeleton.bone_count(), Vec3::UnitY());
  for (const int j : result.guessed)
    direction[static_cast<std::size_t>(j)] = direction_of_leaf(skeleton, j, no_length);

  const bool has_weights =
      weights.vertex_count() == mesh.vertex_count() && weights.influence_count() > 0;
  std::vector<int> server;
  if (has_weights) {
    server = dominant_bones(weights);
  } else {
    std::vector<Segment> candidates;
    for (const Segment& segment : skeleton.segments())
      if (!segment.is_virtual) candidates.push_back(segment);
    for (const int j : result.guessed) {
      const Vec3 head = skeleton.bone(j).head();
      candidates.push_back(
          {j, -1, head, head + diagonal * direction[static_cast<std::size_t>(j)], false});
    }
    server = nearest_bones(mesh, candidates);
  }

  std::vector<double> reach(skeleton.bone_count(), 0);
  for (std::size_t v = 0; v < server.size(); ++v) {
    if (server[v] < 0) continue;
    const auto j = static_cast<std::size_t>(server[v]);
    reach[j] =
        std::max(reach[j], (mesh.positions()[v] - skeleton.bones()[j].head()).dot(direction[j]));
  }

  result.skeleton = skeleton.with([&](std::vector<Bone>& bones) {
    for (const int j : result.guessed) {
      Bone& bone = bones[static_cast<std::size_t>(j)];
      double length = reach[static_cast<std::size_t>(j)];
      if (!(length > no_length))
        length = bone.parent >= 0 ? kIdleTailOfParent * skeleton.length(bone.parent) : 0;
      if (!(length > no_length)) length = diagonal > 0 ? kOrphanTailRel * diagonal : 1;
      bone.tail = bone.head() + length * direction[static_cast<std::size_t>(j)];
    }
  });
  return result;
}

}  // namespace sinew
