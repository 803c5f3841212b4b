// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bind/prepared_bind.h"
#include "sinew/bind/bind.h"

namespace sinew {

/// Weights that were solved on something else than the mesh itself, and carried over to it.
struct CarriedWeights {
  std::vector<SkinWeights> under_caps;  // each of BindPlan::caps, per welded vertex of the mesh
  BindReport report;                    // of the solve: its plan, its budgets, its steps
};

/// Brings carried weights under their limits of influences on the mesh, refines them there, and
/// rounds and describes them: what is left of a bind. `prepared` is of the mesh; rigid parts are
/// found on it. `times` are of what came before.
[[nodiscard]] Result<Bound> finish_carried(const Character& character, const BindOptions& options,
                                           PreparedBind prepared, CarriedWeights carried,
                                           std::vector<StageTime> times, const Progress& progress);

}  // namespace sinew
