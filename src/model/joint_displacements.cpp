// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/joint_displacements.h"

#include <cassert>

namespace sinew {
namespace {

/// Of the bone's length: a child that is nearer to its tail starts there.
constexpr double kSamePlaceRel = 1e-6;

}  // namespace

Skeleton with_joints_moved(const Skeleton& skeleton, std::span<const Vec3> displacements) {
  assert(displacements.size() == skeleton.bone_count());
  std::vector<Bone> bones = skeleton.bones();
  for (std::size_t j = 0; j < bones.size(); ++j) {
    const Bone& before = skeleton.bones()[j];
    bones[j].rest.translation() += displacements[j];
    if (!before.tail) continue;
    const double near = kSamePlaceRel * (*before.tail - before.head()).norm();
    for (const int child : skeleton.children(static_cast<int>(j)))
      if ((skeleton.bone(child).head() - *before.tail).norm() <= near) {
        *bones[j].tail += displacements[static_cast<std::size_t>(child)];
        break;
      }
  }
  Result<Skeleton> moved = Skeleton::create(std::move(bones));
  assert(moved.ok());  // parents are what they were; displacements must be finite
  return *std::move(moved);
}

}  // namespace sinew
