// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/raised_arms.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "poses/turn_about_joints.h"

namespace sinew {
namespace {

/// From straight down: as far as an arm goes by itself.
constexpr double kRaisedDeg = 150;
/// Sine of the angle to straight up or down below which nothing tells which way an arm rises.
constexpr double kParallel = 1e-6;
/// Of the way from the hips to the head: bones nearer to each other than this are at one place.
constexpr double kOnePlaceRel = 1e-6;

/// Where the upper arm ends.
std::optional<Vec3> elbow_of(const Skeleton& skeleton, const std::vector<int>& parent,
                             const ArmBones& arm, double trunk) {
  const Vec3 shoulder = skeleton.bone(arm.upper).head();
  for (std::size_t j = 0; j < parent.size(); ++j)
    if (parent[j] == arm.upper &&
        (skeleton.bones()[j].head() - shoulder).norm() > kOnePlaceRel * trunk)
      return skeleton.bones()[j].head();
  return std::nullopt;
}

}  // namespace

std::vector<RaisedArm> raised_arms(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                                   const LimbBones& bones) {
  std::vector<RaisedArm> raised;
  if (bones.head < 0 || bones.hips < 0) return raised;
  const Vec3 trunk = skeleton.bone(bones.head).head() - skeleton.bone(bones.hips).head();
  if (!(trunk.norm() > 0)) return raised;
  const Vec3 up = trunk.normalized();
  for (const ArmBones& arm : bones.arms) {
    if (arm.upper < 0) continue;
    const std::optional<Vec3> elbow = elbow_of(skeleton, hierarchy.parent, arm, trunk.norm());
    if (!elbow) continue;
    const Vec3 shoulder = skeleton.bone(arm.upper).head();
    const double length = (*elbow - shoulder).norm();
    const Vec3 along = (*elbow - shoulder) / length;
    const Vec3 axis = along.cross(up);
    if (!(axis.norm() > kParallel)) continue;
    const double from_down = std::acos(std::clamp(-along.dot(up), -1.0, 1.0));
    std::vector<Eigen::Matrix3d> rotations(skeleton.bone_count(), Eigen::Matrix3d::Identity());
    rotations[static_cast<std::size_t>(arm.upper)] =
        Eigen::AngleAxisd(kRaisedDeg * std::numbers::pi / 180 - from_down, axis.normalized())
            .toRotationMatrix();
    raised.push_back(
        {arm.upper, {turn_about_joints(skeleton, hierarchy.parent, rotations)}, shoulder, length});
  }
  return raised;
}

}  // namespace sinew
