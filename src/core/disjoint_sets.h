// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace sinew {

/// Sets that only ever grow together, of the numbers from 0 to count − 1. The smallest member of a
/// set leads it, so that who leads does not depend on the order in which sets were joined. Several
/// threads may work at once on numbers that never meet.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
  }

  /// The leader of the set that the number is in. Paths are halved on the way.
  [[nodiscard]] std::uint32_t find(std::size_t member) {
    auto at = static_cast<std::uint32_t>(member);
    while (above_[at] != at) at = above_[at] = above_[above_[at]];
    return at;
  }

  void join(std::size_t a, std::size_t b) {
    auto [low, high] = std::pair(find(a), find(b));
    if (low > high) std::swap(low, high);
    above_[high] = low;
  }

 private:
  std::vector<std::uint32_t> above_;  // a member of the same set, or itself
};

}  // namespace sinew
