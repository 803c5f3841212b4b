// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/sort_by_ends.h"

#include <utility>

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

struct Item {
  std::size_t first = 0;
  std::size_t second = 0;
  int number = 0;
  bool operator==(const Item&) const = default;
};

void sort(std::vector<Item>& items, std::size_t vertices) {
  sort_by_ends(
      items, vertices, [](const Item& item) { return item.first; },
      [](const Item& item) { return item.second; });
}

TEST(SortByEnds, IsAStableSortWhereverAVertexHasFewOrMany) {
  Random random(3);
  for (const std::size_t vertices : {1, 4, 300}) {  // 500, 125 and fewer than two of each
    std::vector<Item> items;
    const auto any = [&](std::size_t count) {
      return static_cast<std::size_t>(random.uniform(0, static_cast<double>(count)));
    };
    for (int n = 0; n < 500; ++n) items.push_back({any(vertices), any(9), n});
    std::vector<Item> expected = items;
    std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) {
      return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    sort(items, vertices);
    EXPECT_EQ(items, expected) << vertices;
  }
}

TEST(SortByEnds, NothingStaysNothing) {
  std::vector<Item> items;
  sort(items, 0);
  sort(items, 5);
  EXPECT_TRUE(items.empty());
}

}  // namespace
}  // namespace sinew
