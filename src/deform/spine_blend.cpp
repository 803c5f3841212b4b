// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/spine_blend.h"

#include <cassert>

#include "core/parallel.h"

namespace sinew {
namespace {

/// The spine that each bone is; null for rigid bones.
std::vector<const SpineBone*> spine_of_bone(std::size_t bone_count, const PosedBones& pose,
                                            std::span<const SpineBone> spines) {
  assert(pose.transforms.size() == bone_count);
  assert(spines.empty() || pose.spines.size() == bone_count);
  std::vector<const SpineBone*> of_bone(bone_count, nullptr);
  for (const SpineBone& spine : spines) of_bone[static_cast<std::size_t>(spine.bone)] = &spine;
  // Without a bend it is a rigid bone, to the bit.
  for (std::size_t j = 0; j < bone_count; ++j)
    if (of_bone[j] != nullptr && pose.spines[j].angle_rad == 0 && pose.spines[j].stretch == 1)
      of_bone[j] = nullptr;
  return of_bone;
}

}  // namespace

std::vector<Vec3> deform_with_spines(std::span<const Vec3> positions, const SkinWeights& weights,
                                     const PosedBones& pose, std::span<const SpineBone> spines) {
  assert(weights.vertex_count() == positions.size());
  const std::vector<const SpineBone*> of_bone = spine_of_bone(weights.bone_count(), pose, spines);
  std::vector<Vec3> deformed(positions.size());
  parallel_for(positions.size(), [&](std::size_t i) {
    if (weights.row(i).empty()) {
      deformed[i] = positions[i];
      return;
    }
    Vec3 sum = Vec3::Zero();
    for (const auto& [bone, weight] : weights.row(i)) {
      const SpineBone* const spine = of_bone[bone];
      sum += weight *
             (spine == nullptr
                  ? Vec3(pose.transforms[bone] * positions[i])
                  : Vec3(spine_transform(spine->rest, pose.spines[bone], spine->parameters[i]) *
                         positions[i]));
    }
    deformed[i] = sum;
  });
  return deformed;
}

std::vector<Eigen::Matrix3d> spine_blend_jacobians(std::span<const Vec3> positions,
                                                   const SkinWeights& weights,
                                                   const PosedBones& pose,
                                                   std::span<const SpineBone> spines) {
  assert(weights.vertex_count() == positions.size());
  const std::vector<const SpineBone*> of_bone = spine_of_bone(weights.bone_count(), pose, spines);
  std::vector<Eigen::Matrix3d> jacobians(positions.size(), Eigen::Matrix3d::Identity());
  parallel_for(positions.size(), [&](std::size_t i) {
    if (weights.row(i).empty()) return;
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (const auto& [bone, weight] : weights.row(i)) {
      const SpineBone* const spine = of_bone[bone];
      if (spine == nullptr)
        sum += weight * pose.transforms[bone].linear();
      else
        sum += weight * spine_jacobian(spine->rest, pose.spines[bone], spine->parameters[i],
                                       positions[i], spine->gradients[i]);
    }
    jacobians[i] = sum;
  });
  return jacobians;
}

}  // namespace sinew
