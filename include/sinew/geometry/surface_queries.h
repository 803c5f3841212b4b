// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/geometry/mesh_parts.h"
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
  SurfaceQueries(const Mesh& mesh, const MeshParts& parts);  // which are those of the mesh
  ~SurfaceQueries();
  SurfaceQueries(SurfaceQueries&&) noexcept;
  SurfaceQueries& operator=(SurfaceQueries&&) noexcept;

  [[nodiscard]] const std::vector<Triangle>& triangles() const;

  /// How well a vertex sees a point: 0 when a triangle that is not at the vertex lies between, 1
  /// when none does or the point lies in the surface. A line of sight that grazes a bulge, or the
  /// rim of an open sheet, is lost by degrees, up to a depth of two thousandths, so that rounding
  /// does not decide. Turning every triangle over changes nothing.
  [[nodiscard]] double visibility(VertexIndex vertex, const Vec3& point) const;

  /// The closest point of the triangles that `counts` accepts, no farther than `radius`; nothing
  /// when there is none. The first triangle of equals.
  [[nodiscard]] std::optional<SurfacePoint> closest_point(
      const Vec3& point, double radius,
      const std::function<bool(std::size_t triangle)>& counts) const;
  /// Of every triangle that `counts` accepts and that is no farther than `radius`, its closest
  /// point; in the order of triangles.
  [[nodiscard]] std::vector<SurfacePoint> points_within(
      const Vec3& point, double radius,
      const std::function<bool(std::size_t triangle)>& counts) const;

 private:
  struct State;
  struct Search;
  struct Sight;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
