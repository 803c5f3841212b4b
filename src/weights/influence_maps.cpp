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
  InfluenceMaps widened;
  widened.bone_count = maps.bone_count;
  std::vector<std::pair<std::uint32_t, double>> row;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    row.clear();
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      row.emplace_back(maps.bones[b], maps.weights[b]);
    for (const VertexIndex k : graph.neighbours_of(i))
      for (std::size_t b = maps.begin[k]; b < maps.begin[k + 1]; ++b)
        if (maps.weights[b] > edge_weight && !maps.find(i, maps.bones[b]))
          row.emplace_back(maps.bones[b], 0);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const auto& [bone, weight] : row) {
      widened.bones.push_back(bone);
      widened.weights.push_back(weight);
    }
    widened.begin.push_back(widened.bones.size());
  }
  return widened;
}

}  // namespace sinew
