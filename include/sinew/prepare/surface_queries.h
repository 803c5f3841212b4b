// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "sinew/model/mesh.h"

namespace sinew {

/// A point of a surface, and where it is on its triangle.
struct SurfacePoint {
  std::size_t triangle = 0;  // index into SurfaceQueries::triangles
  Vec3 point = Vec3::Zero();
  std::array<double, 3> barycentric{};  // of the triangle's corners; sums to one
  double distance = 0;
};

/// Rays and closest points on a mesh, answered by Embree. The surface of a tetrahedral mesh is its
/// boundary. Embree computes in floats: give it a mesh of about unit size around the origin.
/// All queries may run in parallel.
class SurfaceQueries {
 public:
  explicit SurfaceQueries(const Mesh& mesh);
  ~SurfaceQueries();
  SurfaceQueries(SurfaceQueries&&) noexcept;
  SurfaceQueries& operator=(SurfaceQueries&&) noexcept;

  [[nodiscard]] const std::vector<Triangle>& triangles() const;

  /// Whether the segment from a vertex to a point meets no triangle but those at the vertex, its
  /// last thousandth (of a unit) before the point left out. From which side a triangle is met does
  /// not matter.
  [[nodiscard]] bool is_visible(VertexIndex vertex, const Vec3& point) const;

  /// The closest point of the triangles that `counts` accepts, no farther than `radius`; nothing
  /// when there is none. The first triangle of equals.
  [[nodiscard]] std::optional<SurfacePoint> closest_point(
      const Vec3& point, double radius,
      const std::function<bool(std::size_t triangle)>& counts) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
