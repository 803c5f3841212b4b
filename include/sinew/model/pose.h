// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sinew/model/driven_spines.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// What a spine or a stretch-twist bone does beside its own turn: SpineMotion without the base.
struct SpineBend {
  Vec3 axis = Vec3::UnitX();  // unit, model space; a stretch-twist bone turns about itself instead
  double angle_rad = 0;       // from the head to the tail
  double stretch = 1;         // length relative to rest
};

/// What one bone does relative to its parent, in model-space axes of the bind pose, about its own
/// head: first the rotation, then the translation. Independent of how the file orients a bone's own
/// axes.
struct BonePose {
  Quat rotation = Quat::Identity();
  Vec3 translation = Vec3::Zero();  // model units; for roots and for bones that slide
  std::optional<SpineBend> bend;    // of a spine; without one its child drives it, as in a clip
};

/// One BonePose per bone; the default is the bind pose.
struct Pose {
  std::vector<BonePose> bones;
  [[nodiscard]] static Pose rest(const Skeleton& skeleton) {
    return {std::vector<BonePose>(skeleton.bone_count())};
  }
};

/// Every bone from bind pose to posed model space: M_j = C_parent · T(head + t) · R · T(−head),
/// where C is what a bone's children hang on: M itself, and of a spine with a stated bend the
/// transform of its end. All are the identity at rest, and children stay attached. A spine without
/// a stated bend is driven by what its child does (drive_spines), so that poses of rigid bones,
/// such as motion capture, bend it too. `pose.bones` must have one entry per bone.
[[nodiscard]] PosedBones pose_bones(const Skeleton& skeleton, const Pose& pose);

/// The transforms alone: all there is where bones are rigid. A point that bone j carries alone goes
/// from v to M_j v.
[[nodiscard]] std::vector<Affine3> forward_kinematics(const Skeleton& skeleton, const Pose& pose);

}  // namespace sinew
