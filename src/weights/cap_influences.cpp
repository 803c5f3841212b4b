// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/cap_influences.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sinew {
namespace {

/// Of the mean of the weights that are kept: with more, rounding shows where many bones tie; with
/// less, weights tear where two of them change places. Measured:
/// docs/decisions/capping.md.
constexpr double kMostTaken = 0.65;
/// Positions a hundred sizes away are rounded so that two sides of a mirror plane differ by less.
constexpr double kSameWeightRel = 3e-4;

/// Bones of one side meet anywhere, and are as rarely equal as any two numbers.
bool can_tie(std::uint32_t a, std::uint32_t b, std::span<const int> partners) {
  if (partners.empty() || partners[a] < 0 || partners[b] < 0) return true;
  return partners[a] == static_cast<int>(b);
}

/// Keeps the first of a sorted row, without those that tie with one that goes; all of them where
/// none would be left.
void drop_ties(std::vector<Influence>& row, std::size_t most, std::span<const int> partners) {
  const double dropped = row[most].weight;
  const auto weighs_as_much = [&](const Influence& each) {
    return std::abs(each.weight - dropped) <= kSameWeightRel * dropped;
  };
  std::vector<Influence> going;
  std::copy_if(row.begin() + static_cast<std::ptrdiff_t>(most), row.end(),
               std::back_inserter(going), weighs_as_much);
  row.resize(most);
  std::vector<Influence> left;
  std::copy_if(row.begin(), row.end(), std::back_inserter(left), [&](const Influence& each) {
    return !weighs_as_much(each) || std::ranges::none_of(going, [&](const Influence& other) {
      return can_tie(each.bone, other.bone, partners);
    });
  });
  if (!left.empty()) row = std::move(left);
}

}  // namespace

SkinWeights cap_influences(const SkinWeights& weights, int max_influences,
                           std::span<const int> partners) {
  assert(max_influences >= 1);
  assert(partners.empty() || partners.size() == weights.bone_count());
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::vector<Influence>& strongest = rows[v];
    strongest.assign(weights.row(v).begin(), weights.row(v).end());
    std::stable_sort(strongest.begin(), strongest.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    const auto most = static_cast<std::size_t>(max_influences);
    if (strongest.size() <= most) continue;
    const double dropped = strongest[most].weight;
    drop_ties(strongest, most, partners);
    const std::size_t kept = strongest.size();
    double sum = 0;
    for (const Influence& influence : strongest) sum += influence.weight;
    const double taken = std::min(dropped, kMostTaken * sum / static_cast<double>(kept));
    for (Influence& influence : strongest)
      influence.weight = std::max(0.0, influence.weight - taken);
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

std::size_t count_above_cap(const SkinWeights& weights, int max_influences) {
  std::size_t rows = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    if (weights.row(v).size() > static_cast<std::size_t>(max_influences)) ++rows;
  return rows;
}

}  // namespace sinew
