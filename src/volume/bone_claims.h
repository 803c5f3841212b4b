// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/volume/elements.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

/// A piece of a bone with its thickness; of one that has none, the radius is 0.
struct ThickSegment {
  int bone = -1;
  Vec3 head = Vec3::Zero();
  Vec3 tail = Vec3::Zero();
  double radius = 0;
};

/// An element that a segment passes through, or whose centre is within its radius.
struct BoneClaim {
  std::uint32_t element = 0;
  std::uint32_t segment = 0;
};

/// By element, then by segment. Cost: O(elements × segments), of which few are looked at where
/// elements in a row are neighbours.
[[nodiscard]] std::vector<BoneClaim> find_bone_claims(const Elements& elements,
                                                      std::span<const ThickSegment> segments);

/// Of the claims on cells that share a place, only those on the cell that holds what is nearest to
/// the segment there.
[[nodiscard]] std::vector<BoneClaim> claims_on_own_cells(const VoxelGrid& grid,
                                                         std::span<const ThickSegment> segments,
                                                         const std::vector<BoneClaim>& claims);

}  // namespace sinew
