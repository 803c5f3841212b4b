// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/cap_influences.h"

#include <algorithm>
#include <cassert>

namespace sinew {

SkinWeights cap_influences(const SkinWeights& weights, int max_influences) {
  assert(max_influences >= 1);
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::vector<Influence>& strongest = rows[v];
    strongest.assign(weights.row(v).begin(), weights.row(v).end());
    std::stable_sort(strongest.begin(), strongest.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    strongest.resize(std::min(strongest.size(), static_cast<std::size_t>(max_influences)));
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
