// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

/// Two bones whose flesh meets in an interior: two fingers, an arm and a hip.
struct BoneContact {
  int bone = -1, other = -1;   // bone <= other; the same one for skin that is folded
  std::size_t kept_apart = 0;  // places where each has a cell of its own
  std::size_t merged = 0;      // cells that hold skin of both, though one is far from the other
};

struct BoneContactOptions {
  /// In edges of a cell: what is farther apart, along the bones and over the surface, is no
  /// neighbour. Down one finger and up the next it is so far from little more than a cell above
  /// where they part.
  double far_cells = 2.5;
};

/// Where flesh of different bones meets in a grid, and whether its cells keep it apart.
/// Apart: several cells share a place. Each of them counts for the bone that is nearest to most of
/// the vertices in it, or without any to what fills it. Merged: one cell has vertices of two bones,
/// and from one to the other it is far: along the bones of `skeleton`, as they hang, by more than
/// the flesh between bones and skin explains, and over the surface; so clothes on skin, and skin at
/// a joint, are none. Vertices are what is looked at: of a mesh that is coarser than its cells
/// fewer are found. `nearest` is the bone of every vertex, as BoneCells has it; `bones` are in the
/// frame of the mesh. Most places and cells first, then by bones. Cost: O(vertices + cells).
[[nodiscard]] std::vector<BoneContact> find_bone_contacts(const VoxelGrid& grid,
                                                          const PreparedMesh& prepared,
                                                          const Skeleton& skeleton,
                                                          const BoneSegments& bones,
                                                          std::span<const int> nearest,
                                                          const BoneContactOptions& options = {});

}  // namespace sinew
