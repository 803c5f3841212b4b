// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "volume/cell_copies.h"
#include "volume/cell_lattice.h"
#include "volume/choose_cell_size.h"
#include "volume/embed_in_cell.h"
#include "volume/interior_cells.h"
#include "volume/oriented_surface.h"

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

/// Which corners of copies are one point: their sets.
using CornerSets = DisjointSets;

/// All that stand at one corner of the lattice.
void join_by_place(CornerSets& corners, const VoxelGrid& grid) {
  std::vector<std::pair<CellKey, std::size_t>> at;
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell)
    for (std::size_t k = 0; k < 8; ++k) {
      const auto [x, y, z] = grid.place[cell];
      const int dx = k & 1 ? 1 : 0, dy = k & 2 ? 1 : 0, dz = k & 4 ? 1 : 0;
      at.emplace_back(key_of({x + dx, y + dy, z + dz}), 8 * cell + k);
    }
  std::sort(at.begin(), at.end());
  for (std::size_t i = 1; i < at.size(); ++i)
    if (at[i].first == at[i - 1].first) corners.join(at[i].second, at[i - 1].second);
}

void join_by_links(CornerSets& corners, const std::vector<CopyLink>& links) {
  for (const auto& [first, second, axis] : links) {
    const std::size_t far_side = std::size_t{1} << axis;
    for (std::size_t k = 0; k < 8; ++k)
      if ((k & far_side) != 0) corners.join(8 * first + k, 8 * second + (k - far_side));
  }
}

/// A point for each set, in the order in which cells come to them.
void add_elements(VoxelGrid& grid, CornerSets& corners) {
  std::vector<ElementPoint> point_of_set(8 * grid.place.size());
  grid.elements.hexahedra.resize(grid.place.size());
  for (std::size_t corner = 0; corner < point_of_set.size(); ++corner) {
    const std::size_t set = corners.find(corner), k = corner % 8;
    if (set == corner) {
      const auto [x, y, z] = grid.place[corner / 8];
      point_of_set[set] = static_cast<ElementPoint>(grid.elements.points.size());
      grid.elements.points.push_back(
          grid.origin + grid.elements.cell_size *
                            Vec3(x + (k & 1 ? 1 : 0), y + (k & 2 ? 1 : 0), z + (k & 4 ? 1 : 0)));
    }
    grid.elements.hexahedra[corner / 8][k] = point_of_set[set];
  }
}

void add_copies(VoxelGrid& grid, const FilledCells& filled, const CellCopies& copies,
                VoxelGridOptions::Touching touching) {
  for (std::size_t cell = 0; cell < filled.cells.size(); ++cell) {
    const std::size_t count = copies.begin[cell + 1] - copies.begin[cell];
    grid.place.insert(grid.place.end(), count, place_of(filled.cells[cell]));
    grid.kind.insert(grid.kind.end(), count, filled.kind[cell]);
    if (count > 1) ++grid.report.split_places;
  }
  grid.filled = copies.filled;
  grid.report.added_cells = grid.place.size() - filled.cells.size();
  CornerSets corners(8 * grid.place.size());
  if (touching == VoxelGridOptions::Touching::split)
    join_by_links(corners, links_between(filled, copies));
  else
    join_by_place(corners, grid);
  add_elements(grid, corners);
}

/// The cell of each place that a simplex has a corner at, or kNoCell.
std::vector<std::size_t> cells_of_places(const FilledCells& filled, const CellCopies& copies,
                                         const CellLattice& lattice) {
  std::vector<CellKey> key_of_place;
  for (const Vec3& place : filled.places) key_of_place.push_back(key_of(lattice.place_at(place)));
  std::vector<std::size_t> cell_of_place(filled.places.size(), kNoCell);
  for (std::size_t cell = 0; cell < filled.cells.size(); ++cell)
    for (std::size_t i = filled.contents_begin[cell]; i < filled.contents_begin[cell + 1]; ++i)
      for (const VertexIndex corner : filled.simplices[filled.contents[i].simplex])
        if (key_of_place[corner] == filled.cells[cell])
          cell_of_place[corner] = copies.begin[cell] + copies.of_content[i];
  return cell_of_place;
}

void embed_vertices(VoxelGrid& grid, const OrientedSurface& surface, const FilledCells& filled,
                    const std::vector<std::size_t>& cell_of_place) {
  grid.embedding = embedding_of_size(surface.place_of_vertex.size());
  parallel_for(surface.place_of_vertex.size(), [&](std::size_t v) {
    const VertexIndex place = surface.place_of_vertex[v];
    const Vec3& point = filled.places[place];
    const std::size_t cell = cell_of_place[place];
    embed_in_cell(grid.embedding, v, grid, cell == kNoCell ? cell_at(grid, point, point) : cell,
                  point);
  });
}

void fill_report(VoxelGrid& grid, const OrientedSurface& surface, const CellCopies& copies) {
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
  report.mesh_volume = static_cast<double>(copies.inside_pieces) / kPiecesPerCell *
                       std::pow(grid.elements.cell_size, 3);
  const std::vector<int> pieces = pieces_of(grid.elements);
  report.pieces =
      pieces.empty() ? 0 : 1 + static_cast<std::size_t>(*std::ranges::max_element(pieces));
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
  const FilledCells filled(queries, lattice, sized.interior);
  SINEW_CHECK(progress.checkpoint(kStage, 0.8));
  const CellCopies copies = options.touching == VoxelGridOptions::Touching::split
                                ? split_copies(filled)
                                : single_copies(filled);
  SINEW_CHECK(progress.checkpoint(kStage, 0.9));
  add_copies(grid, filled, copies, options.touching);
  embed_vertices(grid, surface, filled, cells_of_places(filled, copies, lattice));
  fill_report(grid, surface, copies);
  progress.update(kStage, 1);
  return grid;
}

}  // namespace sinew
