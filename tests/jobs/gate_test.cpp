// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/gate.h"

#include <limits>

#include <gtest/gtest.h>

#include "support/checked.h"

namespace sinew::test {
namespace {

TEST(Gate, ReadsEveryComparisonWithAndWithoutBlanks) {
  struct Case {
    std::string text;
    Comparison comparison;
  };
  for (const Case& each :
       {Case{"arap<0.5", Comparison::less}, Case{"arap <= 0.5", Comparison::less_or_equal},
        Case{"arap>0.5", Comparison::greater}, Case{" arap >=0.5 ", Comparison::greater_or_equal},
        Case{"arap=0.5", Comparison::equal}, Case{"arap == 0.5", Comparison::equal}}) {
    const Gate gate = checked(parse_gate(each.text));
    EXPECT_EQ(gate.figure, "arap") << each.text;
    EXPECT_EQ(gate.comparison, each.comparison) << each.text;
    EXPECT_EQ(gate.limit, 0.5) << each.text;
    EXPECT_EQ(gate.text, each.text);
  }
}

TEST(Gate, RefusesWhatIsNoDemand) {
  for (const char* const text : {"", "arap", "<1", "arap<", "arap<x", "arap<1 2", "arap<inf"})
    EXPECT_FALSE(parse_gate(text).ok()) << text;
}

TEST(Gate, HoldsEveryDemandAgainstEveryCharacter) {
  const std::vector<Gate> gates{checked(parse_gate("arap<1")), checked(parse_gate("clips<1"))};
  const std::vector<GatedCharacter> characters{
      {"a", {{"arap", 0.5}, {"clips", std::numeric_limits<double>::quiet_NaN()}}},
      {"b", {{"arap", 1}, {"clips", 0}}}};
  const std::vector<GateCheck> checks = check_gates(gates, characters);
  std::vector<bool> met;
  for (const GateCheck& check : checks) met.push_back(check.met);
  EXPECT_EQ(met, (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(unmet_words(*first_unmet(checks)), "arap<1 is not met: arap is 1");
  EXPECT_EQ(unmet_words(checks[2]), "clips<1 is not met: clips is unknown");
}

}  // namespace
}  // namespace sinew::test
