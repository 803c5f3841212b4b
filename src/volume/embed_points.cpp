// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "sinew/volume/voxel_grid.h"
#include "volume/embed_in_cell.h"

namespace sinew {
namespace {

constexpr std::size_t kPointGrain = 64;  // of up to ten microseconds each, outside

using Place = std::array<int, 3>;

/// How far a point is from the cell at a place, squared; both in cells.
double distance_to(const Place& place, const Vec3& point) {
  const Vec3 low(place[0], place[1], place[2]);
  return (point - point.cwiseMax(low).cwiseMin(low + Vec3::Ones())).squaredNorm();
}

}  // namespace

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

Embedding embed_points(const VoxelGrid& grid, std::span<const Vec3> points) {
  Embedding embedding = embedding_of_size(points.size());
  parallel_for(
      points.size(),
      [&](std::size_t i) {
        const Vec3 point = (points[i] - grid.origin) / grid.elements.cell_size;
        const std::size_t cell = first_cell_at(grid, point);
        embed_in_cell(embedding, i, grid, cell, point);
      },
      kPointGrain);
  return embedding;
}

}  // namespace sinew
