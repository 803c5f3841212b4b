// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/triangle.h"

#include <algorithm>

#include "math/segment.h"

namespace sinew {

std::array<double, 3> closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b,
                                          const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 normal = ab.cross(ac);
  const double squared_area = normal.squaredNorm();
  if (squared_area > 0) {
    const double v = (p - a).cross(ac).dot(normal) / squared_area;
    const double w = ab.cross(p - a).dot(normal) / squared_area;
    if (v >= 0 && w >= 0 && v + w <= 1) return {1 - v - w, v, w};
  }
  // Outside: the closest point is on an edge.
  const double on_ab = closest_on_segment(p, a, b);
  const double on_bc = closest_on_segment(p, b, c);
  const double on_ca = closest_on_segment(p, c, a);
  const std::array<std::array<double, 3>, 3> candidates{
      {{1 - on_ab, on_ab, 0}, {0, 1 - on_bc, on_bc}, {on_ca, 0, 1 - on_ca}}};
  std::array<double, 3> squared_distances;
  for (std::size_t n = 0; n < 3; ++n) {
    const auto& at = candidates[n];
    squared_distances[n] = (at[0] * a + at[1] * b + at[2] * c - p).squaredNorm();
  }
  return candidates[static_cast<std::size_t>(
      std::min_element(squared_distances.begin(), squared_distances.end()) -
      squared_distances.begin())];
}

}  // namespace sinew
