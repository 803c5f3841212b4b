// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/bind/targets.h"
#include "support/binding.h"

namespace sinew::test {
namespace {

TEST(Budgets, EachIsWhatABindUnderItAloneGives) {
  const Character hand = example("hand", 2'000);
  for (const BindMethod method : kBindMethods) {
    BindOptions options = by(method);
    options.max_influences = 2;
    options.further_budgets = {8, 4};
    const Bound together = bound(hand, options);
    ASSERT_EQ(together.further.size(), 2u);
    ASSERT_EQ(together.report.budgets.size(), 3u);
    options.further_budgets.clear();
    for (const int budget : {2, 8, 4}) {
      options.max_influences = budget;
      const Bound alone = bound(hand, options);
      const std::size_t at = budget == 2 ? 0 : budget == 8 ? 1 : 2;
      const SkinWeights& weights = at == 0 ? together.weights : together.further[at - 1];
      EXPECT_EQ(weights, alone.weights) << to_string(method) << " within " << budget;
      EXPECT_LE(weights.max_influences(), static_cast<std::size_t>(budget));
      EXPECT_EQ(together.report.budgets[at].max_influences, budget);
      EXPECT_EQ(together.report.budgets[at].arap_finished, alone.report.budgets[0].arap_finished);
    }
  }
}

TEST(Budgets, MoreInfluencesCostLess) {
  BindOptions options;
  options.max_influences = 1;
  options.further_budgets = {2, 4, 8};
  const Bound hand = bound(example("hand", 2'000), options);
  for (std::size_t b = 1; b < hand.report.budgets.size(); ++b)
    EXPECT_LE(*hand.report.budgets[b].arap_finished,
              1.001 * *hand.report.budgets[b - 1].arap_finished)
        << hand.report.budgets[b].max_influences;
}

TEST(Budgets, FurtherBudgetOfNothingIsRefused) {
  BindOptions options;
  options.further_budgets = {4, 0};
  const auto refused = bind(example("tentacle", 2'000), options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place, "max_influences");
}

TEST(Budgets, RoundingIsReportedForEach) {
  BindOptions options = by(BindMethod::heat);
  options.further_budgets = {2};
  options.format = WeightFormat::u16;
  const Bound tentacle = bound(example("tentacle", 2'000), options);
  for (const BudgetReport& budget : tentacle.report.budgets) {
    ASSERT_TRUE(budget.rounding);
    EXPECT_GT(budget.rounding->arap_before, 0);
    EXPECT_NEAR(budget.rounding->arap_after, budget.rounding->arap_before,
                1e-4 * budget.rounding->arap_before);
    EXPECT_LE(budget.rounding->arap_after, budget.rounding->arap_nearest);
  }
}

TEST(Targets, AreFoundByNameAndMakeSense) {
  for (const char* name : {"unreal", "unity", "godot", "three", "mobile"}) {
    const Target* const target = find_target(name);
    ASSERT_NE(target, nullptr) << name;
    EXPECT_EQ(target->name, name);
    EXPECT_TRUE(target->max_influences == 4 || target->max_influences == 8);
    // Else one triangle could use more joints than a primitive may.
    EXPECT_TRUE(target->joints_per_primitive == 0 ||
                target->joints_per_primitive >= 3 * target->max_influences);
  }
  EXPECT_EQ(find_target("gameboy"), nullptr);
  EXPECT_EQ(targets().size(), 5u);
}

}  // namespace
}  // namespace sinew::test
