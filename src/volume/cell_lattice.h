// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "volume/oriented_surface.h"

namespace sinew {

/// A place of the lattice as one number. Numbers ascend along z, then y, then x.
using CellKey = std::uint64_t;

inline constexpr int kBitsPerAxis = 21;  // three of them fit a key
/// So many that a speck a thousand bodies away still leaves a body a thousand cells tall.
inline constexpr int kMostCellsPerAxis = (1 << 20) - 1;
static_assert(kMostCellsPerAxis < (1 << kBitsPerAxis) - 2);

[[nodiscard]] inline CellKey key_of(const std::array<int, 3>& place) {
  return ((static_cast<CellKey>(place[0]) << kBitsPerAxis | static_cast<CellKey>(place[1]))
          << kBitsPerAxis) |
         static_cast<CellKey>(place[2]);
}

[[nodiscard]] inline std::array<int, 3> place_of(CellKey key) {
  constexpr CellKey kMask = (CellKey{1} << kBitsPerAxis) - 1;
  return {static_cast<int>(key >> (2 * kBitsPerAxis)),
          static_cast<int>(key >> kBitsPerAxis & kMask), static_cast<int>(key & kMask)};
}

/// From a key to that of the next cell along an axis.
[[nodiscard]] inline CellKey step_along(int axis) {
  return CellKey{1} << (kBitsPerAxis * (2 - axis));
}

/// Cells of one size over all that is referred to, around the centre of the surface: an odd number
/// along each axis, so that a flat mesh lies in the middle of one layer and a mirrored mesh has the
/// mirrored cells.
struct CellLattice {
  double edge = 1;  // in units of the surface
  std::array<int, 3> count{1, 1, 1};

  [[nodiscard]] static CellLattice over(const OrientedSurface& surface, double edge) {
    CellLattice lattice{edge, {}};
    for (int axis = 0; axis < 3; ++axis) {
      const double beyond_half_a_cell = std::ceil(surface.reach[axis] / edge - 0.5);
      const double most = (kMostCellsPerAxis - 1) / 2;
      lattice.count[static_cast<std::size_t>(axis)] =
          2 * static_cast<int>(std::clamp(beyond_half_a_cell, 0.0, most)) + 1;
    }
    return lattice;
  }

  /// Whether no place is farther away than the lattice can count.
  [[nodiscard]] bool reaches_all(const OrientedSurface& surface) const {
    return ((Vec3(count[0], count[1], count[2]) * edge / 2 - surface.reach).array() >= -edge / 4)
        .all();
  }

  /// In units of cells, from the least corner of the first.
  [[nodiscard]] Vec3 in_cells(const Vec3& point) const {
    return point / edge + Vec3(count[0], count[1], count[2]) / 2;
  }
  [[nodiscard]] std::vector<Vec3> all_in_cells(const std::vector<Vec3>& points) const {
    std::vector<Vec3> result;
    result.reserve(points.size());
    for (const Vec3& point : points) result.push_back(in_cells(point));
    return result;
  }
  [[nodiscard]] Vec3 from_cells(const Vec3& in_cells) const {
    return (in_cells - Vec3(count[0], count[1], count[2]) / 2) * edge;
  }
  [[nodiscard]] Vec3 centre_of(CellKey key) const {
    const auto [x, y, z] = place_of(key);
    return from_cells(Vec3(x + 0.5, y + 0.5, z + 0.5));
  }
  /// Of a point in units of cells.
  [[nodiscard]] std::array<int, 3> place_at(const Vec3& in_cells) const {
    std::array<int, 3> place{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      place[axis] = static_cast<int>(std::clamp(std::floor(in_cells[static_cast<int>(axis)]), 0.0,
                                                static_cast<double>(count[axis] - 1)));
    return place;
  }
};

inline constexpr std::size_t kNoCell = static_cast<std::size_t>(-1);

/// Where a key stands among ascending ones, or kNoCell.
[[nodiscard]] inline std::size_t find_cell(std::span<const CellKey> ascending, CellKey key) {
  const auto found = std::lower_bound(ascending.begin(), ascending.end(), key);
  if (found == ascending.end() || *found != key) return kNoCell;
  return static_cast<std::size_t>(found - ascending.begin());
}

}  // namespace sinew
