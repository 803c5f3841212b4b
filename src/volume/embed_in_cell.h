// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/volume/voxel_grid.h"

namespace sinew {

/// Room for so many points in cubes.
[[nodiscard]] inline Embedding embedding_of_size(std::size_t points) {
  Embedding embedding;
  for (std::size_t i = 0; i <= points; ++i) embedding.begin.push_back(8 * i);
  embedding.corner.resize(8 * points);
  embedding.coefficient.resize(8 * points);
  embedding.element.resize(points);
  return embedding;
}

/// The cell at the place of a point, or else at the nearest place, the first of equals; of several
/// there the one with the piece that is nearest to `seen_from`. Both are in units of cells, from
/// the grid's origin.
[[nodiscard]] std::size_t cell_at(const VoxelGrid& grid, const Vec3& in_cells,
                                  const Vec3& seen_from);

/// Puts a point into a cell, at its nearest point there.
inline void embed_in_cell(Embedding& embedding, std::size_t point, const VoxelGrid& grid,
                          std::size_t cell, const Vec3& in_cells) {
  const auto [x, y, z] = grid.place[cell];
  const Vec3 share = (in_cells - Vec3(x, y, z)).cwiseMax(0).cwiseMin(1);
  embedding.element[point] = static_cast<std::uint32_t>(cell);
  for (std::size_t k = 0; k < 8; ++k) {
    embedding.corner[8 * point + k] = grid.elements.hexahedra[cell][k];
    embedding.coefficient[8 * point + k] = ((k & 1) != 0 ? share.x() : 1 - share.x()) *
                                           ((k & 2) != 0 ? share.y() : 1 - share.y()) *
                                           ((k & 4) != 0 ? share.z() : 1 - share.z());
  }
}

}  // namespace sinew
