// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/model/mesh.h"
#include "sinew/volume/elements.h"
#include "sinew/volume/embedding.h"

namespace sinew {

struct VoxelGridOptions {
  static constexpr int kMostCells = 200'000;
  int cells = 12'000;               // about so many places, on the surface and inside together
  std::optional<double> cell_size;  // in place of `cells`, in units of the mesh
  enum class Touching {
    split,   // parts that only touch have cells of their own where they share a place
    joined,  // one cell at each place
  };
  Touching touching = Touching::split;
};

/// Why a cell belongs to the interior.
enum class CellKind : std::uint8_t {
  surface,   // a triangle, a wire or a vertex lies in it
  inside,    // the mesh winds around its centre
  enclosed,  // it cannot be reached from outside
};

struct VoxelGridReport {
  std::size_t surface_cells = 0, inside_cells = 0, enclosed_cells = 0;
  std::size_t turned_triangles = 0;  // that face otherwise than the rest of their part
  std::size_t turned_parts = 0;      // that enclose something, and are inside out
  std::size_t split_places = 0;      // where several cells share a place
  std::size_t added_cells = 0;       // cells beyond one at each place
  double volume = 0;                 // of all cells
  double mesh_volume = 0;  // that the mesh winds around, each place once; by 64ths of cells
  std::size_t pieces = 0;  // of cells, connected through shared points
};

/// Cubes that fill a mesh, whatever the mesh is like. Cells are not addressed by place: where parts
/// only touch, several share one.
struct VoxelGrid {
  Elements elements;                      // hexahedra, ascending by place
  Vec3 origin = Vec3::Zero();             // the least corner of the cell at place (0, 0, 0)
  std::vector<std::array<int, 3>> place;  // of each cell
  std::vector<CellKind> kind;             // of each cell
  /// Of each cell: which of its 4 × 4 × 4 pieces are its own, by bits, along x, then y, then z.
  /// Those whose centres the mesh winds around; of a cell without any, those that the surface
  /// passes through. Cells at one place share none of the first.
  std::vector<std::uint64_t> filled;
  Embedding embedding;  // of every vertex of the mesh
  VoxelGridReport report;
};

/// Fills a mesh with cubes: the cells that its triangles pass through, those that it winds around
/// by more than a half, and those that cannot be reached from outside unless they are air between
/// parts. Shells of triangles are turned one way first, outward where they enclose anything.
/// Parts that only touch, two fingers or an arm and a hip, are kept apart by several cells at one
/// place: what lies in a cell is one where the winding number between does not drop below one half,
/// and cells share points where what lies in them crosses their face. Skin under clothes stays with
/// them. A place has four cells at most.
/// Guarantee: every vertex lies in a cell; one that nothing refers to is held by the nearest,
/// unless nothing refers to any. Vertices that weld together are embedded as one. A mirrored mesh
/// gives a mirrored grid; the same bits for any number of threads. Fails only for a mesh without
/// vertices, for options that make no sense, and when cancelled. Cost: about six times what marking
/// the surface costs, O(triangles + cells × log).
[[nodiscard]] Result<VoxelGrid> make_voxel_grid(const Mesh& mesh,
                                                const VoxelGridOptions& options = {},
                                                const Progress& progress = {});

/// Where points lie in the cells of a grid; those outside in the nearest cell, at its nearest
/// point. Where several cells share a place, in the one with the nearest piece. Cost: O(log(cells))
/// for each point, O(cells) for each of those outside.
[[nodiscard]] Embedding embed_points(const VoxelGrid& grid, std::span<const Vec3> points);

/// Where the points of a finer grid of the same mesh lie in a coarser one. Where several cells of
/// the coarser one share a place, in the one whose pieces are nearest to those of the cells around
/// the point: what is apart in the finer grid lies in cells that are apart in the coarser one, as
/// far as it tells them apart.
[[nodiscard]] Embedding embed_grid(const VoxelGrid& coarse, const VoxelGrid& fine);

}  // namespace sinew
