// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/optimise/weight_problem.h"

#include <algorithm>
#include <map>

namespace sinew {
namespace {

/// Ends of a link that carry less, beside the largest, are left out: they would cost fill and pull
/// at nothing.
constexpr double kLeastShareRel = 0.1;

}  // namespace

MeshGraph with_links(const MeshGraph& graph, std::span<const PartLink> links) {
  if (links.empty()) return graph;
  std::vector<std::map<VertexIndex, double>> added(graph.vertex_count());
  for (const PartLink& part : links)
    for (const VertexLink& link : part.links) {
      const std::span<const double> around = graph.edge_measures_of(link.vertex);
      double sum = 0;
      for (const double measure : around) sum += measure;
      if (!(sum > 0)) continue;
      const double wire = sum * std::min(0.5, 1 / static_cast<double>(around.size()));
      double largest = 0;
      for (const LinkEnd& end : link.ends) largest = std::max(largest, end.share);
      const double least = kLeastShareRel * largest;
      double kept = 0;
      for (const LinkEnd& end : link.ends)
        if (end.share >= least) kept += end.share;
      for (const LinkEnd& end : link.ends) {
        if (end.share < least || end.vertex == link.vertex) continue;
        added[link.vertex][end.vertex] += wire * end.share / kept;
        added[end.vertex].try_emplace(link.vertex, 0);
      }
    }
  MeshGraph result;
  result.vertex_measure = graph.vertex_measure;
  result.begin.push_back(0);
  for (std::size_t i = 0; i < graph.vertex_count(); ++i) {
    const std::span<const VertexIndex> neighbours = graph.neighbours_of(i);
    for (std::size_t n = 0; n < neighbours.size(); ++n)
      added[i][neighbours[n]] += graph.edge_measures_of(i)[n];
    for (const auto& [neighbour, measure] : added[i]) {
      result.neighbours.push_back(neighbour);
      result.edge_measure.push_back(measure);
    }
    result.begin.push_back(result.neighbours.size());
  }
  return result;
}

WeightProblem make_weight_problem(const PreparedMesh& prepared, InfluenceMaps maps,
                                  std::span<const SampledPose> exemplars) {
  WeightProblem problem;
  problem.positions = prepared.mesh.positions();
  problem.graph = prepared.graph;
  problem.maps = std::move(maps);
  for (const SampledPose& exemplar : exemplars) {
    std::vector<Affine3>& transforms = problem.exemplars.emplace_back();
    for (const Affine3& transform : exemplar.transforms)
      transforms.push_back(prepared.frame.motion_from_model(transform));
  }
  return problem;
}

}  // namespace sinew
