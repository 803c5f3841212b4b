// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>
#include <utility>

#include "bind/prepared_bind.h"
#include "sinew/arap/weight_constraints.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/poses/exemplars.h"

namespace sinew {

/// What there is to solve.
struct PreparedSolve {
  ConstrainedProblem constrained;
  std::set<std::pair<std::uint32_t, std::uint32_t>> led;  // vertex and bone: what is not kept
};

/// Which bones may influence which vertices, and what keeps the mesh with them, as the plan says
/// ([araplbs] sections 3.2 and 4.3). Says of mirror and constraints in the report.
[[nodiscard]] PreparedSolve prepare_solve(const Character& character, const PreparedBind& prepared,
                                          std::span<const Exemplar> exemplars, const BindPlan& plan,
                                          SolveReport& report);

/// The problem of weights that are good on the whole, and may change on the bones they have: led as
/// softly as the plan says.
[[nodiscard]] ConstrainedProblem make_refined_problem(const Character& character,
                                                      const PreparedBind& prepared,
                                                      const SkinWeights& carried,
                                                      std::span<const Exemplar> exemplars,
                                                      const BindPlan& plan);

}  // namespace sinew
