// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/influence_maps.h"

#include <algorithm>
#include <utility>

namespace sinew {

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

InfluenceMaps widen_steep_edges(const InfluenceMaps& maps, const MeshGraph& graph,
                                double edge_weight) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (const VertexIndex k : graph.neighbours_of(i))
      for (std::size_t b = maps.begin[k]; b < maps.begin[k + 1]; ++b)
        if (maps.weights[b] > edge_weight && !maps.find(i, maps.bones[b]))
          added.emplace_back(static_cast<std::uint32_t>(i), maps.bones[b]);
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
