// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "volume/cell_lattice.h"
#include "volume/oriented_surface.h"

namespace sinew {

/// How many connected parts of the surface wind around none of these cells. Cost: O(triangles ×
/// log) and a winding number for each part and each sample in its box.
[[nodiscard]] std::size_t count_thin_parts(const OrientedSurface& surface,
                                           const CellLattice& lattice,
                                           std::span<const CellKey> inside_samples);

}  // namespace sinew
