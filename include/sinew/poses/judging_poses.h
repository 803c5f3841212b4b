// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/poses/sampled_pose.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

struct RandomPoseOptions {
  int count = 48;
  double roll_max_deg = 60;  // beyond this no blend of rigid bones looks rigid
  double twist_max_deg = 10;
  std::uint64_t seed = 1;
};

/// Random poses to judge weights on: every deforming bone turns about a random axis orthogonal to
/// it and about itself, uniformly within the limits, on the effective hierarchy; roots and bones
/// that do not deform stay still relative to what they hang on. The limits and the kinds of single
/// bones do not matter here, so that figures of different rigs can be compared: spines turn
/// rigidly, and joints of rows go with the bone they stand for, draw nothing and change no other
/// bone's turns. To judge weights of either on the same poses, bent: bend_spines_and_rows.
[[nodiscard]] std::vector<SampledPose> random_poses(const Skeleton& skeleton,
                                                    const std::vector<BoneRole>& roles,
                                                    const EffectiveHierarchy& hierarchy,
                                                    const RandomPoseOptions& options = {});

}  // namespace sinew
