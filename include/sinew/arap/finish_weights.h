// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sinew/arap/weight_solver.h"

namespace sinew {

struct FinishOptions {
  int max_influences = 4;  // what game engines read
  double rounds = 3;       // of solving under the cap and the bounds, at most; more change little
                           // on fine meshes under soft constraints. The last of 3.4 goes 0.4 of
                           // its way
  int least_rounds = 2;    // before these nothing is left to clipping but the last round's traces;
                           // after them, what little is left may be: docs/decisions/capping.md
  std::optional<RotationMode> rotations;  // in these rounds; the solver's own where left out
  std::vector<int> parts;  // of each vertex, below 0 for none: of a bone's patches on one part, all
                           // but the one with the most weight go; without them all stay
  // Of the diagonal: where edges are shorter, the kinks that the cap leaves in weights are evened
  // out, the more so the shorter, since distortion there hardly feels it and eyes do. 0 for never.
  double even_out_below = 0;
};

struct FinishedWeights {
  SkinWeights weights;      // none negative, rows sum to one, no more bones than the cap
  double arap_after = 0;    // of these, by rotations of the solver's mode; beside arap() of one
                            // that has converged, what the cap and the bounds cost
  std::size_t dropped = 0;  // influences that the cap took
};

/// Weights for delivery from those of a solver: every vertex keeps its strongest bones, and the
/// energy is minimised again among those, with weights that went below zero held at zero, and let
/// go where that is no longer needed. Cutting and scaling alone would throw away a part of what the
/// solver gained.
[[nodiscard]] Result<FinishedWeights> finish_weights(const WeightSolver& solver,
                                                     const FinishOptions& options = {},
                                                     const Progress& progress = {});

/// Which weights, by place in maps.bones, are of a patch of their bone apart from its main one on
/// the same part. A vertex keeps its strongest bone, whatever patch that is of, and all of them
/// where more than a quarter of its weight would go, on the largest part more than half. The
/// largest is that with the most measure: area, or volume where there are tetrahedra. Below 0 is no
/// part.
[[nodiscard]] std::vector<bool> find_strays(const WeightProblem& problem,
                                            const std::vector<double>& weights,
                                            const std::vector<int>& parts);

}  // namespace sinew
