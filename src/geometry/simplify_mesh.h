// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// A mesh of some of the vertices of another one.
struct SimplifiedMesh {
  Mesh mesh;                      // triangles alone
  std::vector<VertexIndex> kept;  // of each vertex, which one it was; ascending
};

/// One vertex for each cluster, the one nearest to its middle, and a triangle wherever three
/// clusters meet in one. Clusters that are round and of one size give triangles that are, whatever
/// those of the mesh are like, so that energies on them are those of the mesh; collapsing edges by
/// the shape alone leaves long ones, which bend too easily. `cluster` has one index per vertex,
/// without gaps.
[[nodiscard]] SimplifiedMesh simplify_mesh(const Mesh& mesh, const std::vector<int>& cluster);

}  // namespace sinew
