// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "volume/cell_lattice.h"
#include "volume/choose_cell_size.h"
#include "volume/embed_in_cell.h"
#include "volume/interior_cells.h"
#include "volume/oriented_surface.h"
#include "volume/thin_parts.h"

namespace sinew {
namespace {

constexpr const char* kStage = "interior";

Status check(const Mesh& mesh, const VoxelGridOptions& options) {
  if (mesh.vertex_count() == 0)
    return Error{ErrorCode::bad_mesh, "positions", "there are no vertices to fill"};
  if (options.cell_size) {
    if (!(*options.cell_size > 0) || !std::isfinite(*options.cell_size))
      return Error{ErrorCode::bad_argument, "cell_size", "it must be a positive number"};
  } else if (options.cells < 1 || options.cells > VoxelGridOptions::kMostCells) {
    return Error{ErrorCode::bad_argument, "cells",
                 "it must be from 1 to " + std::to_string(VoxelGridOptions::kMostCells)};
  }
  return {};
}

/// The cells of the size that was asked for, or of one that makes as many as were asked for.
struct SizedCells {
  CellLattice lattice;
  InteriorCells interior;
};

Result<SizedCells> sized_cells(const InteriorQueries& queries, const VoxelGridOptions& options,
                               const Progress& progress) {
  double edge = 0;
  if (options.cell_size) {
    edge = *options.cell_size / queries.surface.unit;
  } else {
    SINEW_TRY(edge, choose_cell_size(queries, static_cast<std::size_t>(options.cells), progress));
  }
  const CellLattice lattice = CellLattice::over(queries.surface, edge);
  std::optional<InteriorCells> interior;
  if (lattice.reaches_all(queries.surface)) interior = interior_cells(queries, lattice);
  if (!interior || (options.cell_size && interior->cells.size() > VoxelGridOptions::kMostCells))
    return Error{
        ErrorCode::bad_argument, options.cell_size ? "cell_size" : "cells",
        "the mesh has more than " + std::to_string(VoxelGridOptions::kMostCells) + " such cells"};
  return SizedCells{lattice, *std::move(interior)};
}

/// One point at each corner of the lattice, in the order in which cells come to them.
void add_joined_elements(VoxelGrid& grid) {
  std::vector<std::pair<CellKey, std::size_t>> corners;
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell)
    for (std::size_t k = 0; k < 8; ++k) {
      const auto [x, y, z] = grid.place[cell];
      const int dx = k & 1 ? 1 : 0, dy = k & 2 ? 1 : 0, dz = k & 4 ? 1 : 0;
      corners.emplace_back(key_of({x + dx, y + dy, z + dz}), 8 * cell + k);
    }
  std::sort(corners.begin(), corners.end());
  grid.elements.hexahedra.resize(grid.place.size());
  CellKey last = ~CellKey{0};
  for (const auto& [key, at] : corners) {
    if (key != last) {
      const auto [x, y, z] = place_of(key);
      grid.elements.points.push_back(grid.origin + grid.elements.cell_size * Vec3(x, y, z));
      last = key;
    }
    grid.elements.hexahedra[at / 8][at % 8] =
        static_cast<ElementPoint>(grid.elements.points.size() - 1);
  }
}

void embed_vertices(VoxelGrid& grid, const OrientedSurface& surface, const CellLattice& lattice) {
  grid.embedding = embedding_of_size(surface.place_of_vertex.size());
  parallel_for(surface.place_of_vertex.size(), [&](std::size_t v) {
    const Vec3 point = lattice.in_cells(surface.places[surface.place_of_vertex[v]]);
    // One in the last face of the lattice belongs to the last cell.
    const auto [x, y, z] = lattice.place_at(point);
    const Vec3 within = point.cwiseMax(Vec3(x, y, z)).cwiseMin(Vec3(x, y, z) + Vec3::Constant(0.5));
    embed_in_cell(grid.embedding, v, grid, first_cell_at(grid, within), point);
  });
}

std::size_t count_pieces(const Elements& elements) {
  DisjointSets sets(elements.points.size());
  for (const Hexahedron& corners : elements.hexahedra)
    for (const ElementPoint corner : corners) sets.join(corners[0], corner);
  std::size_t pieces = 0;
  for (std::size_t point = 0; point < elements.points.size(); ++point)
    if (sets.find(point) == point) ++pieces;
  return pieces;
}

void fill_report(VoxelGrid& grid, const OrientedSurface& surface) {
  VoxelGridReport& report = grid.report;
  const auto count = [&](CellKind kind) {
    return static_cast<std::size_t>(std::count(grid.kind.begin(), grid.kind.end(), kind));
  };
  report.surface_cells = count(CellKind::surface);
  report.inside_cells = count(CellKind::inside);
  report.enclosed_cells = count(CellKind::enclosed);
  report.turned_triangles = surface.turned_triangles;
  report.turned_parts = surface.turned_shells;
  report.volume = static_cast<double>(grid.place.size()) * std::pow(grid.elements.cell_size, 3);
  report.pieces = count_pieces(grid.elements);
}

}  // namespace

Result<VoxelGrid> make_voxel_grid(const Mesh& mesh, const VoxelGridOptions& options,
                                  const Progress& progress) {
  SINEW_CHECK(check(mesh, options));
  SINEW_CHECK(progress.checkpoint(kStage, 0));
  const InteriorQueries queries(orient_surface(mesh));
  const OrientedSurface& surface = queries.surface;
  SINEW_TRY(const SizedCells sized, sized_cells(queries, options, progress.within(0.1, 0.7)));
  const CellLattice& lattice = sized.lattice;
  SINEW_CHECK(progress.checkpoint(kStage, 0.7));

  VoxelGrid grid;
  grid.elements.cell_size = lattice.edge * surface.unit;
  grid.origin = surface.centre + surface.unit * lattice.from_cells(Vec3::Zero());
  for (const CellKey cell : sized.interior.cells) grid.place.push_back(place_of(cell));
  grid.kind = sized.interior.kind;
  add_joined_elements(grid);
  embed_vertices(grid, surface, lattice);
  fill_report(grid, surface);
  grid.report.thin_parts = count_thin_parts(surface, lattice, sized.interior.inside_samples);
  progress.update(kStage, 1);
  return grid;
}

}  // namespace sinew
