// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "sinew/model/mesh.h"
#include "sinew/volume/elements.h"
#include "sinew/volume/embedding.h"

namespace sinew {

/// An interior of the tetrahedra that a mesh brings.
struct OwnTetrahedra {
  Elements elements;    // points are the vertices that a tetrahedron refers to, in their order
  Embedding embedding;  // of every vertex of the mesh
  std::size_t flat_tetrahedra = 0;   // of no volume, which are left out
  std::size_t outside_vertices = 0;  // that no tetrahedron refers to
};

/// The interior that a mesh brings along, as elements_of has it but without points that hold
/// nothing; nothing where a mesh brings no tetrahedron that has a volume. A vertex that one refers
/// to is a point of it; every other is embedded at the closest point of what bounds the tetrahedra.
/// The mesh is about of unit size. The same bits for any number of threads.
/// Cost: O(tetrahedra), and a question to the boundary for each vertex outside.
[[nodiscard]] std::optional<OwnTetrahedra> own_tetrahedra(const Mesh& mesh);

}  // namespace sinew
