// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/mesh.h"

namespace sinew {

using ElementPoint = std::uint32_t;  // an index into Elements::points
/// Corner k of a cube stands at its least corner and one edge further along x where k & 1, along y
/// where k & 2, along z where k & 4.
using Hexahedron = std::array<ElementPoint, 8>;

/// An interior: points, and the cubes or tetrahedra between them. Neighbours are told by the points
/// that elements share and by nothing else: two cubes side by side that only touch share none.
/// There may be points that no element refers to.
struct Elements {
  std::vector<Vec3> points;
  std::vector<Hexahedron> hexahedra;    // along the axes, all of edge cell_size
  std::vector<Tetrahedron> tetrahedra;  // of positive volume
  double cell_size =
      0;  // of the cubes; where there are none, about what the edges of tetrahedra are

  /// Hexahedra first, then tetrahedra.
  [[nodiscard]] std::size_t size() const { return hexahedra.size() + tetrahedra.size(); }
  [[nodiscard]] std::span<const ElementPoint> corners_of(std::size_t element) const {
    if (element < hexahedra.size()) return hexahedra[element];
    return tetrahedra[element - hexahedra.size()];
  }
};

/// The tetrahedra that a mesh brings, as they are but for those of no volume, which are left out;
/// turned over where their volume is negative. Points are the mesh's vertices, all of them; the
/// cell size is the mean length of the edges. A mesh without tetrahedra gives no elements.
[[nodiscard]] Elements elements_of(const Mesh& mesh);

/// The connected piece that each element belongs to, through shared points; pieces are numbered in
/// the order of their first elements.
[[nodiscard]] std::vector<int> pieces_of(const Elements& elements);

/// Positive, in cubed units of the points.
[[nodiscard]] double volume_of(const Elements& elements, std::size_t element);

}  // namespace sinew
