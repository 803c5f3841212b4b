// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/segment.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

const Vec3 kHead(1, 0, 0), kTail(3, 0, 0);

TEST(Segment, PointBesideItIsNearestToItsFoot) {
  EXPECT_DOUBLE_EQ(closest_on_segment({1.5, 2, 0}, kHead, kTail), 0.25);
  EXPECT_DOUBLE_EQ(squared_distance_to_segment({1.5, 2, 0}, kHead, kTail), 4);
}

TEST(Segment, PointBeyondAnEndIsNearestToThatEnd) {
  EXPECT_EQ(closest_on_segment({-2, 4, 0}, kHead, kTail), 0);
  EXPECT_DOUBLE_EQ(squared_distance_to_segment({-2, 4, 0}, kHead, kTail), 25);
  EXPECT_EQ(closest_on_segment({6, 0, 4}, kHead, kTail), 1);
  EXPECT_DOUBLE_EQ(squared_distance_to_segment({6, 0, 4}, kHead, kTail), 25);
}

TEST(Segment, WithoutLengthIsItsHead) {
  EXPECT_EQ(closest_on_segment({1, 3, 4}, kHead, kHead), 0);
  EXPECT_DOUBLE_EQ(squared_distance_to_segment({1, 3, 4}, kHead, kHead), 25);
}

}  // namespace
}  // namespace sinew
