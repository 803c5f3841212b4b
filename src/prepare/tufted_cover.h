// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// Two copies of every triangle, front and back, glued so that every edge has exactly two sides,
/// whatever the mesh is like: around an edge, each face's back is glued to the next face's front.
/// Known by its lengths alone. Follows [tufted] sections 3.1 to 3.3.
class TuftedCover {
 public:
  /// Triangles must have three different corners.
  TuftedCover(const std::vector<Triangle>& triangles, const std::vector<Vec3>& positions);

  /// Flips edges until every one is Delaunay.
  void flip_to_delaunay();

  struct Conductance {
    VertexIndex from = 0;
    VertexIndex to = 0;
    double value = 0;  // of the mesh, not of its double cover
  };
  /// Half the sum of the cotangents opposite to each edge. Never negative after flip_to_delaunay,
  /// but for rounding.
  [[nodiscard]] std::vector<Conductance> conductances() const;

 private:
  using HalfEdge = std::uint32_t;

  void glue(const std::vector<Triangle>& triangles, const std::vector<Vec3>& positions);
  void stretch_lengths();
  [[nodiscard]] double cotangent_opposite(HalfEdge h) const;
  [[nodiscard]] double cotangent_sum(HalfEdge h) const {
    return cotangent_opposite(h) + cotangent_opposite(twin_[h]);
  }
  [[nodiscard]] bool is_in_one_triangle(HalfEdge h) const {
    return twin_[h] == next_[h] || twin_[h] == next_[next_[h]];
  }
  void flip(HalfEdge h);

  std::vector<VertexIndex> from_;  // of every half-edge
  std::vector<HalfEdge> next_;     // around its triangle
  std::vector<HalfEdge> twin_;
  std::vector<double> length_;  // the same on both sides
};

}  // namespace sinew
