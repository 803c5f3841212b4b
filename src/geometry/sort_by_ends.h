// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sinew {

/// Sorts what has two ends by the first and then by the second; equal ones stay in their order.
/// `first` is below `vertices`. Cost: O(items) where no vertex has very many, since each has a
/// place to be put to before anything is compared.
template <class Item, class First, class Second>
void sort_by_ends(std::vector<Item>& items, std::size_t vertices, const First& first,
                  const Second& second) {
  constexpr std::ptrdiff_t kFew = 32;  // as a vertex has: moved one by one
  std::vector<std::size_t> end(vertices + 1, 0);
  for (const Item& item : items) ++end[first(item) + 1];
  for (std::size_t v = 0; v < vertices; ++v) end[v + 1] += end[v];
  std::vector<Item> placed(items.size());
  for (const Item& item : items) placed[end[first(item)]++] = item;
  const auto comes_before = [&](const Item& a, const Item& b) { return second(a) < second(b); };
  std::size_t begin = 0;
  for (std::size_t v = 0; v < vertices; begin = end[v], ++v) {
    const auto from = placed.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = placed.begin() + static_cast<std::ptrdiff_t>(end[v]);
    if (to - from > kFew) {
      std::stable_sort(from, to, comes_before);
      continue;
    }
    for (auto next = from; next != to; ++next)
      std::rotate(std::upper_bound(from, next, *next, comes_before), next, next + 1);
  }
  items.swap(placed);
}

}  // namespace sinew
