// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "sinew/volume/voxel_grid.h"
#include "volume/embed_in_cell.h"
#include "volume/piece_windings.h"

namespace sinew {
namespace {

constexpr std::size_t kPointGrain = 64;  // of up to ten microseconds each, outside

/// Of the way from a point to the middle of what is filled around it: more than rounding.
constexpr double kTowardsMiddle = 1e-6;

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

/// Around each point of a grid: the middle of the pieces that the cells around it have.
std::vector<Vec3> middles_of_pieces(const VoxelGrid& grid) {
  std::vector<Vec3> sums(grid.elements.points.size(), Vec3::Zero());
  std::vector<double> counts(grid.elements.points.size(), 0);
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
      if ((grid.filled[cell] >> piece & 1) != 0) sum += centre_of_piece(piece);
    const double count = std::popcount(grid.filled[cell]);
    const auto [x, y, z] = grid.place[cell];
    for (const ElementPoint corner : grid.elements.hexahedra[cell]) {
      sums[corner] += sum + count * Vec3(x, y, z);
      counts[corner] += count;
    }
  }
  for (std::size_t point = 0; point < sums.size(); ++point)
    sums[point] = counts[point] > 0
                      ? Vec3(grid.origin + grid.elements.cell_size * sums[point] / counts[point])
                      : grid.elements.points[point];
  return sums;
}

}  // namespace

std::size_t cell_at(const VoxelGrid& grid, const Vec3& in_cells, const Vec3& seen_from) {
  const std::size_t first = first_cell_at(grid, in_cells);
  std::size_t best = first;
  double best_distance = HUGE_VAL;
  for (std::size_t cell = first; cell < grid.place.size() && grid.place[cell] == grid.place[first];
       ++cell) {
    if (cell == first &&
        (cell + 1 == grid.place.size() || grid.place[cell + 1] != grid.place[cell]))
      return cell;
    if (const double distance = distance_to_pieces(grid, cell, seen_from);
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
        embed_in_cell(embedding, i, grid, cell_at(grid, point, point), point);
      },
      kPointGrain);
  return embedding;
}

Embedding embed_grid(const VoxelGrid& coarse, const VoxelGrid& fine) {
  const std::vector<Vec3> middles = middles_of_pieces(fine);
  Embedding embedding = embedding_of_size(fine.elements.points.size());
  parallel_for(
      fine.elements.points.size(),
      [&](std::size_t i) {
        const auto in_cells = [&](const Vec3& point) {
          return Vec3((point - coarse.origin) / coarse.elements.cell_size);
        };
        const Vec3 point = in_cells(fine.elements.points[i]), middle = in_cells(middles[i]);
        // A point in a face of the coarser grid belongs to the side where its cells are filled.
        const Vec3 towards = point + kTowardsMiddle * (middle - point);
        embed_in_cell(embedding, i, coarse, cell_at(coarse, towards, middle), point);
      },
      kPointGrain);
  return embedding;
}

}  // namespace sinew
