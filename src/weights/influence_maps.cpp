// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/influence_maps.h"

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

}  // namespace sinew
