// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "sinew/volume/voxel_grid.h"
#include "volume/embed_in_cell.h"
#include "volume/piece_windings.h"

namespace sinew {
namespace {

constexpr std::size_t kPointGrain = 64;  // of up to ten microseconds each, outside

using Place = std::array<int, 3>;

/// How far a point is from the cell at a place, squared; both in cells.
double distance_to(const Place& place, const Vec3& point) {
  const Vec3 low(place[0], place[1], place[2]);
  return (point - point.cwiseMax(low).cwiseMin(low + Vec3::Ones())).squaredNorm();
}

/// The first of the cells at the place of a point, or else at the nearest place.
std::size_t first_cell_at(const VoxelGrid& grid, const Vec3& in_cells) {
  Place here{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    here[axis] =
        static_cast<int>(std::clamp(std::floor(in_cells[static_cast<int>(axis)]), -1.0, 0x1p30));
  const auto found = std::lower_bound(grid.place.begin(), grid.place.end(), here);
  if (found != grid.place.end() && *found == here)
    return static_cast<std::size_t>(found - grid.place.begin());
  std::size_t best = 0;
  double best_distance = HUGE_VAL;
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell)
    if (const double distance = distance_to(grid.place[cell], in_cells); distance < best_distance) {
      best = cell;
      best_distance = distance;
    }
  return best;
}

/// To the nearest piece of a cell, squared; in cells.
double distance_to_pieces(const VoxelGrid& grid, std::size_t cell, const Vec3& in_cells) {
  const auto [x, y, z] = grid.place[cell];
  double nearest = HUGE_VAL;
  for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
    if ((grid.filled[cell] >> piece & 1) != 0)
      nearest =
          std::min(nearest, (Vec3(x, y, z) + centre_of_piece(piece) - in_cells).squaredNorm());
  return nearest;
}

}  // namespace

std::size_t cell_at(const VoxelGrid& grid, const Vec3& in_cells) {
  const std::size_t first = first_cell_at(grid, in_cells);
  std::size_t best = first;
  double best_distance = HUGE_VAL;
  for (std::size_t cell = first; cell < grid.place.size() && grid.place[cell] == grid.place[first];
       ++cell) {
    if (cell == first &&
        (cell + 1 == grid.place.size() || grid.place[cell + 1] != grid.place[cell]))
      return cell;
    if (const double distance = distance_to_pieces(grid, cell, in_cells);
        distance < best_distance) {
      best = cell;
      best_distance = distance;
    }
  }
  return best;
}

Embedding embed_points(const VoxelGrid& grid, std::span<const Vec3> points) {
  Embedding embedding = embedding_of_size(points.size());
  parallel_for(
      points.size(),
      [&](std::size_t i) {
        const Vec3 point = (points[i] - grid.origin) / grid.elements.cell_size;
        embed_in_cell(embedding, i, grid, cell_at(grid, point), point);
      },
      kPointGrain);
  return embedding;
}

}  // namespace sinew
