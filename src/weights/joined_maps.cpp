// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/joined_maps.h"

namespace sinew {

InfluenceMaps joined(std::span<const InfluenceMaps> chunks, std::size_t bone_count) {
  InfluenceMaps all;
  all.bone_count = bone_count;
  for (const InfluenceMaps& chunk : chunks) {
    const std::size_t before = all.bones.size();
    for (std::size_t r = 1; r < chunk.begin.size(); ++r)
      all.begin.push_back(before + chunk.begin[r]);
    all.bones.insert(all.bones.end(), chunk.bones.begin(), chunk.bones.end());
    all.weights.insert(all.weights.end(), chunk.weights.begin(), chunk.weights.end());
  }
  return all;
}

}  // namespace sinew
