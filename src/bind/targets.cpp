// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/targets.h"

#include <algorithm>
#include <array>

namespace sinew {
namespace {

constexpr std::array kTargets{
    Target{"unreal", 8, WeightFormat::u8, 256, Target::OverLimit::warn},
    Target{"unity", 4, WeightFormat::u16, 0, Target::OverLimit::warn},
    Target{"godot", 4, WeightFormat::u16, 0, Target::OverLimit::warn},
    Target{"three", 4, WeightFormat::u16, 0, Target::OverLimit::warn},
    Target{"mobile", 4, WeightFormat::u8, 64, Target::OverLimit::split},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(kTargets.begin(), kTargets.end(),
                                  [&](const Target& target) { return target.name == name; });
  return found == kTargets.end() ? nullptr : &*found;
}

}  // namespace sinew
