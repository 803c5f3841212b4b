// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/pose.h"

#include <cassert>

#include "model/spine_driver.h"

namespace sinew {
namespace {

Affine3 turn_about(const Vec3& head, const BonePose& change) {
  Affine3 local;
  local.linear() = change.rotation.toRotationMatrix();
  local.translation() = head + change.translation - local.linear() * head;
  return local;
}

SpineMotion bent(const SpineSegment& segment, BoneKind kind, const SpineBend& bend,
                 const Affine3& base) {
  const Vec3 axis = kind == BoneKind::stretch_twist
                        ? Vec3((segment.rest.tail - segment.rest.head).normalized())
                        : bend.axis;
  return {base, axis, bend.angle_rad, bend.stretch};
}

}  // namespace

PosedBones pose_bones(const Skeleton& skeleton, const Pose& pose) {
  assert(pose.bones.size() == skeleton.bone_count());
  const std::size_t count = skeleton.bone_count();
  PosedBones posed{std::vector<Affine3>(count, Affine3::Identity()), {}};
  const SpineSegments segments = spine_segments(skeleton);
  std::vector<SpineMotion> motions(count);
  std::vector<bool> is_driven(count, false);
  for (const int j : skeleton.order()) {
    const auto i = static_cast<std::size_t>(j);
    const Bone& bone = skeleton.bone(j);
    const BonePose& change = pose.bones[i];
    const Affine3 local = turn_about(bone.head(), change);
    const auto parent = static_cast<std::size_t>(bone.parent);
    posed.transforms[i] =
        bone.parent < 0 ? local : carried_by(segments[parent], motions[parent]) * local;
    motions[i].base = posed.transforms[i];
    if (!segments[i]) continue;
    is_driven[i] = !change.bend.has_value();
    if (change.bend) motions[i] = bent(*segments[i], bone.kind, *change.bend, posed.transforms[i]);
  }
  if (!has_spines(skeleton)) return posed;
  posed.spines = std::move(motions);
  drive_spines(skeleton, {}, segments, is_driven, posed);
  return posed;
}

std::vector<Affine3> forward_kinematics(const Skeleton& skeleton, const Pose& pose) {
  return pose_bones(skeleton, pose).transforms;
}

}  // namespace sinew
