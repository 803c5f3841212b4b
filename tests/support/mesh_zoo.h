// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::test {

/// A closed round tube along +Y from y = 0 to `height`, caps included, every face outward.
struct LimbOptions {
  int sides = 8;
  int rings = 9;
  double radius = 0.2;
  double height = 2;
};
[[nodiscard]] MeshData limb_data(const LimbOptions& options = {});

/// The same without caps, from y = 0.2 to 1.8 and twelve-sided: a coat over a limb, if it is wider.
[[nodiscard]] MeshData sleeve_data(double radius);

/// A ball of triangles: an eye, a button, a speck.
[[nodiscard]] MeshData ball_data(const Vec3& centre, double radius);

/// A flat grid of quads in the plane z = 0, over [0, width] × [0, height], cut along one diagonal.
[[nodiscard]] MeshData sheet_data(int columns, int rows, double width, double height);

/// A limb filled with tetrahedra.
[[nodiscard]] MeshData tetrahedral_data();

/// Puts the second mesh beside the first; nothing is joined.
[[nodiscard]] MeshData together(MeshData first, const MeshData& second);

[[nodiscard]] Mesh make_mesh(MeshData data);

/// On that mesh, a thigh from y = 0 and a shin from y = 1, without weights.
[[nodiscard]] Character limb_character(MeshData data);

struct ZooMesh {
  std::string name;  // letters only
  Mesh mesh;
};

/// One mesh of every kind that real files hold: closed, open, non-manifold, disconnected,
/// degenerate, tiny, huge, seamed, tetrahedral, with wires.
[[nodiscard]] std::vector<ZooMesh> mesh_zoo();

}  // namespace sinew::test
