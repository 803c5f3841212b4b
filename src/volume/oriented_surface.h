// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// The surface of a mesh as grids see it: welded, around the middle of its main box, with half of
/// that box's longest side as the unit, and every shell turned one way. A shell is what triangles
/// make through edges that exactly two of them share.
struct OrientedSurface {
  Vec3 centre = Vec3::Zero();  // of the main box, in model space
  double unit = 1;             // in units of the model
  Vec3 reach = Vec3::Zero();   // from the centre, along each axis: of all that is referred to

  std::vector<VertexIndex> place_of_vertex;  // of every vertex of the mesh: an index into places
  std::vector<Vec3> places;

  std::vector<Triangle> triangles;  // of places, facing outward where there is an outside
  std::vector<bool> is_open;        // of each triangle: whether its shell has a rim
  std::vector<Edge> wires;
  std::vector<VertexIndex> loose;  // places that are in the mesh and on no triangle or wire
  std::vector<VertexIndex> inner;  // corners of tetrahedra alone

  std::size_t turned_triangles = 0;  // that faced otherwise than most of their shell, by area
  std::size_t turned_shells = 0;     // that were inside out

  [[nodiscard]] Vec3 from_model(const Vec3& point) const { return (point - centre) / unit; }
};

/// Nothing is thrown away: where a mesh has vertices alone they are all loose, and vertices that
/// nothing refers to have a place and are on no list.
[[nodiscard]] OrientedSurface orient_surface(const Mesh& mesh);

}  // namespace sinew
