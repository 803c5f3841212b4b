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
  double volume = 0;                 // of all cells
  std::size_t pieces = 0;            // of cells, connected through shared points
  std::size_t thin_parts = 0;        // of the mesh, with no cell inside: sheets, hair
};

/// Cubes that fill a mesh, whatever the mesh is like.
struct VoxelGrid {
  Elements elements;                      // hexahedra, ascending by place
  Vec3 origin = Vec3::Zero();             // the least corner of the cell at place (0, 0, 0)
  std::vector<std::array<int, 3>> place;  // of each cell
  std::vector<CellKind> kind;             // of each cell
  Embedding embedding;                    // of every vertex of the mesh
  VoxelGridReport report;
};

/// Fills a mesh with cubes: the cells that its triangles pass through, those that it winds around
/// by more than a half, and those that cannot be reached from outside unless they are air between
/// parts. Shells of triangles are turned one way first, outward where they enclose anything.
/// Guarantee: every vertex lies in a cell; one that nothing refers to is held by the nearest,
/// unless nothing refers to any. Vertices that weld together are embedded as one. A mirrored mesh
/// gives a mirrored grid; the same bits for any number of threads. Fails only for a mesh without
/// vertices, for options that make no sense, and when cancelled. Cost: about six times what marking
/// the surface costs, O(triangles + cells × log).
[[nodiscard]] Result<VoxelGrid> make_voxel_grid(const Mesh& mesh,
                                                const VoxelGridOptions& options = {},
                                                const Progress& progress = {});

/// Where points lie in the cells of a grid; those outside in the nearest cell, at its nearest
/// point. Cost: O(log(cells)) for each point, O(cells) for each of those outside.
[[nodiscard]] Embedding embed_points(const VoxelGrid& grid, std::span<const Vec3> points);

}  // namespace sinew
