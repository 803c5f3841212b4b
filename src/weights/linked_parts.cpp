// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/linked_parts.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "weights/part_system.h"

namespace sinew {
namespace {

using Rows = std::vector<std::vector<Influence>>;  // one per vertex

constexpr std::size_t kLinkGrain = 128;

/// Adds up weights of several vertices.
class Mixture {
 public:
  explicit Mixture(std::size_t bone_count) : sums_(bone_count, 0) {}

  /// The weights at the far end of a link, by bones that ascend.
  std::vector<Influence> weights_at(const VertexLink& link, const Rows& rows) {
    for (const auto& [vertex, share] : link.ends)
      for (const Influence& influence : rows[vertex]) {
        double& sum = sums_[influence.bone];
        if (sum == 0) met_.push_back(influence.bone);
        sum += share * influence.weight;
      }
    std::ranges::sort(met_);
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());  // where a product vanished
    std::vector<Influence> weights;
    weights.reserve(met_.size());
    for (const std::uint32_t bone : met_) weights.push_back({bone, std::exchange(sums_[bone], 0)});
    met_.clear();
    return weights;
  }

 private:
  std::vector<double> sums_;  // of each bone; zero where none was met
  std::vector<std::uint32_t> met_;
};

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
                                       const LinkedPartOptions& options, std::size_t bone_count,
                                       const Rows& rows) {
  const double least = evening_length(prepared, link, options.least_gap_rel);
  std::vector<WeightSource> sources(link.links.size());
  parallel_for_chunks(sources.size(), kLinkGrain, [&](ChunkRange range) {
    Mixture mixture(bone_count);
    for (std::size_t l = range.begin; l != range.end; ++l) {
      const VertexLink& vertex_link = link.links[l];
      const double distance = std::clamp(vertex_link.distance, least, options.most_gap_rel);
      sources[l] = {vertex_link.vertex,
                    vertex_link.hold * prepared.graph.vertex_measure[vertex_link.vertex] /
                        (distance * distance),
                    mixture.weights_at(vertex_link, rows)};
    }
  });
  return sources;
}

/// Links by how many hosts are below them: those of one level wait for no other of it.
std::vector<std::vector<const PartLink*>> levels_of(const MeshParts& parts,
                                                    std::span<const PartLink> links) {
  constexpr std::size_t kToCome = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> level_of_part(parts.count(), 0);
  for (const PartLink& link : links) level_of_part[static_cast<std::size_t>(link.part)] = kToCome;
  std::vector<std::vector<const PartLink*>> levels;
  for (const PartLink& link : links) {
    std::size_t level = 0;
    for (const VertexLink& vertex_link : link.links)
      for (const LinkEnd& end : vertex_link.ends)
        if (const int host = parts.of_vertex[end.vertex]; host >= 0) {
          assert(level_of_part[static_cast<std::size_t>(host)] != kToCome);
          level = std::max(level, level_of_part[static_cast<std::size_t>(host)]);
        }
    level_of_part[static_cast<std::size_t>(link.part)] = level + 1;
    if (level == levels.size()) levels.emplace_back();
    levels[level].push_back(&link);
  }
  return levels;
}

}  // namespace

SkinWeights weights_for_linked_parts(const PreparedMesh& prepared, std::span<const PartLink> links,
                                     const SkinWeights& weights, const LinkedPartOptions& options) {
  if (links.empty()) return weights;
  Rows rows(weights.vertex_count());
  parallel_for(rows.size(), [&](std::size_t v) {
    rows[v].assign(weights.row(v).begin(), weights.row(v).end());
  });
  for (const PartLink& link : links)
    for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
      rows[v].clear();
  const std::vector<int> places = places_in_parts(prepared.parts);
  for (const std::vector<const PartLink*>& level : levels_of(prepared.parts, links))
    parallel_for(
        level.size(),
        [&](std::size_t l) {
          const PartLink& link = *level[l];
          const std::vector<WeightSource> sources =
              link_sources(prepared, link, options, weights.bone_count(), rows);
          const Status status =
              solve_part(prepared, link.part, places, sources, options.least_weight, {}, rows);
          // What no digit of it has reached: as the first link.
          for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
            if (!status.ok() || rows[v].empty()) rows[v] = sources.front().weights;
        },
        1);
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
