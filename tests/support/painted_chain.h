// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew::test {

/// A chain of four bones, a to d, with weights by heat: not where the optimum is.
inline Character painted_chain() {
  Character chain = chain_character();
  chain.weights = bound(chain, by(BindMethod::heat)).weights;
  return chain;
}

/// Few poses: enough for weights to change.
inline BindOptions quick_bind() {
  BindOptions options;
  options.exemplars.count = 12;
  return options;
}

inline double weight_of(const SkinWeights& weights, std::size_t vertex, std::uint32_t bone) {
  for (const Influence& influence : weights.row(vertex))
    if (influence.bone == bone) return influence.weight;
  return 0;
}

}  // namespace sinew::test
