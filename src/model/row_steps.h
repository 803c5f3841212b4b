// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/skin_weights.h"

namespace sinew {

/// What may become of a row of weights that are stored in whole steps.

/// A row's choices: every weight is `low` steps or, if it may rise, one more.
struct RowChoice {
  std::vector<std::uint32_t> low;
  std::vector<double> remainder;  // steps above low; 0 for a weight that lies on a step
  std::uint32_t to_give = 0;      // how many rise
};

/// The choices of a row whose weights sum to one.
[[nodiscard]] RowChoice choices_of(std::span<const Influence> row, std::uint32_t steps);

}  // namespace sinew
