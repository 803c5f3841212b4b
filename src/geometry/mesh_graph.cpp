// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/mesh_graph.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/sort_by_ends.h"

namespace sinew {
namespace {

/// Measure of an element without any, relative to the mean: enough to keep a system regular, too
/// little to matter beside a real one.
constexpr double kFlatElementRel = 1e-6;

struct DirectedEdge {
  VertexIndex from = 0;
  VertexIndex to = 0;
  double measure = 0;
};

double measure_of(const Triangle& t, const std::vector<Vec3>& p) {
  return 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).norm();
}

double measure_of(const Tetrahedron& t, const std::vector<Vec3>& p) {
  const Vec3 a = p[t[1]] - p[t[0]];
  return std::abs(a.dot((p[t[2]] - p[t[0]]).cross(p[t[3]] - p[t[0]]))) / 6;
}

/// Shares out the measure of each element evenly among its corners and its directed edges.
template <class Element>
void add_elements(const std::vector<Element>& elements, const std::vector<Vec3>& positions,
                  std::vector<DirectedEdge>& edges, std::vector<double>& vertex_measure) {
  std::vector<double> measures;
  measures.reserve(elements.size());
  double total = 0;
  for (const Element& element : elements) {
    measures.push_back(measure_of(element, positions));
    total += measures.back();
  }
  constexpr std::size_t corners = std::tuple_size_v<Element>;
  constexpr auto directed_edges = static_cast<double>(corners * (corners - 1));
  const double mean = elements.empty() ? 0 : total / static_cast<double>(elements.size());
  const double floor = mean > 0 ? kFlatElementRel * mean : 1;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const double measure = std::max(measures[e], floor);
    for (const VertexIndex i : elements[e]) {
      vertex_measure[i] += measure / static_cast<double>(corners);
      for (const VertexIndex k : elements[e])
        if (i != k) edges.push_back({i, k, measure / directed_edges});
    }
  }
}

/// Sorted by ends, with the measures of equal edges added up in the order they came.
void merge(std::vector<DirectedEdge>& edges, std::size_t vertices) {
  sort_by_ends(
      edges, vertices, [](const DirectedEdge& edge) { return edge.from; },
      [](const DirectedEdge& edge) { return edge.to; });
  std::size_t kept = 0;
  for (const DirectedEdge& edge : edges) {
    if (kept > 0 && edges[kept - 1].from == edge.from && edges[kept - 1].to == edge.to)
      edges[kept - 1].measure += edge.measure;
    else
      edges[kept++] = edge;
  }
  edges.resize(kept);
}

/// What there is at each vertex before wires come to it.
struct Surroundings {
  std::vector<double> sum;         // of the measures of the edges that start there
  std::vector<std::size_t> count;  // of those that have any
  double mean_edge = 1;

  explicit Surroundings(std::size_t vertices) : sum(vertices, 0), count(vertices, 0) {}
};

/// The directed edges of wires, sorted, with the measures of [araplbs] section 6:
/// λ_ij = Σ_k λ_ik · min(1/2, |V'|/|V|) / |V'| over the |V| neighbours that were there and the |V'|
/// along wires, times Λ_i.
std::vector<DirectedEdge> measured_wires(std::span<const Edge> wires,
                                         const Surroundings& surroundings,
                                         std::vector<double>& vertex_measure) {
  std::vector<DirectedEdge> added;
  for (const auto& [a, b] : wires)
    if (a != b) added.insert(added.end(), {{a, b, 0}, {b, a, 0}});
  merge(added, vertex_measure.size());
  std::vector<std::size_t> wire_neighbours(vertex_measure.size(), 0);
  for (const DirectedEdge& edge : added) ++wire_neighbours[edge.from];
  for (DirectedEdge& edge : added) {
    const auto of_faces = static_cast<double>(surroundings.count[edge.from]);
    const auto of_wires = static_cast<double>(wire_neighbours[edge.from]);
    if (of_faces > 0) {
      edge.measure = surroundings.sum[edge.from] * std::min(0.5, of_wires / of_faces) / of_wires;
    } else {  // a strand without faces has nothing to take a part of
      edge.measure = surroundings.mean_edge;
      vertex_measure[edge.from] += surroundings.mean_edge;
    }
  }
  return added;
}

void add_wires(const std::vector<Edge>& wires, std::vector<DirectedEdge>& edges,
               std::vector<double>& vertex_measure) {
  Surroundings surroundings(vertex_measure.size());
  double total = 0;
  for (const DirectedEdge& edge : edges) {
    surroundings.sum[edge.from] += edge.measure;
    ++surroundings.count[edge.from];
    total += edge.measure;
  }
  if (!edges.empty()) surroundings.mean_edge = total / static_cast<double>(edges.size());
  const std::vector<DirectedEdge> added = measured_wires(wires, surroundings, vertex_measure);
  edges.insert(edges.end(), added.begin(), added.end());
  merge(edges, vertex_measure.size());
}

}  // namespace

std::vector<std::size_t> edges_back(const MeshGraph& graph) {
  std::vector<std::size_t> back(graph.neighbours.size());
  parallel_for(graph.vertex_count(), [&](std::size_t i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e)
      back[e] = edge_back(graph, i, e);
  });
  return back;
}

MeshGraph make_mesh_graph(const Mesh& mesh) {
  MeshGraph graph;
  graph.vertex_measure.assign(mesh.vertex_count(), 0);
  std::vector<DirectedEdge> edges;
  add_elements(mesh.tetrahedra(), mesh.positions(), edges, graph.vertex_measure);
  add_elements(free_triangles(mesh), mesh.positions(), edges, graph.vertex_measure);
  merge(edges, mesh.vertex_count());
  if (!mesh.wires().empty()) add_wires(mesh.wires(), edges, graph.vertex_measure);

  graph.begin.assign(mesh.vertex_count() + 1, 0);
  graph.neighbours.reserve(edges.size());
  graph.edge_measure.reserve(edges.size());
  for (const DirectedEdge& edge : edges) {
    ++graph.begin[edge.from + 1];
    graph.neighbours.push_back(edge.to);
    graph.edge_measure.push_back(edge.measure);
  }
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) graph.begin[i + 1] += graph.begin[i];
  return graph;
}

MeshGraph with_wires(const MeshGraph& graph, std::span<const Edge> wires) {
  Surroundings surroundings(graph.vertex_count());
  double total = 0;
  std::size_t counting = 0;
  for (std::size_t i = 0; i < graph.vertex_count(); ++i) {
    for (const double measure : graph.edge_measures_of(i)) {
      if (!(measure > 0)) continue;  // the way back along a link
      surroundings.sum[i] += measure;
      ++surroundings.count[i];
    }
    total += surroundings.sum[i];
    counting += surroundings.count[i];
  }
  if (counting > 0) surroundings.mean_edge = total / static_cast<double>(counting);
  MeshGraph result;
  result.vertex_measure = graph.vertex_measure;
  const std::vector<DirectedEdge> added =
      measured_wires(wires, surroundings, result.vertex_measure);
  result.begin.reserve(graph.begin.size());
  result.neighbours.reserve(graph.neighbours.size() + added.size());
  result.edge_measure.reserve(graph.neighbours.size() + added.size());
  const auto add = [&](VertexIndex to, double measure) {
    result.neighbours.push_back(to);
    result.edge_measure.push_back(measure);
  };
  result.begin.push_back(0);
  auto wire = added.begin();
  for (std::size_t i = 0; i < graph.vertex_count(); ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      while (wire != added.end() && wire->from == i && wire->to < graph.neighbours[e]) {
        add(wire->to, wire->measure);
        ++wire;
      }
      const bool is_along =
          wire != added.end() && wire->from == i && wire->to == graph.neighbours[e];
      add(graph.neighbours[e], graph.edge_measure[e] + (is_along ? wire->measure : 0));
      if (is_along) ++wire;
    }
    for (; wire != added.end() && wire->from == i; ++wire) add(wire->to, wire->measure);
    result.begin.push_back(result.neighbours.size());
  }
  return result;
}

}  // namespace sinew
