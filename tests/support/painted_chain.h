// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/stored_weights.h"
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

}  // namespace sinew::test
