// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/report.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliReport : public ::testing::Test {
 protected:
  void SetUp() override {
    if (report_page().empty()) GTEST_SKIP() << "built without SINEW_WITH_REPORT";
    write_tiny(folder_.path() / "tiny.glb");
    write_tiny(folder_.path() / "other.glb", {.rows = 6});
  }
  Finished run(const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment = {}) const {
    return run_sinew(folder_.path(), arguments, environment);
  }
  TemporaryFolder folder_;
};

TEST_F(CliReport, WritesOnePageWithTheFiguresOfInspect) {
  const Finished done =
      run({"report", "tiny.glb", "other.glb", "-o", "page.html", "--poses", "3", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const nlohmann::json told = done.json();
  EXPECT_EQ(told["output"], "page.html");
  EXPECT_EQ(told["bytes"], folder_.read("page.html").size());
  const nlohmann::json inspected =
      run({"inspect", "other.glb", "--original", "tiny.glb", "--poses", "3", "--json"}).json();
  EXPECT_EQ(told["characters"][1]["figures"], inspected["characters"][0]["figures"]);
  EXPECT_TRUE(contains(folder_.read("page.html"), "id=\"sinew-file-1\""));
}

TEST_F(CliReport, IsNamedAfterItsFirstFile) {
  ASSERT_EQ(run({"report", "tiny.glb", "--poses", "1"}).exit_code, 0);
  EXPECT_TRUE(contains(folder_.read("tiny-report.html"), "sinew-report"));
}

TEST_F(CliReport, RefusesWhatMakesNoSense) {
  EXPECT_EQ(run({"report"}).exit_code, 2);
  EXPECT_EQ(run({"report", "tiny.glb", "-o", "page.pdf"}).exit_code, 2);
  EXPECT_EQ(run({"report", "tiny.glb", "-o", "nowhere/page.html"}).exit_code, 2);
  EXPECT_EQ(run({"report", "tiny.glb", "--label", "a", "--label", "b"}).exit_code, 2);
  EXPECT_EQ(run({"report", "tiny.glb", "--failed", "nobody=why"}).exit_code, 2);
  EXPECT_EQ(run({"report", "missing.glb"}).exit_code, 3);
  folder_.write("log.csv", "iteration,energy\n1,x\n");
  const Finished bad_log = run({"report", "tiny.glb", "--log", "log.csv"});
  EXPECT_EQ(bad_log.exit_code, 3);
  EXPECT_TRUE(contains(bad_log.err, "log.csv: line 2")) << bad_log.err;
  EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"log.csv", "other.glb", "tiny.glb"}));
}

TEST_F(CliReport, AnInteriorIsShownWhereItIsAskedFor) {
  const Finished plain = run({"report", "tiny.glb", "-o", "plain.html", "--poses", "0", "--json"});
  EXPECT_FALSE(plain.json()["characters"][0].contains("interior"));
  const Finished done = run({"report", "tiny.glb", "other.glb", "-o", "page.html", "--poses", "0",
                             "--interior", "--cells", "800", "--bone-radius", "voxels", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  for (const nlohmann::json& character : done.json()["characters"]) {
    EXPECT_NEAR(character["interior"]["cells"].get<double>(), 800, 80);
    EXPECT_GT(character["interior"]["points"], character["interior"]["cells"]);
  }
  EXPECT_TRUE(contains(folder_.read("page.html"), "\"interiors\":[{"));
  const Finished told =
      run({"report", "tiny.glb", "-o", "page.html", "--poses", "0", "--interior"});
  EXPECT_TRUE(contains(told.out, "interior of 1")) << told.out;
}

TEST_F(CliReport, WrongWordsAboutTheInteriorGetOneSentenceAndNothingIsWritten) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--interior", "--cells", "0"}, "--cells"},
      {{"--interior", "--cells", "99"}, "--cells"},
      {{"--interior", "--cells", "200001"}, "--cells"},
      {{"--interior", "--cells", "many"}, "--cells"},
      {{"--interior", "--bone-radius", "1.1"}, "--bone-radius"},
      {{"--interior", "--bone-radius", "thick"}, "voxels"},
      {{"--cells", "12000"}, "--cells: is for --interior alone"},
      {{"--bone-radius", "0.5"}, "--bone-radius: is for --interior alone"}};
  for (const auto& [flags, told] : wrong) {
    std::vector<std::string> arguments{"report", "tiny.glb", "-o", "page.html"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_TRUE(contains(refused.err, told)) << told << ": " << refused.err;
    EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"other.glb", "tiny.glb"}));
  }
}

TEST_F(CliReport, ASettingsFileAsksForTheInterior) {
  folder_.write("inside.json", R"({"report": {"interior": true, "cells": 800}})");
  const Finished done = run({"report", "tiny.glb", "-o", "page.html", "--poses", "0", "--settings",
                             "inside.json", "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NEAR(done.json()["characters"][0]["interior"]["cells"].get<double>(), 800, 80);
}

TEST_F(CliReport, AFailureIsSaidWithItsReason) {
  const Finished done = run({"report", "tiny.glb", "other.glb", "--label", "artist", "--label",
                             "method", "--failed", "method=every weight is zero", "--poses", "1"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(contains(done.out, "failed: every weight is zero")) << done.out;
}

TEST_F(CliReport, ASnapshotWithoutABrowserSaysSoInOneSentence) {
  const Finished done = run({"snapshot", "tiny.glb", "-o", "a.png"}, {"PATH=/nowhere"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(contains(done.err, "no Chromium or Chrome here")) << done.err;
  EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  EXPECT_EQ(run({"snapshot", "tiny.glb", "-o", "a.png", "--browser", "/nowhere/b"}).exit_code, 2);
}

TEST_F(CliReport, ABrowserThatDrawsNothingIsAFailureAndLeavesNothing) {
  const Finished silent =
      run({"snapshot", "tiny.glb", "-o", "a.png", "--browser", "true", "--poses", "1"});
  EXPECT_EQ(silent.exit_code, 1);
  EXPECT_TRUE(contains(silent.err, "ended without a picture")) << silent.err;
  const Finished useless =
      run({"snapshot", "tiny.glb", "-o", "a.png", "--browser", "echo", "--poses", "1"});
  EXPECT_EQ(useless.exit_code, 1);
  EXPECT_TRUE(contains(useless.err, "drew no picture")) << useless.err;
  EXPECT_EQ(folder_.listing(), (std::vector<std::string>{"other.glb", "tiny.glb"}));
}

TEST_F(CliReport, ASnapshotOfWhatIsNotThereIsRefusedBeforeABrowserStarts) {
  const auto refused = [&](const std::string& flag, const std::string& value) {
    const Finished done = run(
        {"snapshot", "tiny.glb", "-o", "a.png", "--browser", "true", "--poses", "1", flag, value});
    EXPECT_EQ(done.exit_code, 2) << flag << " " << value;
    EXPECT_TRUE(contains(done.err, flag)) << done.err;
  };
  refused("--pose", "somersault");
  refused("--pose", "Jump:0.5");
  refused("--bone", "tail");
  refused("--size", "12by7");
  refused("--camera", "1,2,3");
  refused("--mode", "weights");
}

}  // namespace
}  // namespace sinew::test
