// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "characters/implicit_body.h"

namespace sinew::sculpt {

/// Positions and triangles of a closed surface; triangles turn counter-clockwise seen from outside.
struct Surface {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

/// A smooth, one-to-one, orientation-keeping map from lattice space to body space. Where it
/// shrinks, the lattice is finer in the body: hands and heads get more vertices than thighs.
struct Warp {
  std::function<Vec3(const Vec3&)> to_body;  // empty for the identity
  Box lattice_bounds;  // what of lattice space covers the body; empty for the body's own box
};

/// The zero set of a body by marching tetrahedra on a body-centred cubic lattice of the given
/// spacing (the side of a lattice cube, in lattice space). Guarantee: closed, 2-manifold and
/// oriented outward at any spacing, since tetrahedra know no ambiguous case; no two vertices of a
/// triangle coincide. Cost: O(lattice cubes near the surface).
[[nodiscard]] Surface polygonise(const FieldCache& field, const Warp& warp, double spacing);

}  // namespace sinew::sculpt
