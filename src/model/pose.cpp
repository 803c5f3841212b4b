// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/pose.h"

#include <cassert>

namespace sinew {

std::vector<Affine3> forward_kinematics(const Skeleton& skeleton, const Pose& pose) {
  assert(pose.bones.size() == skeleton.bone_count());
  std::vector<Affine3> transforms(skeleton.bone_count(), Affine3::Identity());
  for (const int j : skeleton.order()) {
    const Bone& bone = skeleton.bone(j);
    const BonePose& change = pose.bones[static_cast<std::size_t>(j)];
    const Vec3 head = bone.head();
    Affine3 local;
    local.linear() = change.rotation.toRotationMatrix();
    local.translation() = head + change.translation - local.linear() * head;
    transforms[static_cast<std::size_t>(j)] =
        bone.parent < 0 ? local : transforms[static_cast<std::size_t>(bone.parent)] * local;
  }
  return transforms;
}

}  // namespace sinew
