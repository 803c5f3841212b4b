// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/encode_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

void strongest_first(std::vector<Influence>& row) {
  std::stable_sort(row.begin(), row.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
}

/// Floats whose sum is 1 as nearly as floats can: the strongest takes what rounding left over.
std::vector<float> round_to_floats(std::span<const Influence> strongest_first) {
  std::vector<float> rounded(strongest_first.size());
  double others = 0;
  for (std::size_t i = 1; i < rounded.size(); ++i) {
    rounded[i] = static_cast<float>(strongest_first[i].weight);
    others += rounded[i];
  }
  if (!rounded.empty()) rounded[0] = static_cast<float>(1 - others);
  return rounded;
}

}  // namespace

std::vector<EncodedSet> encode_weights(const SkinWeights& weights, std::size_t first,
                                       std::size_t count, int sets, WeightFormat format,
                                       std::span<const int> joint_of_bone) {
  const auto set_count = static_cast<std::size_t>(sets);
  std::vector<EncodedSet> encoded(set_count);
  for (EncodedSet& set : encoded) {
    set.joints.assign(4 * count, 0);
    if (format == WeightFormat::f32)
      set.floats.assign(4 * count, 0);
    else
      set.integers.assign(4 * count, 0);
  }
  std::vector<Influence> row;
  for (std::size_t v = 0; v < count; ++v) {
    const auto stored = weights.row(first + v);
    row.assign(stored.begin(), stored.end());
    assert(row.size() <= 4 * set_count);
    strongest_first(row);
    const auto put = [&](std::size_t slot,
                         std::uint32_t bone) -> std::pair<EncodedSet*, std::size_t> {
      EncodedSet& set = encoded[slot / 4];
      const std::size_t at = 4 * v + slot % 4;
      set.joints[at] = static_cast<std::uint32_t>(joint_of_bone[bone]);
      return {&set, at};
    };
    std::size_t slot = 0;
    if (format == WeightFormat::f32) {
      const std::vector<float> values = round_to_floats(row);
      for (std::size_t i = 0; i < row.size(); ++i) row[i].weight = values[i];
      strongest_first(row);  // what rounding left over may have made the first a hair smaller
      for (const Influence& influence : row) {
        if (!(influence.weight > 0)) continue;
        const auto [set, at] = put(slot++, influence.bone);
        set->floats[at] = static_cast<float>(influence.weight);
      }
    } else {
      const std::vector<std::uint32_t> values = apportion(row, steps_of(format));
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (values[i] == 0) continue;
        const auto [set, at] = put(slot++, row[i].bone);
        set->integers[at] = values[i];
      }
    }
  }
  return encoded;
}

}  // namespace sinew
