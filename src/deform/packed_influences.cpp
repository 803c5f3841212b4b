// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/packed_influences.h"

#include <algorithm>
#include <limits>
#include <string>

namespace sinew {

Result<PackedInfluences> PackedInfluences::create(const SkinWeights& weights) {
  constexpr std::size_t kMaxBones = std::numeric_limits<std::uint16_t>::max();
  if (weights.bone_count() > kMaxBones)
    return Error{ErrorCode::too_large, "",
                 std::to_string(weights.bone_count()) + " bones; at most " +
                     std::to_string(kMaxBones) + " can be deformed at once"};

  PackedInfluences packed;
  packed.vertex_count_ = weights.vertex_count();
  packed.bone_count_ = weights.bone_count();
  const std::size_t blocks = (packed.vertex_count_ + kBlockSize - 1) / kBlockSize;
  packed.block_begin_.reserve(blocks + 1);

  std::vector<Influence> row;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * kBlockSize;
    const std::size_t last = std::min(first + kBlockSize, packed.vertex_count_);
    std::size_t slots = 1;
    for (std::size_t v = first; v < last; ++v) slots = std::max(slots, weights.row(v).size());

    for (std::size_t v = first; v < first + kBlockSize; ++v) {
      row.clear();
      if (v < last) row.assign(weights.row(v).begin(), weights.row(v).end());
      if (row.empty()) row.push_back({static_cast<std::uint32_t>(packed.rest_bone()), 1.0});
      std::stable_sort(row.begin(), row.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      // The strongest slot takes up what rounding the others to float leaves over.
      double others = 0;
      for (std::size_t s = 1; s < row.size(); ++s) others += static_cast<float>(row[s].weight);
      for (std::size_t s = 0; s < slots; ++s) {
        const bool used = s < row.size();
        packed.bones_.push_back(static_cast<std::uint16_t>(row[used ? s : 0].bone));
        packed.weights_.push_back(s == 0 ? static_cast<float>(1 - others)
                                  : used ? static_cast<float>(row[s].weight)
                                         : 0.0f);
      }
    }
    packed.block_begin_.push_back(packed.bones_.size());
  }
  packed.weights_.insert(packed.weights_.end(), 3, 0.0f);  // kernels load weights four at a time
  return packed;
}

}  // namespace sinew
