// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/random.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

TEST(Random, SameSeedSameNumbersAndOtherSeedOthers) {
  Random a(7), b(7), c(8);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = a.next();
    EXPECT_EQ(bits, b.next());
    EXPECT_NE(bits, c.next());
    EXPECT_TRUE(seen.insert(bits).second);
  }
}

TEST(Random, SeedZeroIsFilledBySplitMix) {
  // The first outputs of splitmix64 from 0, as its authors publish them, give the first number.
  const std::uint64_t first = 0xE220A8397B1DCDAFull, last = 0xF88BB8A8724C81ECull;
  EXPECT_EQ(Random(0).next(), std::rotl(first + last, 23) + first);
}

TEST(Random, UniformFillsItsRangeEvenly) {
  Random random(1);
  constexpr int kCount = 100000;
  double sum = 0, square = 0, least = 1, most = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.uniform();
    sum += x;
    square += x * x;
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(most, 1);
  EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(square / kCount, 1.0 / 3, 0.005);
  for (int i = 0; i < 100; ++i) {
    const double x = random.uniform(-3, 2);
    EXPECT_TRUE(x >= -3 && x < 2);
  }
}

TEST(Random, NormalHasMeanZeroVarianceOneAndNoSkew) {
  Random random(2);
  constexpr int kCount = 100000;
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 5 / std::sqrt(kCount));
  EXPECT_NEAR(square / kCount, 1, 0.03);
  EXPECT_NEAR(fourth / kCount, 3, 0.2);
}

}  // namespace
}  // namespace sinew::test
