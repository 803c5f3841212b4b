// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bind/prepared_bind.h"
#include "sinew/arap/finish_weights.h"
#include "sinew/bind/bind.h"

namespace sinew {

struct OptimisedWeights {
  std::vector<FinishedWeights> finished;  // per welded vertex, under each cap of the plan
  SolveReport report;
  std::vector<StageTime> times;
  /// For rounding, in the unit frame: where the skeleton is in several pieces, with these placed.
  /// None where nothing is rounded, and where bones bend.
  std::vector<std::vector<Affine3>> poses_to_round;
};

/// Draws poses, sparsifies, constrains, alternates, wins lost bones back and finishes ([araplbs]
/// sections 3.2 to 5), all as the plan says.
[[nodiscard]] Result<OptimisedWeights> optimise_weights(const Character& character,
                                                        const PreparedBind& prepared,
                                                        const BindExemplars& exemplars,
                                                        const BindPlan& plan,
                                                        const Progress& progress);

}  // namespace sinew
