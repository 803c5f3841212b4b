// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/arap/weight_constraints.h"
#include "sinew/arap/weight_problem.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/core/result.h"

namespace sinew {

/// Fails with the place of what is wrong: "problem.maps[7]", for one.
[[nodiscard]] Status check_problem(const WeightProblem& problem,
                                   const WeightSolverOptions& options);
/// "constraints[3]": is of a bone that does not influence the vertex, or is not finite.
[[nodiscard]] Status check_constraints(const WeightProblem& problem,
                                       std::span<const WeightConstraint> constraints);

}  // namespace sinew
