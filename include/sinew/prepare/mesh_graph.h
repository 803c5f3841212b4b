// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

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

[[nodiscard]] MeshGraph make_mesh_graph(const Mesh& mesh);

}  // namespace sinew
