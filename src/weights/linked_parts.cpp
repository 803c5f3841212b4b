// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/linked_parts.h"

#include <algorithm>
#include <map>

#include "weights/part_system.h"

namespace sinew {
namespace {

using Rows = std::vector<std::vector<Influence>>;  // one per vertex

/// The weights at the far end of a link.
std::map<std::uint32_t, double> weights_at(const VertexLink& link, const Rows& rows) {
  std::map<std::uint32_t, double> weights;
  for (const auto& [vertex, share] : link.ends)
    for (const Influence& influence : rows[vertex])
      weights[influence.bone] += share * influence.weight;
  return weights;
}

/// How far apart two points of a part may be and still get about the same weights.
double evening_length(const PreparedMesh& prepared, const PartLink& link, double least) {
  if (!link.is_small) return least;
  Box box;
  for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
    box.extend(prepared.mesh.positions()[v]);
  return std::max(least, box.diagonal().norm());
}

/// What the links bring: they are to a part what bones are to a body.
std::vector<WeightSource> link_sources(const PreparedMesh& prepared, const PartLink& link,
                                       const LinkedPartOptions& options, const Rows& rows) {
  const double least = evening_length(prepared, link, options.least_gap_rel);
  std::vector<WeightSource> sources;
  for (const VertexLink& vertex_link : link.links) {
    const double distance = std::clamp(vertex_link.distance, least, options.most_gap_rel);
    WeightSource source{vertex_link.vertex,
                        vertex_link.hold * prepared.graph.vertex_measure[vertex_link.vertex] /
                            (distance * distance),
                        {}};
    for (const auto& [bone, weight] : weights_at(vertex_link, rows))
      source.weights.push_back({bone, weight});
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

SkinWeights weights_for_linked_parts(const PreparedMesh& prepared, std::span<const PartLink> links,
                                     const SkinWeights& weights, const LinkedPartOptions& options) {
  if (links.empty()) return weights;
  Rows rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    rows[v].assign(weights.row(v).begin(), weights.row(v).end());
  for (const PartLink& link : links) {
    const std::vector<VertexIndex>& members =
        prepared.parts.members[static_cast<std::size_t>(link.part)];
    for (const VertexIndex v : members) rows[v].clear();
    const std::vector<WeightSource> sources = link_sources(prepared, link, options, rows);
    const Status status = solve_part(prepared, link.part, sources, options.least_weight, {}, rows);
    for (const VertexIndex v : members)  // what no digit of it has reached: as the first link
      if (!status.ok() || rows[v].empty()) rows[v] = sources.front().weights;
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
