// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// Who is next to whom, and how much each vertex and edge counts in an as-rigid-as-possible energy.
///
/// Barycentric measures, always positive ([araplbs] section 5): a vertex has a third of the area of
/// its triangles, and every triangle gives a sixth of its area to each of its six directed edges
/// (tetrahedra: a quarter, a twelfth of the volume). Triangles that only
/// restate the boundary of tetrahedra give nothing. Faces without area get a small floor, so that
/// no vertex of a face has measure zero. Wires take a part of what the faces around their start
/// have, at most half
/// ([araplbs] section 6); they are directed, so that a_ik need not be a_ki.
struct MeshGraph {
  std::vector<std::size_t> begin;       // vertices + 1
  std::vector<VertexIndex> neighbours;  // of each vertex, ascending
  std::vector<double> edge_measure;     // a_ik = Λ_i λ_ik, beside neighbours
  std::vector<double> vertex_measure;   // Λ_i; 0 for a vertex that nothing refers to

  [[nodiscard]] std::size_t vertex_count() const { return vertex_measure.size(); }
  [[nodiscard]] std::span<const VertexIndex> neighbours_of(std::size_t vertex) const {
    return std::span(neighbours).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }
  [[nodiscard]] std::span<const double> edge_measures_of(std::size_t vertex) const {
    return std::span(edge_measure).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }
};

/// For each directed edge, the place of the one that leads back: every edge has one.
[[nodiscard]] std::vector<std::size_t> edges_back(const MeshGraph& graph);
/// The same of one edge, which starts at `vertex`.
[[nodiscard]] inline std::size_t edge_back(const MeshGraph& graph, std::size_t vertex,
                                           std::size_t edge) {
  const std::size_t other = graph.neighbours[edge];
  const std::span<const VertexIndex> theirs = graph.neighbours_of(other);
  return graph.begin[other] +
         static_cast<std::size_t>(std::lower_bound(theirs.begin(), theirs.end(), vertex) -
                                  theirs.begin());
}

[[nodiscard]] MeshGraph make_mesh_graph(const Mesh& mesh);

/// The graph with more wires, both ways, with the λ of [araplbs] section 6: where m of them start
/// at a vertex with n edges whose measures sum to s, each has s · min(1/2, m/n) / m. A vertex
/// without edges that count has nothing to give: there a wire counts as a mean edge. A wire along
/// an edge adds to it; wires from a vertex to itself, and copies of a wire, are left out.
[[nodiscard]] MeshGraph with_wires(const MeshGraph& graph, std::span<const Edge> wires);

}  // namespace sinew
