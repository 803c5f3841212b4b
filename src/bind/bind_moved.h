// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "bind/prepared_bind.h"
#include "sinew/bind/bind.h"

namespace sinew {

/// bind, with the joints displaced, per bone in model space: the same poses of the moved skeleton,
/// the same bones that deform. Without displacements, bind itself, of the mesh as it is.
[[nodiscard]] Result<Bound> bind_moved(const Character& character,
                                       std::span<const Vec3> displacements,
                                       const BindOptions& options, const Progress& progress);

/// What is left of bind once there is a plan, which may be another than plan_bind makes. `times`
/// are of what came before.
[[nodiscard]] Result<Bound> bind_as_planned(const Character& character, const BindOptions& options,
                                            PreparedBind prepared, BindPlan plan,
                                            std::vector<StageTime> times,
                                            const Progress& progress = {});

}  // namespace sinew
