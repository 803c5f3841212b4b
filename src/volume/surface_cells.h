// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "volume/cell_lattice.h"
#include "volume/oriented_surface.h"

namespace sinew {

/// In cells: what lies in the face of a cell is in it and in its neighbour, on whichever side
/// rounding has put it.
inline constexpr double kSurfaceMargin = 1e-9;

/// Triangles, and what has less extent: a wire is one with a corner twice, a point with one thrice.
/// Numbered in the order of triangles, wires, loose places.
[[nodiscard]] std::vector<Triangle> simplices_of(const OrientedSurface& surface);

/// Corners in units of cells.
using Corners = std::array<Vec3, 3>;
[[nodiscard]] inline Corners corners_of(const Triangle& simplex, const std::vector<Vec3>& places) {
  return {places[simplex[0]], places[simplex[1]], places[simplex[2]]};
}

/// Whether a simplex and a box have a point in common, by the thirteen axes that can tell them
/// apart. `half` is half of the box's sides.
/// Follows T. Akenine-Möller, "Fast 3D triangle-box overlap testing", Journal of Graphics Tools
/// 6(1), 2001.
[[nodiscard]] bool overlaps(const Corners& corners, const Vec3& middle, const Vec3& half);

/// The cells of a simplex that it passes through or comes near to by kSurfaceMargin, appended.
/// Cost: O(cells × log(extent)), however thin it is and however it lies.
void append_cells(const Corners& corners, const CellLattice& lattice, std::vector<CellKey>& cells);

/// A simplex in one of its cells.
struct CellContent {
  CellKey cell = 0;
  std::uint32_t simplex = 0;
};

/// The cells that simplices pass through, ascending; nothing when they are too many to hold.
[[nodiscard]] std::optional<std::vector<CellKey>> surface_cells(
    const std::vector<Triangle>& simplices, const std::vector<Vec3>& places_in_cells,
    const CellLattice& lattice);

/// The same with what passes through each, by cell and then by simplex.
[[nodiscard]] std::vector<CellContent> cell_contents(const std::vector<Triangle>& simplices,
                                                     const std::vector<Vec3>& places_in_cells,
                                                     const CellLattice& lattice);

}  // namespace sinew
