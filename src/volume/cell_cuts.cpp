// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/cell_cuts.h"

#include <vector>

namespace sinew {

std::optional<Cut> cut_of(const Corners& corners, const Vec3& from, const Vec3& to,
                          std::size_t content) {
  const Vec3 way = to - from;
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double along = normal.dot(way);
  if (along == 0) return std::nullopt;
  const double share = normal.dot(corners[0] - from) / along;
  if (!(share > 0 && share < 1)) return std::nullopt;
  const Vec3 hit = from + share * way;
  for (std::size_t k = 0; k < 3; ++k)
    if (normal.dot((corners[(k + 1) % 3] - corners[k]).cross(hit - corners[k])) < 0)
      return std::nullopt;
  return Cut{share, along > 0 ? -1 : 1, content};
}

std::optional<Vec3> middle_in_box(const Corners& corners, const Vec3& low, const Vec3& high) {
  std::vector<Vec3> polygon(corners.begin(), corners.end());
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const double limit = side > 0 ? high[axis] : low[axis];
      const auto depth = [&](const Vec3& p) { return side * (limit - p[axis]); };  // inside: >= 0
      std::vector<Vec3> kept;
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3& a = polygon[i];
        const Vec3& b = polygon[(i + 1) % polygon.size()];
        if (depth(a) >= 0) kept.push_back(a);
        if ((depth(a) >= 0) != (depth(b) >= 0))
          kept.push_back(a + depth(a) / (depth(a) - depth(b)) * (b - a));
      }
      polygon = std::move(kept);
    }
  if (polygon.empty()) return std::nullopt;
  Vec3 sum = Vec3::Zero();
  for (const Vec3& corner : polygon) sum += corner;
  return sum / static_cast<double>(polygon.size());
}

}  // namespace sinew
