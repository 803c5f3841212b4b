// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "arap/arap_system.h"
#include "sinew/arap/weight_problem.h"

namespace sinew {

/// Of weights beside maps.bones, of which some are below zero, those that are not and move each
/// vertex as nearly as it moved: the least Σ_x |Σ_j (u_j − w_j) M_j(x) h|² with u ≥ 0, Σ u = 1,
/// vertex by vertex. Where many bones move alike, as in a face, free weights are large on both
/// sides of zero, and the largest of them say little about which bones a vertex can do without.
/// Rows with little below zero stay to the bit. Cost: O(Σ bones³), bones of a vertex.
[[nodiscard]] std::vector<double> nearest_nonnegative(const WeightProblem& problem,
                                                      const BonePairs& pairs,
                                                      const std::vector<double>& weights);

}  // namespace sinew
