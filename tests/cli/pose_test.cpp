// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliPose : public ::testing::Test {
 protected:
  CliPose() { write_tiny(folder_.path() / "tiny.glb"); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"pose", "tiny.glb"});
    return run_sinew(folder_.path(), arguments);
  }
  /// Extents of the mesh along x and y.
  std::pair<double, double> size_of(const std::string& file) const {
    const nlohmann::json json =
        run_sinew(folder_.path(), {"inspect", file, "--json"}).json()["characters"][0]["size"];
    return {json[0].get<double>(), json[1].get<double>()};
  }
  TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CliPose, StandsStraightAtTheStartAndBentAtTheEnd) {
  ASSERT_EQ(run({"--animation", "Bend", "--time", "0", "-o", "start.glb"}).exit_code, 0);
  ASSERT_EQ(run({"--animation", "Bend", "--time", "1", "-o", "end.glb"}).exit_code, 0);
  const auto [start_width, start_height] = size_of("start.glb");
  EXPECT_NEAR(start_width, 0.2, 1e-6);
  EXPECT_NEAR(start_height, 1, 1e-6);
  // The top, half a metre above the knee, turns by 90 degrees to the left; the row below the knee
  // follows by half, a corner of it from x = 0.1 half the way to x = 0.5 - 1/3.
  const auto [end_width, end_height] = size_of("end.glb");
  EXPECT_NEAR(end_width, 0.5 + (0.1 + 0.5 - 1.0 / 3) / 2, 1e-6);
  EXPECT_NEAR(end_height, 0.5 + 0.1, 1e-6);
}

TEST_F(CliPose, JsonSaysWhatWasPosed) {
  const nlohmann::json json =
      run({"--animation", "0", "--time", "0.5", "--deformer", "dqs", "-o", "p.glb", "--json"})
          .json();
  EXPECT_EQ(json["ok"], true) << json.dump();
  EXPECT_EQ(json["animation"], "0");
  EXPECT_EQ(json["time_s"], 0.5);
  EXPECT_EQ(json["deformer"], "dqs");
  EXPECT_EQ(json["files"], nlohmann::json::parse(R"(["p.glb"])"));
}

TEST_F(CliPose, DeformersDifferWhereBonesShareAVertex) {
  ASSERT_EQ(run({"--animation", "Bend", "--time", "1", "-o", "lbs.glb"}).exit_code, 0);
  ASSERT_EQ(
      run({"--animation", "Bend", "--time", "1", "-o", "dqs.glb", "--deformer", "dqs"}).exit_code,
      0);
  EXPECT_NE(folder_.read("lbs.glb"), folder_.read("dqs.glb"));
}

TEST_F(CliPose, UnknownClipExitsWithTwoAndWritesNothing) {
  const Finished finished = run({"--animation", "Bent", "-o", "p.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(finished.err.starts_with("sinew: --animation: ")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "Bend")) << finished.err;
  EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
}

TEST_F(CliPose, TimeOutsideTheClipIsToldAndStandsStillAtItsEnd) {
  ASSERT_EQ(run({"--animation", "Bend", "--time", "1", "-o", "end.glb"}).exit_code, 0);
  const Finished finished = run({"--animation", "Bend", "--time", "7", "-o", "late.glb", "--json"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.json()["notices"][0]["code"], "time_clamped") << finished.out;
  EXPECT_TRUE(contains(finished.err, "sinew: tiny.glb: note: ")) << finished.err;
  EXPECT_EQ(folder_.read("end.glb"), folder_.read("late.glb"));
}

TEST_F(CliPose, SameBytesForOneAndTwoThreads) {
  write_tiny(folder_.path() / "tiny.glb", {.rows = 5000});
  const std::vector<std::string> common = {"--animation", "Bend", "--time", "0.3"};
  for (const std::string threads : {"1", "2"}) {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), {"--threads", threads, "-o", threads + ".glb"});
    ASSERT_EQ(run(arguments).exit_code, 0);
  }
  EXPECT_EQ(folder_.read("1.glb"), folder_.read("2.glb"));
}

TEST_F(CliPose, SettingsReplayAPose) {
  ASSERT_EQ(run({"--animation", "Bend", "--time", "0.25", "--deformer", "dqs", "-o", "a.glb",
                 "--save-settings", "s.json"})
                .exit_code,
            0);
  ASSERT_EQ(run({"--settings", "s.json", "-o", "b.glb"}).exit_code, 0);
  EXPECT_EQ(folder_.read("a.glb"), folder_.read("b.glb"));
  ASSERT_EQ(run({"--settings", "s.json", "--time", "1", "-o", "c.glb"}).exit_code, 0);
  EXPECT_NE(folder_.read("a.glb"), folder_.read("c.glb"));
}

}  // namespace
}  // namespace sinew::test
