// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/volume/elements.h"
#include "sinew/volume/embedding.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

struct TetLattice {
  /// Tetrahedra. Points are those of the grid, as they are there, then the centres of its cells in
  /// their order, then those of outer faces.
  Elements elements;
  Embedding embedding;  // of what is embedded in the grid, the vertices of the mesh
  /// The cells of the grid that each tetrahedron lies in: the one at the lesser end and the one at
  /// the greater, half in each; or the same one twice.
  std::vector<std::array<std::uint32_t, 2>> cells;
};

/// Cuts the cells of a grid into the tetrahedra of a body-centred cubic lattice: between the
/// centres of two cells that share a face and each edge of that face; where a cell has no
/// neighbour, between its centre, that of the face and the edges. Cells that only touch have no
/// face in common, so that parts which the grid keeps apart stay apart. Where cells branch and more
/// than two share a face, each is cut as if it were alone there, and they share the face's centre.
/// Guarantee: tetrahedra have positive volume and fill exactly the cells; they meet in whole faces.
/// A vertex lies in a tetrahedron of the cell that the grid has it in. Of a mirrored grid the
/// mirrored lattice; the same bits for any number of threads. Cost: O(cells log cells + vertices).
/// The lattice is that of [red-green], without its refinement.
[[nodiscard]] TetLattice make_tet_lattice(const VoxelGrid& grid);

/// Where the points of a lattice lie in the grid that it was cut from, so that what is known at the
/// grid's points is known at all of them: those of the grid are where they are, a centre of a cell
/// or a face is the mean of its corners. A point that no cell refers to is said to be in the first.
[[nodiscard]] Embedding embed_lattice(const VoxelGrid& grid, const TetLattice& lattice);

}  // namespace sinew
