// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/elements.h"
#include "sinew/volume/embedding.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

struct TetLattice {
  Elements elements;                // tetrahedra
  Embedding embedding;              // of every vertex of the mesh
  std::vector<std::uint32_t> cell;  // of the grid, that each tetrahedron was cut from
};

/// Cuts the cells of a grid into the tetrahedra of a body-centred lattice: between the centres of
/// two cells that share a face and each edge of that face; where a cell has no neighbour, between
/// its centre, that of the face and the edges. Cells that only touch have no face in common, so
/// that parts which the grid keeps apart stay apart. Of a mirrored grid the mirrored lattice.
[[nodiscard]] TetLattice make_tet_lattice(const VoxelGrid& grid, const Mesh& mesh);

}  // namespace sinew
