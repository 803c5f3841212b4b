// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "sinew/model/weight_format.h"

namespace sinew {

/// What a program that shows characters reads of weights, and keeps of them, in its usual settings.
/// docs/targets.md has the reason for every number.
struct Target {
  std::string_view name;
  int max_influences = 4;
  WeightFormat format = WeightFormat::f32;
  int joints_per_primitive = 0;  // 0: no limit that a character meets
  enum class OverLimit {
    warn,   // the program cuts such a mesh itself, or can be told to
    split,  // it does not: primitives are cut for it
  };
  OverLimit over_limit = OverLimit::warn;
};

[[nodiscard]] std::span<const Target> targets();

/// The target of this name, or null.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace sinew
