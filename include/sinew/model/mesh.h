// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/math/types.h"

namespace sinew {

using VertexIndex = std::uint32_t;
using Edge = std::array<VertexIndex, 2>;
using Triangle = std::array<VertexIndex, 3>;
using Tetrahedron = std::array<VertexIndex, 4>;

struct MeshData {
  std::vector<Vec3> positions;  // model space
  std::vector<Triangle> triangles;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Edge>
      wires;  // loose edges: hair, whiskers, strings, and links between separate parts
};

/// A mesh that can be trusted: positions are finite and every index is in range. Nothing more is
/// promised: it may be open, non-manifold, disconnected or self-intersecting, have zero-area
/// triangles, repeated corners, and vertices that nothing refers to. Those are normal, and later
/// stages live with them.
class Mesh {
 public:
  Mesh() = default;

  /// Checks the data. The place of an error is "positions[i]", "triangles[i]", "tetrahedra[i]" or
  /// "wires[i]".
  [[nodiscard]] static Result<Mesh> create(MeshData data);

  [[nodiscard]] std::size_t vertex_count() const { return data_.positions.size(); }
  [[nodiscard]] const std::vector<Vec3>& positions() const { return data_.positions; }
  [[nodiscard]] const std::vector<Triangle>& triangles() const { return data_.triangles; }
  [[nodiscard]] const std::vector<Tetrahedron>& tetrahedra() const { return data_.tetrahedra; }
  [[nodiscard]] const std::vector<Edge>& wires() const { return data_.wires; }
  [[nodiscard]] const MeshData& data() const { return data_; }

 private:
  MeshData data_;
};

/// An axis-aligned box; empty when min > max.
using Box = Eigen::AlignedBox3d;
[[nodiscard]] Box bounding_box(std::span<const Vec3> points);

/// Cuts one polygon (corners in order, as indices into `positions`) into triangles and appends
/// them. Convex polygons fan; concave ones are cut ear by ear in the plane that fits them best, so
/// that a fold is not turned inside out. Always appends corners - 2 triangles, whatever the shape;
/// fewer than 3 corners, none.
void triangulate_polygon(std::span<const VertexIndex> corners, std::span<const Vec3> positions,
                         std::vector<Triangle>& triangles);

/// The surface of a mesh: what bounds its tetrahedra, and every triangle that is not a face of one.
/// Triangles whose corners all belong to tetrahedra only restate the boundary.
[[nodiscard]] std::vector<Triangle> surface_triangles(const Mesh& mesh);
/// Of those, the triangles that no tetrahedron covers; all of them in a mesh without tetrahedra.
[[nodiscard]] std::vector<Triangle> free_triangles(const Mesh& mesh);

/// The triangles that bound the tetrahedra: faces that belong to exactly one, turned outward for
/// positively oriented tetrahedra. In the order of the tetrahedra.
[[nodiscard]] std::vector<Triangle> boundary_triangles(std::span<const Tetrahedron> tetrahedra);

/// The same vertices with faces alone: the triangles, or where there are none the boundary of the
/// tetrahedra.
[[nodiscard]] Mesh surface_of(const Mesh& mesh);

}  // namespace sinew
