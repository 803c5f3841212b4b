// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/poses/limb_bones.h"
#include "sinew/poses/sampled_pose.h"

namespace sinew {

/// One arm raised above the head, all else at rest: the hardest thing that skin under an arm does.
struct RaisedArm {
  int bone = -1;
  SampledPose pose;
  Vec3 shoulder = Vec3::Zero();  // model space, at rest
  double length = 0;             // of the upper arm
};

/// Each arm of a body, turned about its shoulder alone, no clavicle helping, until it points 150
/// degrees away from straight down, where up is from the hips to the head. So an arm that was
/// modelled hanging and one that was modelled straight out end at the same place. None without a
/// head, hips or arms.
[[nodiscard]] std::vector<RaisedArm> raised_arms(const Skeleton& skeleton,
                                                 const EffectiveHierarchy& hierarchy,
                                                 const LimbBones& bones);

}  // namespace sinew
