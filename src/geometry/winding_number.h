// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// Turns around a point that is inside: half way from the outside of a closed surface.
inline constexpr double kInsideTurns = 0.5;

/// How often a surface winds around points: 1 inside a closed one that faces outward, 0 outside,
/// between them where it is open. Triangles that are far away for their size are seen as one, so
/// that a point away from the surface costs about as much for a million triangles as for a
/// thousand; the answer is then right to about a hundredth. To build: O(n log n).
/// Follows G. Barill, N. Dickson, R. Schmidt, D. Levin and A. Jacobson, "Fast winding numbers for
/// soups and clouds", ACM Transactions on Graphics 37(4), 2018, with the first term of its series.
class WindingNumber {
 public:
  WindingNumber(std::span<const Vec3> positions, std::span<const Triangle> triangles);

  [[nodiscard]] double at(const Vec3& point) const;
  /// The same with every triangle by itself: right to rounding, in O(n).
  [[nodiscard]] double exactly_at(const Vec3& point) const;

 private:
  struct Face {
    Vec3 a, b, c;
  };
  struct Cluster {
    std::size_t begin = 0, end = 0;  // faces
    std::size_t second = 0;          // of its two halves; the first follows it. 0: not cut
    Vec3 centre = Vec3::Zero();
    Vec3 area = Vec3::Zero();  // sum of its faces' normals times their areas
    double radius = 0;         // around the centre, of all corners
  };

  void add_cluster(std::size_t begin, std::size_t end);
  [[nodiscard]] double solid_angle(std::size_t cluster, const Vec3& point) const;

  std::vector<Face> faces_;
  std::vector<Cluster> clusters_;  // the first is the whole
};

}  // namespace sinew
