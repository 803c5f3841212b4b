// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/pipeline/bind.h"

namespace sinew {

/// Whether bind solves on a simplified mesh: where there are more vertices than the options say,
/// nothing is kept or edited vertex by vertex, and all that there is to bind is triangles of rigid
/// bones.
[[nodiscard]] bool binds_coarsely(const Character& character, const BindOptions& options);

/// Binds a simplified mesh and carries its weights over to the whole one: each vertex takes what
/// the closest point of the same part has, and weights are then evened out between neighbours,
/// which is what the small triangles add.
[[nodiscard]] Result<Bound> bind_coarsely(const Character& character, const BindOptions& options,
                                          const Progress& progress);

}  // namespace sinew
