// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/geometry/mesh_graph.h"
#include "sinew/model/mesh.h"

namespace sinew {

/// The connected parts of a mesh, through triangles, tetrahedra and wires: a body, an eye, a
/// button. A vertex that nothing refers to belongs to no part.
struct MeshParts {
  std::vector<int> of_vertex;                     // index of its part; -1 for none
  std::vector<std::vector<VertexIndex>> members;  // ascending; parts in the order of their first

  [[nodiscard]] std::size_t count() const { return members.size(); }
};

[[nodiscard]] MeshParts find_mesh_parts(const Mesh& mesh);

/// The connected parts of a graph; a vertex without neighbours belongs to none.
[[nodiscard]] MeshParts find_graph_parts(const MeshGraph& graph);

}  // namespace sinew
