// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/sinew_process.h"

namespace sinew::test {
namespace {

class CliExample : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "example");
    return run_sinew(folder_.path(), arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(CliExample, ListNamesTheBiped) {
  const Finished finished = run({"--list"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_TRUE(contains(finished.out, "biped")) << finished.out;
  const nlohmann::json json = run({"--list", "--json"}).json();
  ASSERT_TRUE(json["characters"].is_array());
  EXPECT_GT(json["characters"].size(), 0u);
}

TEST_F(CliExample, WritesTheSameBytesForOneAndTwoThreads) {
  ASSERT_EQ(run({"hand", "-o", "one.glb", "--vertices", "2000", "--threads", "1"}).exit_code, 0);
  ASSERT_EQ(run({"hand", "-o", "two.glb", "--vertices", "2000", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(folder_.read("one.glb"), folder_.read("two.glb"));
  const Finished inspected = run_sinew(
      folder_.path(), {"inspect", "one.glb", "--require", "unweighted=0", "--require",
                       "vertices>=1900", "--require", "vertices<=2100", "--require", "joints>5"});
  EXPECT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"one.glb", "two.glb"}));
}

TEST_F(CliExample, MisspeltNameExitsWithTwoAndASuggestion) {
  const Finished finished = run({"bipd", "-o", "out.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "did you mean biped?")) << finished.err;
  EXPECT_TRUE(folder_.listing().empty());
}

}  // namespace
}  // namespace sinew::test
