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

  /// Hands over every edge of the cover: its ends, and what it adds to what the mesh conducts
  /// between them, a quarter of the sum of the cotangents opposite to it, since it is half an edge
  /// of the mesh. Never negative after flip_to_delaunay, but for rounding.
  template <class Use>
  void for_each_conductance(const Use& use) const {
    for (HalfEdge h = 0; h < from_.size(); ++h)
      if (h < twin_[h]) use(from_[h], from_[next_[h]], 0.25 * cotangent_sum(h));
  }

 private:
  using HalfEdge = std::uint32_t;

  void glue(const std::vector<Triangle>& triangles, const std::vector<Vec3>& positions);
  void stretch_lengths();
  /// Of the three corners of the triangle of a half-edge, by its lengths.
  void find_cotangents(HalfEdge h);
  [[nodiscard]] double cotangent_sum(HalfEdge h) const {
    return cotangent_[h] + cotangent_[twin_[h]];
  }
  [[nodiscard]] bool is_in_one_triangle(HalfEdge h) const {
    return twin_[h] == next_[h] || twin_[h] == next_[next_[h]];
  }
  void flip(HalfEdge h);

  std::vector<VertexIndex> from_;  // of every half-edge
  std::vector<HalfEdge> next_;     // around its triangle
  std::vector<HalfEdge> twin_;
  std::vector<double> length_;     // the same on both sides
  std::vector<double> cotangent_;  // opposite to every half-edge
};

}  // namespace sinew
