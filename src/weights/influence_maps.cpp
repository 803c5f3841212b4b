// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/influence_maps.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/parallel.h"
#include "weights/joined_maps.h"

namespace sinew {
namespace {

/// Of what a bone weighs on each of them: all told about as much as on the vertex itself.
constexpr double kOfNeighbours = 0.2;
constexpr std::size_t kGrain = 512;  // vertices per task
constexpr double kTiedRel = 1e-6;    // two sides of a mirror plane differ by less

/// What a bone weighs on a vertex and around it.
double weight_around(const InfluenceMaps& maps, const MeshGraph& graph, std::size_t vertex,
                     std::size_t place) {
  double sum = maps.weights[place];
  for (const VertexIndex k : graph.neighbours_of(vertex))
    if (const auto there = maps.find(k, maps.bones[place]))
      sum += kOfNeighbours * maps.weights[*there];
  return sum;
}

}  // namespace

InfluenceMaps influence_maps(const SkinWeights& weights) {
  InfluenceMaps maps;
  maps.bone_count = weights.bone_count();
  maps.begin.reserve(weights.vertex_count() + 1);
  maps.bones.reserve(weights.influence_count());
  maps.weights.reserve(weights.influence_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    for (const Influence& influence : weights.row(v)) {
      maps.bones.push_back(influence.bone);
      maps.weights.push_back(influence.weight);
    }
    maps.begin.push_back(maps.bones.size());
  }
  return maps;
}

InfluenceMaps with_fewer_bones(const InfluenceMaps& maps, const MeshGraph& graph,
                               std::span<const std::size_t> most_of,
                               std::span<const std::pair<std::uint32_t, std::uint32_t>> kept) {
  std::vector<unsigned char> stays(maps.bones.size(), 0);
  for (const auto& [vertex, bone] : kept)
    if (const auto place = maps.find(vertex, bone)) stays[*place] = 1;
  std::vector<InfluenceMaps> chunks(chunk_count(maps.vertex_count(), kGrain));
  parallel_for_chunks(maps.vertex_count(), kGrain, [&](ChunkRange range) {
    InfluenceMaps& chunk = chunks[range.begin / kGrain];
    std::vector<std::pair<double, std::size_t>> others;  // what a bone weighs, and its place
    for (std::size_t i = range.begin; i != range.end; ++i) {
      const std::size_t begin = maps.begin[i];
      const std::size_t end = maps.begin[i + 1];
      const std::size_t most = most_of[i];
      const bool fits = end - begin <= most;
      if (!fits) {
        const auto row = maps.weights_of(i);
        stays[begin + static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())] = 1;
        others.clear();
        for (std::size_t b = begin; b < end; ++b)
          if (stays[b] == 0) others.emplace_back(weight_around(maps, graph, i, b), b);
        std::ranges::sort(others, std::greater<>());
        const std::size_t dropped = std::min(end - begin - most, others.size());
        std::size_t room = others.size() - dropped;
        while (room > 0 && others[room - 1].first <= others[room].first * (1 + kTiedRel)) --room;
        for (std::size_t n = 0; n < room; ++n) stays[others[n].second] = 1;
      }
      double before = 0;
      double after = 0;
      for (std::size_t b = begin; b < end; ++b) {
        before += maps.weights[b];
        if (fits || stays[b] != 0) after += maps.weights[b];
      }
      for (std::size_t b = begin; b < end; ++b) {
        if (!fits && stays[b] == 0) continue;
        chunk.bones.push_back(maps.bones[b]);
        chunk.weights.push_back(fits || !(after > 0) ? maps.weights[b]
                                                     : maps.weights[b] * (before / after));
      }
      chunk.begin.push_back(chunk.bones.size());
    }
  });
  return joined(chunks, maps.bone_count);
}

InfluenceMaps widen_steep_edges(const InfluenceMaps& maps, const MeshGraph& graph,
                                double edge_weight) {
  using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // vertex, bone
  std::vector<Places> found(chunk_count(maps.vertex_count(), kGrain));
  parallel_for_chunks(maps.vertex_count(), kGrain, [&](ChunkRange range) {
    Places& here = found[range.begin / kGrain];
    for (std::size_t i = range.begin; i != range.end; ++i)
      for (const VertexIndex k : graph.neighbours_of(i))
        for (std::size_t b = maps.begin[k]; b < maps.begin[k + 1]; ++b)
          if (maps.weights[b] > edge_weight && !maps.find(i, maps.bones[b]))
            here.emplace_back(static_cast<std::uint32_t>(i), maps.bones[b]);
  });
  Places added;
  for (const Places& here : found) added.insert(added.end(), here.begin(), here.end());
  return with_more_bones(maps, added);
}

InfluenceMaps with_more_bones(const InfluenceMaps& maps,
                              std::span<const std::pair<std::uint32_t, std::uint32_t>> added) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> missing;
  for (const auto& [vertex, bone] : added)
    if (!maps.find(vertex, bone)) missing.emplace_back(vertex, bone);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  InfluenceMaps wider;
  wider.bone_count = maps.bone_count;
  wider.begin.reserve(maps.begin.size());
  wider.bones.reserve(maps.bones.size() + missing.size());
  wider.weights.reserve(maps.bones.size() + missing.size());
  auto next = missing.begin();
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto add_up_to = [&](std::uint32_t bone) {
      for (; next != missing.end() && next->first == i && next->second < bone; ++next) {
        wider.bones.push_back(next->second);
        wider.weights.push_back(0);
      }
    };
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
      add_up_to(maps.bones[b]);
      wider.bones.push_back(maps.bones[b]);
      wider.weights.push_back(maps.weights[b]);
    }
    add_up_to(static_cast<std::uint32_t>(maps.bone_count));
    wider.begin.push_back(wider.bones.size());
  }
  return wider;
}

}  // namespace sinew
