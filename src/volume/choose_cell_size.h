// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "volume/interior_cells.h"

namespace sinew {

/// The edge, in units of the surface, with which an interior has about so many cells: within a
/// hundredth where that can be. The number falls as cells grow, but for steps, since the lattice
/// shifts; of the sizes that were tried the nearest is taken. Points and specks never have many
/// cells: the size stays where finer ones add hardly any. Fails when cancelled.
[[nodiscard]] Result<double> choose_cell_size(const InteriorQueries& queries, std::size_t cells,
                                              const Progress& progress);

}  // namespace sinew
