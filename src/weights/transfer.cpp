// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/transfer.h"

#include <cassert>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kAnywhere = 1e6;  // units: no level of detail lies so far from another
/// Of a corner's share: queries compute in floats. Coarse levels often keep vertices of the fine
/// one, and are to keep their weights, too.
constexpr double kNoShare = 1e-5;

}  // namespace

std::vector<SurfacePoint> closest_points(const SurfaceQueries& surface,
                                         std::span<const Vec3> points) {
  assert(!surface.triangles().empty());
  std::vector<SurfacePoint> closest(points.size());
  parallel_for(points.size(), [&](std::size_t i) {
    const auto any = [](std::size_t) { return true; };
    if (const auto found = surface.closest_point(points[i], kAnywhere, any))
      closest[i] = *found;
    else  // a surface of triangles without area has no closest point: its first corner serves
      closest[i].barycentric = {1, 0, 0};
  });
  return closest;
}

SkinWeights weights_at(const SurfaceQueries& surface, const SkinWeights& weights,
                       std::span<const SurfacePoint> points) {
  std::vector<std::vector<Influence>> rows(points.size());
  parallel_for(points.size(), [&](std::size_t i) {
    const Triangle& triangle = surface.triangles()[points[i].triangle];
    for (std::size_t c = 0; c < 3; ++c)
      for (const auto& [bone, weight] : weights.row(triangle[c]))
        if (points[i].barycentric[c] > kNoShare)
          rows[i].push_back({bone, points[i].barycentric[c] * weight});
  });
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
