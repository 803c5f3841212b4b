// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/core/result.h"

#include <atomic>
#include <memory>

#include <gtest/gtest.h>

#include "sinew/core/progress.h"

namespace sinew {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return Error{ErrorCode::bad_argument, "value", "is odd"};
  return value / 2;
}

Result<std::unique_ptr<int>> quarter(int value) {
  SINEW_TRY(const int once, half(value));
  SINEW_TRY(const int twice, half(once));
  return std::make_unique<int>(twice);
}

Status divisible_by_four(int value) {
  SINEW_CHECK(quarter(value));
  return {};
}

TEST(Result, TryHandsTheValueOnOrReturnsTheError) {
  EXPECT_EQ(*quarter(12).value(), 3);
  const auto odd = quarter(6);
  ASSERT_FALSE(odd.ok());
  EXPECT_EQ(odd.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(odd.error().to_string(), "value: is odd");
  EXPECT_TRUE(divisible_by_four(4).ok());
  EXPECT_FALSE(divisible_by_four(2).ok());
}

TEST(Result, AnErrorWithoutAPlaceIsItsSentence) {
  EXPECT_EQ((Error{ErrorCode::too_large, "", "larger than memory"}.to_string()),
            "larger than memory");
}

TEST(Progress, MayBeLeftOut) {
  EXPECT_TRUE(Progress{}.checkpoint("weld", 0.5).ok());
  EXPECT_FALSE(Progress{}.cancelled());
}

TEST(Progress, ReportsAndStopsWhenTheFlagIsSet) {
  std::atomic<bool> cancel = false;
  std::string last;
  const Progress progress([&](std::string_view stage, double) { last = stage; }, &cancel);
  EXPECT_TRUE(progress.checkpoint("weld", 0).ok());
  EXPECT_EQ(last, "weld");
  cancel = true;
  const Status stopped = progress.checkpoint("solve", 0.1);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sinew
