// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "volume/surface_cells.h"

namespace sinew {

/// Where a way between two points passes through a triangle.
struct Cut {
  double share = 0;  // of the way
  int step = 0;      // what the winding number grows by
  std::size_t content = 0;
};

[[nodiscard]] std::optional<Cut> cut_of(const Corners& corners, const Vec3& from, const Vec3& to,
                                        std::size_t content);

/// A point of a simplex within a box, about in the middle of what is there; nothing when they do
/// not meet.
[[nodiscard]] std::optional<Vec3> middle_in_box(const Corners& corners, const Vec3& low,
                                                const Vec3& high);

}  // namespace sinew
