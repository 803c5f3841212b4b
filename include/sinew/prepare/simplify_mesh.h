// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/prepare/mesh_parts.h"

namespace sinew {

/// A mesh of some of the vertices of another one.
struct SimplifiedMesh {
  Mesh mesh;                      // triangles alone
  std::vector<VertexIndex> kept;  // of each vertex, which one it was; ascending
};

/// The triangles of a mesh with about so many vertices left, by collapsing the edges whose loss
/// changes the shape least. Every part keeps its share, and no fewer than make a shape of it; a
/// mesh that cannot be collapsed any further keeps more. Vertices without triangles are gone.
/// `parts` are those of the mesh.
[[nodiscard]] SimplifiedMesh simplify_mesh(const Mesh& mesh, const MeshParts& parts,
                                           std::size_t vertices);

}  // namespace sinew
