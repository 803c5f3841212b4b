// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/model/skin_weights.h"

namespace sinew::test {

/// 0 for a bone that the vertex does not know.
[[nodiscard]] inline double weight_of(const SkinWeights& weights, std::size_t vertex,
                                      std::uint32_t bone) {
  for (const Influence& influence : weights.row(vertex))
    if (influence.bone == bone) return influence.weight;
  return 0;
}

}  // namespace sinew::test
