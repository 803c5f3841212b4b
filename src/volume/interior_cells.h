// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "geometry/winding_number.h"
#include "sinew/volume/voxel_grid.h"
#include "volume/cell_lattice.h"
#include "volume/oriented_surface.h"

namespace sinew {

/// A surface, and what is asked of it again and again while a cell size is looked for.
struct InteriorQueries {
  explicit InteriorQueries(OrientedSurface oriented);

  OrientedSurface surface;
  std::vector<Triangle> simplices;       // simplices_of(surface)
  std::vector<Triangle> open_triangles;  // of shells with a rim
  WindingNumber winding;                 // of all triangles
  WindingNumber open_winding;
};

/// The cells that belong to an interior.
struct InteriorCells {
  std::vector<CellKey> cells;  // ascending
  std::vector<CellKind> kind;  // of each
};

/// Surface cells, and of the cells between them
///  - those that the surface seals off: inside where the mesh winds around them by more than a
///    half, enclosed where it does by more than a quarter, or where no cell of the same piece is
///    inside;
///  - those in the open that the mesh winds around by more than a half. Shells without a rim do not
///    wind around anything in the open, so that only the others are asked.
/// Nothing when the cells are too many to hold. Cost: O(surface cells × log), and what winding
/// numbers cost of the cells in the open about which lines along the axes disagree.
[[nodiscard]] std::optional<InteriorCells> interior_cells(const InteriorQueries& queries,
                                                          const CellLattice& lattice);

}  // namespace sinew
