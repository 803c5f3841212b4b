// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/poses/limb_poses.h"
#include "sinew/quality/weight_judge.h"

namespace sinew {

/// The worst place over limb poses: of each pose the patch, 3% of the diagonal around, that it
/// distorts most (WorstPlace), and of these the most distorted. What means hide: one armpit, one
/// knee. Nothing without poses or faces. Spines bend. Fails only when cancelled. Cost: a pose each.
[[nodiscard]] Result<std::optional<LimbQuality>> judge_limbs(const WeightJudge& judge,
                                                             const Skeleton& skeleton,
                                                             const SurfaceWeights& weights,
                                                             std::span<const LimbPose> poses,
                                                             const Progress& progress = {});

}  // namespace sinew
