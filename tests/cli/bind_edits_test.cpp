// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <sstream>

#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliBindEdits : public ::testing::Test {
 protected:
  CliBindEdits() { write_tiny(folder_.path() / "tiny.glb", {.rows = 40}); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bind", "tiny.glb", "-o", "out.glb", "--poses", "0"});
    return run_sinew(folder_.path(), arguments);
  }
  TemporaryFolder folder_;
};

constexpr const char* kEdits = R"({"sinew_edits": 1, "edits": [
  {"edit": "set_weights", "bone": "Knee", "weight": 0.9, "where": {"vertices": [30, 31, 32, 33]},
   "after": 3}]})";

TEST_F(CliBindEdits, EditsAreInTheTableTheReportAndTheLog) {
  folder_.write("edits.json", kEdits);
  const Finished finished = run({"--edits", "edits.json", "--log", "energy.csv"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out,
                       "edits      set_weights of mixamorig:Knee on 4 vertices after 3 steps\n"))
      << finished.out;
  std::istringstream log(folder_.read("energy.csv"));
  std::string line;
  for (int row = 0; row <= 5 && std::getline(log, line); ++row)
    EXPECT_EQ(line.ends_with(",set_weights"), row == 5) << "the fourth step: " << line;
  const nlohmann::json report = run({"--edits", "edits.json", "--json"}).json();
  EXPECT_EQ(report["edits"], "edits.json");
  const nlohmann::json made = report["characters"][0]["solve"]["edits"];
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0]["edit"], "set_weights");
  EXPECT_EQ(made[0]["bones"][0], "mixamorig:Knee");
  EXPECT_EQ(made[0]["after"], 3);
  EXPECT_EQ(made[0]["vertices"], 4);
}

TEST_F(CliBindEdits, WrongFilesAreRefusedAndNothingIsWritten) {
  folder_.write("edits.json", R"({"sinew_edits": 1, "edits": [{"edit": "paint"}]})");
  const Finished wrong = run({"--edits", "edits.json"});
  EXPECT_EQ(wrong.exit_code, 3) << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "edits.json: edits[0].edit: is 'paint'")) << wrong.err;
  EXPECT_EQ(run({"--edits", "missing.json"}).exit_code, 3);
  folder_.write("edits.json", kEdits);
  const Finished heat = run({"--edits", "edits.json", "--method", "heat"});
  EXPECT_EQ(heat.exit_code, 2) << heat.err;
  EXPECT_TRUE(contains(heat.err, "--edits")) << heat.err;
  EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"edits.json", "tiny.glb"}));
}

}  // namespace
}  // namespace sinew::test
