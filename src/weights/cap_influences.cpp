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
    const auto kept = static_cast<std::size_t>(max_influences);
    if (strongest.size() <= kept) continue;
    const double dropped = strongest[kept].weight;
    const bool tied = !(strongest.front().weight > dropped);
    strongest.resize(kept);
    if (!tied)  // else nothing would be left
      for (Influence& influence : strongest) influence.weight -= dropped;
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
