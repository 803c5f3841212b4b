// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sinew/volume/voxel_grid.h"
#include "support/checked.h"
#include "support/mesh_zoo.h"

namespace sinew::test {

using Place = std::array<int, 3>;

inline VoxelGrid grid_of(const Mesh& mesh, const VoxelGridOptions& options = {}) {
  return checked(make_voxel_grid(mesh, options));
}
inline VoxelGrid grid_of(MeshData data, double cell_size) {
  VoxelGridOptions options;
  options.cell_size = cell_size;
  return grid_of(make_mesh(std::move(data)), options);
}

inline std::set<Place> places_of(const VoxelGrid& grid) {
  return {grid.place.begin(), grid.place.end()};
}
inline std::map<Place, CellKind> kinds_of(const VoxelGrid& grid) {
  std::map<Place, CellKind> kinds;
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell)
    kinds[grid.place[cell]] = grid.kind[cell];
  return kinds;
}

inline Vec3 centre_of(const VoxelGrid& grid, const Place& place) {
  return grid.origin +
         grid.elements.cell_size * Vec3(place[0] + 0.5, place[1] + 0.5, place[2] + 0.5);
}
/// The place of a point that is not in a face.
inline Place place_at(const VoxelGrid& grid, const Vec3& point) {
  const Vec3 p = ((point - grid.origin) / grid.elements.cell_size).array().floor();
  return {static_cast<int>(p.x()), static_cast<int>(p.y()), static_cast<int>(p.z())};
}
inline bool has_cell_at(const VoxelGrid& grid, const Vec3& point) {
  return std::binary_search(grid.place.begin(), grid.place.end(), place_at(grid, point));
}

/// Where an embedding puts a point.
inline Vec3 embedded(const Embedding& embedding, const Elements& elements, std::size_t point) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = embedding.begin[point]; k < embedding.begin[point + 1]; ++k)
    sum += embedding.coefficient[k] * elements.points[embedding.corner[k]];
  return sum;
}

/// How far the embedded vertices are from where they are, at most, in cells.
inline double farthest_vertex(const VoxelGrid& grid, const Mesh& mesh) {
  double farthest = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    farthest = std::max(farthest,
                        (embedded(grid.embedding, grid.elements, v) - mesh.positions()[v]).norm() /
                            grid.elements.cell_size);
  return farthest;
}

}  // namespace sinew::test
