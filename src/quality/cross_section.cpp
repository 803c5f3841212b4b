// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality/cross_section.h"

#include <array>

namespace sinew {

double cross_section_area(std::span<const Vec3> rest, std::span<const Vec3> posed,
                          std::span<const Triangle> triangles, const SectionPlane& plane,
                          const std::vector<bool>& counts) {
  double twice_area = 0;
  for (const Triangle& triangle : triangles) {
    if (!counts[triangle[0]] || !counts[triangle[1]] || !counts[triangle[2]]) continue;
    // A corner in the plane counts as above it, so that no cut is met twice or not at all.
    std::array<double, 3> height;
    for (std::size_t c = 0; c < 3; ++c)
      height[c] = (rest[triangle[c]] - plane.point).dot(plane.normal);
    Vec3 leaves = Vec3::Zero();
    Vec3 enters = Vec3::Zero();
    int crossings = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t next = (c + 1) % 3;
      const bool is_above = height[c] >= 0;
      if (is_above == (height[next] >= 0)) continue;
      const double along = height[c] / (height[c] - height[next]);
      const Vec3 cut = (1 - along) * posed[triangle[c]] + along * posed[triangle[next]];
      (is_above ? leaves : enters) = cut - plane.point;
      ++crossings;
    }
    if (crossings == 2) twice_area += leaves.cross(enters).dot(plane.normal);
  }
  return twice_area / 2;
}

}  // namespace sinew
