// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/mesh_parts.h"

#include "core/disjoint_sets.h"

namespace sinew {
namespace {

/// Sets of what is used, numbered by their first members.
MeshParts numbered(DisjointSets& sets, const std::vector<bool>& is_used) {
  MeshParts parts;
  parts.of_vertex.assign(is_used.size(), -1);
  for (VertexIndex v = 0; v < is_used.size(); ++v) {
    if (!is_used[v]) continue;
    const VertexIndex leader = sets.find(v);  // the first of its part, so that it is met first
    if (leader == v) {
      parts.of_vertex[v] = static_cast<int>(parts.members.size());
      parts.members.emplace_back();
    }
    parts.of_vertex[v] = parts.of_vertex[leader];
    parts.members[static_cast<std::size_t>(parts.of_vertex[v])].push_back(v);
  }
  return parts;
}

}  // namespace

MeshParts find_mesh_parts(const Mesh& mesh) {
  DisjointSets sets(mesh.vertex_count());
  std::vector<bool> is_used(mesh.vertex_count(), false);
  const auto join_corners = [&](const auto& elements) {
    for (const auto& element : elements)
      for (const VertexIndex corner : element) {
        is_used[corner] = true;
        sets.join(element[0], corner);
      }
  };
  join_corners(mesh.triangles());
  join_corners(mesh.tetrahedra());
  join_corners(mesh.wires());
  return numbered(sets, is_used);
}

MeshParts find_graph_parts(const MeshGraph& graph) {
  DisjointSets sets(graph.vertex_count());
  std::vector<bool> is_used(graph.vertex_count(), false);
  for (std::size_t v = 0; v < graph.vertex_count(); ++v)
    for (const VertexIndex other : graph.neighbours_of(v)) {
      is_used[v] = is_used[other] = true;
      sets.join(v, other);
    }
  return numbered(sets, is_used);
}

}  // namespace sinew
