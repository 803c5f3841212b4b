// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/bind/bind.h"

namespace sinew {

/// Whether bind solves on a simplified mesh: where there are more vertices than the options say,
/// nothing is kept or edited vertex by vertex, and all that there is to bind is triangles of rigid
/// bones.
[[nodiscard]] bool binds_coarsely(const Character& character, const BindOptions& options);

/// Binds a simplified mesh, carries its weights over to the whole one and refines them there: the
/// few vertices decide what bones do, and all of them how that goes on between neighbours.
[[nodiscard]] Result<Bound> bind_coarsely(const Character& character, const BindOptions& options,
                                          const Progress& progress);

}  // namespace sinew
