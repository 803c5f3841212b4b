// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/triangle.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

Vec3 random_point(Random& random) {
  return {2 * random.uniform() - 1, 2 * random.uniform() - 1, 2 * random.uniform() - 1};
}

TEST(Triangle, NoPointOfItIsCloserThanTheClosest) {
  Random random(1);
  for (int n = 0; n < 300; ++n) {
    const Vec3 a = random_point(random);
    const Vec3 b = random_point(random);
    const Vec3 c = n % 3 == 0 ? Vec3(a + random.uniform() * (b - a)) : random_point(random);
    const Vec3 p = 2 * random_point(random);
    const auto at = closest_on_triangle(p, a, b, c);
    EXPECT_NEAR(at[0] + at[1] + at[2], 1, 1e-12);
    EXPECT_GE(std::min({at[0], at[1], at[2]}), 0);
    const double found = (at[0] * a + at[1] * b + at[2] * c - p).norm();
    constexpr int kSteps = 40;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kSteps; ++i)
      for (int k = 0; i + k <= kSteps; ++k) {
        const double v = static_cast<double>(i) / kSteps;
        const double w = static_cast<double>(k) / kSteps;
        least = std::min(least, ((1 - v - w) * a + v * b + w * c - p).norm());
      }
    EXPECT_LE(found, least + 1e-9) << n;
  }
}

TEST(Triangle, APointOfItIsItsOwnClosest) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 2, 0);
  const auto at = closest_on_triangle(0.2 * a + 0.3 * b + 0.5 * c, a, b, c);
  EXPECT_NEAR(at[0], 0.2, 1e-12);
  EXPECT_NEAR(at[1], 0.3, 1e-12);
  EXPECT_NEAR(at[2], 0.5, 1e-12);
}

}  // namespace
}  // namespace sinew
