// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/cap_influences.h"

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

/// Of the mean of the weights that are kept: with more, rounding shows where many bones tie; with
/// less, weights tear where two of them change places. Measured: decision 10.
constexpr double kMostTaken = 0.65;
/// Positions a hundred sizes away are rounded so that two sides of a mirror plane differ by less.
constexpr double kSameWeightRel = 3e-4;

/// Bones of one side meet anywhere, and are as rarely equal as any two numbers.
bool can_tie(std::uint32_t a, std::uint32_t b, std::span<const int> partners) {
  if (partners.empty() || partners[a] < 0 || partners[b] < 0) return true;
  return partners[a] == static_cast<int>(b);
}

}  // namespace

SkinWeights cap_influences(const SkinWeights& weights, int max_influences,
                           std::span<const int> partners) {
  assert(max_influences >= 1);
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::vector<Influence>& strongest = rows[v];
    strongest.assign(weights.row(v).begin(), weights.row(v).end());
    std::stable_sort(strongest.begin(), strongest.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    auto kept = static_cast<std::size_t>(max_influences);
    if (strongest.size() <= kept) continue;
    const auto [dropped_bone, dropped] = strongest[kept];
    while (kept > 0 && strongest[kept - 1].weight <= dropped * (1 + kSameWeightRel) &&
           can_tie(strongest[kept - 1].bone, dropped_bone, partners))
      --kept;
    if (kept == 0) kept = static_cast<std::size_t>(max_influences);
    strongest.resize(kept);
    double sum = 0;
    for (const Influence& influence : strongest) sum += influence.weight;
    const double taken = std::min(dropped, kMostTaken * sum / static_cast<double>(kept));
    for (Influence& influence : strongest)
      influence.weight = std::max(0.0, influence.weight - taken);
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
