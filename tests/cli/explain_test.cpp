// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "characters/characters.h"
#include "support/binding.h"
#include "support/detail_levels.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using nlohmann::json;

class CliExplain : public ::testing::Test {
 protected:
  CliExplain() { write_tiny(folder_.path() / "tiny.glb"); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bind", "--poses", "0"});
    return run_sinew(folder_.path(), arguments);
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }
  static json row_of(const json& character, const std::string& decision) {
    for (const json& row : character["plan"])
      if (row["decision"] == decision) return row;
    return {};
  }
  TemporaryFolder folder_;
};

TEST_F(CliExplain, PrintsThePlanBeforeAllElse) {
  const Finished finished = run({"tiny.glb", "-o", "out.glb", "--explain"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(finished.out.starts_with("plan       strategy       soft: ")) << finished.out;
  EXPECT_EQ(count(finished.out, "plan       "), 14u) << finished.out;
  EXPECT_LT(finished.out.rfind("plan       "), finished.out.find("tiny.glb   1 mesh"));
  EXPECT_TRUE(contains(finished.out, "plan       influences     4: as many as were asked for\n"))
      << finished.out;
}

TEST_F(CliExplain, WithoutItNothingIsPrintedAndTheReportHasThePlan) {
  const Finished finished = run({"tiny.glb", "-o", "out.glb"});
  EXPECT_FALSE(contains(finished.out, "plan")) << finished.out;
  const json report = run({"tiny.glb", "-o", "other.glb", "--json"}).json();
  const json& plan = report["characters"][0]["plan"];
  ASSERT_EQ(plan.size(), 14u);
  for (const json& row : plan)
    for (const char* field : {"decision", "value", "reason"})
      EXPECT_FALSE(row[field].get<std::string>().empty()) << row;
  EXPECT_EQ(plan[0]["decision"], "strategy");
  EXPECT_EQ(plan[0]["value"], "soft");
}

TEST_F(CliExplain, TellsThePlanOfEachCharacter) {
  write_document(folder_.path() / "crowd.glb", two_characters("first", "second"));
  const Finished finished = run({"crowd.glb", "-o", "out.glb", "--explain", "--method", "heat"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(count(finished.out, "plan of "), 2u) << finished.out;
  EXPECT_EQ(count(finished.out, "plan       strategy       heat: "), 2u) << finished.out;
}

TEST_F(CliExplain, SaysWhatFlagsAskFor) {
  const json report = run({"tiny.glb", "-o", "out.glb", "--json", "--max-influences", "2,3",
                           "--quantise", "u8", "--exemplars", "5", "--mirror", "off"})
                          .json();
  const json& character = report["characters"][0];
  EXPECT_EQ(row_of(character, "influences")["value"], "2, 3");
  EXPECT_EQ(row_of(character, "rounding")["value"], "to u8");
  EXPECT_EQ(row_of(character, "poses")["value"], "5 random");
  EXPECT_EQ(row_of(character, "sides")["reason"], "it was asked for");
}

TEST_F(CliExplain, IsASetting) {
  ASSERT_EQ(run({"tiny.glb", "-o", "a.glb", "--explain", "--save-settings", "s.json"}).exit_code,
            0);
  const Finished replayed = run({"tiny.glb", "-o", "b.glb", "--settings", "s.json"});
  EXPECT_TRUE(replayed.out.starts_with("plan ")) << replayed.out << replayed.err;
}

TEST_F(CliExplain, LevelsOfDetailAndFittedJointsHaveAPlanToo) {
  const std::vector<std::string> names{"Arm_LOD0", "Arm_LOD1"};
  write_document(
      folder_.path() / "levels.glb",
      checked(make_document(character_in_levels("tentacle", names, std::vector{3'000, 2'000}))));
  for (const std::string way : {"--lods=auto", "--fit-joints"}) {
    const Finished finished =
        run({"levels.glb", "-o", "out.glb", "--explain", "--exemplars", "8", way});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(count(finished.out, "plan       "), 14u) << way << finished.out;
  }
}

}  // namespace
}  // namespace sinew::test
