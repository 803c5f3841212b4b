// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/folds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

/// An angle that grows by this is a fold: bent skin turns over several edges.
constexpr double kFoldDeg = 60;
/// Square root of the least area that has a normal, model units.
constexpr double kNoNormal = 1e-18;

Vec3 unit_normal(const Triangle& triangle, std::span<const Vec3> at) {
  const Vec3 across = (at[triangle[1]] - at[triangle[0]]).cross(at[triangle[2]] - at[triangle[0]]);
  return across / std::max(across.norm(), kNoNormal);
}

double angle_between(const Triangle& a, const Triangle& b, std::span<const Vec3> at) {
  return std::acos(std::clamp(unit_normal(a, at).dot(unit_normal(b, at)), -1.0, 1.0));
}

/// A side of a triangle, by its ends in order.
struct Side {
  std::array<VertexIndex, 2> ends;
  std::size_t triangle = 0;
};

}  // namespace

std::vector<FoldEdge> fold_edges_near(const SkinSurface& surface, const Vec3& place, double reach) {
  const std::vector<Vec3>& at = surface.positions();
  const std::vector<Triangle>& triangles = surface.welded.mesh.triangles();
  const auto is_near = [&](VertexIndex v) { return (at[v] - place).norm() < reach; };
  std::vector<Side> sides;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c) {
      const VertexIndex a = triangles[t][c];
      const VertexIndex b = triangles[t][(c + 1) % 3];
      if (is_near(a) && is_near(b)) sides.push_back({{std::min(a, b), std::max(a, b)}, t});
    }
  std::ranges::sort(sides, [](const Side& a, const Side& b) {
    return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
  });
  std::vector<FoldEdge> edges;
  for (std::size_t s = 0; s < sides.size();) {
    std::size_t end = s + 1;
    while (end < sides.size() && sides[end].ends == sides[s].ends) ++end;
    if (end - s == 2) {
      const auto [a, b] = sides[s].ends;
      const std::size_t one = sides[s].triangle;
      const std::size_t other = sides[s + 1].triangle;
      edges.push_back({a, b, one, other, (at[a] - at[b]).norm(),
                       angle_between(triangles[one], triangles[other], at)});
    }
    s = end;
  }
  return edges;
}

double folded_percent(const SkinSurface& surface, std::span<const FoldEdge> edges,
                      std::span<const Vec3> deformed, std::vector<bool>& vertices) {
  const std::vector<Triangle>& triangles = surface.welded.mesh.triangles();
  constexpr double kFold = kFoldDeg * std::numbers::pi / 180;
  double length = 0;
  double folded = 0;
  for (const FoldEdge& edge : edges) {
    length += edge.length;
    const double angle =
        angle_between(triangles[edge.triangle], triangles[edge.other_triangle], deformed);
    if (angle - edge.angle_rad <= kFold) continue;
    folded += edge.length;
    vertices[edge.from] = vertices[edge.to] = true;
  }
  return length > 0 ? 100 * folded / length : 0;
}

}  // namespace sinew
