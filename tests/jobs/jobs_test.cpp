// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <atomic>

#include <gtest/gtest.h>

#include "sinew/jobs/copy_job.h"
#include "sinew/jobs/fit_joints_job.h"
#include "sinew/jobs/inspect_job.h"
#include "sinew/jobs/pose_job.h"
#include "sinew/jobs/report_job.h"
#include "support/binding.h"
#include "support/capsule_arm.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using Listing = std::vector<std::string>;

class Jobs : public ::testing::Test {
 protected:
  Jobs() { write_tiny(tiny()); }
  [[nodiscard]] std::filesystem::path tiny() const { return folder_.path() / "tiny.glb"; }
  [[nodiscard]] JobInput input() const {
    JobInput input;
    input.file = tiny();
    return input;
  }
  /// The report of the program without what only it knows.
  [[nodiscard]] Json told_by_program(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    Json told = Json::parse(run_sinew(folder_.path(), arguments).out);
    for (const char* const field : {"ok", "verb", "version", "output", "files", "bytes"})
      told.erase(field);
    return told;
  }
  template <class T>
  [[nodiscard]] static T done(JobResult<T> result) {
    if (!result.ok()) throw std::runtime_error(result.error().to_string());
    return *std::move(result);
  }
  TemporaryFolder folder_;
};

TEST_F(Jobs, CopyWritesTheBytesAndTheReportOfTheProgram) {
  const CopyJobResult result = done(run_copy_job(input(), {folder_.path() / "job.glb"}));
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
  (void)done(write_outputs(result.outputs));
  EXPECT_EQ(to_json(result).dump(2),
            told_by_program({"copy", tiny().string(), "-o", "program.glb"}).dump(2));
  EXPECT_EQ(folder_.read("job.glb"), folder_.read("program.glb"));
}

TEST_F(Jobs, PoseWritesTheBytesAndTheReportOfTheProgram) {
  PoseJobOptions options;
  options.time_s = 0.5;
  options.output.path = folder_.path() / "job.glb";
  const PoseJobResult result = done(run_pose_job(input(), options));
  EXPECT_EQ(result.pose.clip, "0") << "the only one";
  (void)done(write_outputs(result.outputs));
  const Json told =
      told_by_program({"pose", tiny().string(), "--time", "0.5", "-o", "program.glb"});
  EXPECT_EQ(to_json(result).dump(2), told.dump(2));
  EXPECT_EQ(folder_.read("job.glb"), folder_.read("program.glb"));
}

TEST_F(Jobs, PoseNamesTheOptionThatIsWrong) {
  PoseJobOptions options;
  options.clip = "Fly";
  EXPECT_EQ(run_pose_job(input(), options).error().option, "animation");
  Document still = tiny_document();
  still.json.erase("animations");
  JobInput without_clips;
  without_clips.document = std::move(still);
  EXPECT_EQ(run_pose_job(without_clips, {"", 1.0}).error().option, "time");
}

TEST_F(Jobs, InspectTellsWhatTheProgramDoes) {
  InspectJobOptions options;
  options.judging.poses = 4;
  options.bones = {"*Hip"};
  options.require = {checked(parse_gate("max_influences<=1"))};
  const InspectJobResult result = done(run_inspect_job(input(), options));
  EXPECT_FALSE(result.gates_met());
  ASSERT_EQ(result.characters.size(), 1u);
  EXPECT_EQ(result.characters[0].listed_bones.size(), 1u);
  Json told = told_by_program({"inspect", tiny().string(), "--poses", "4", "--bones", "*Hip",
                               "--require", "max_influences<=1"});
  EXPECT_EQ(told["error"]["code"], "gate_not_met");
  told.erase("error");
  EXPECT_EQ(to_json(result).dump(2), told.dump(2));
}

TEST_F(Jobs, InspectNamesTheOptionThatIsWrong) {
  InspectJobOptions options;
  options.bones = {"Tail"};
  EXPECT_EQ(run_inspect_job(input(), options).error().option, "bones");
  options.bones.clear();
  options.require = {{"x<1", "x"}};
  EXPECT_EQ(run_inspect_job(input(), options).error().option, "require");
  options.require.clear();
  write_tiny(folder_.path() / "other.glb", {.lower_bone = "Low", .upper_bone = "High"});
  options.original = folder_.path() / "other.glb";
  EXPECT_EQ(run_inspect_job(input(), options).error().option, "original");
}

TEST_F(Jobs, FitJointsWritesTheBytesAndTheReportOfTheProgram) {
  write_document(folder_.path() / "arm.glb",
                 checked(make_document(capsule_arm({.rings_per_bone = 8, .around = 8}))));
  JobInput arm;
  arm.file = folder_.path() / "arm.glb";
  FitJointsJobOptions options;
  options.judging.poses = 4;
  options.bind.exemplars.count = 6;
  options.fitting.lock = {"Hand"};
  options.output.path = folder_.path() / "job.glb";
  const FitJointsJobResult result = done(run_fit_joints_job(arm, options));
  ASSERT_EQ(result.characters.size(), 1u);
  EXPECT_TRUE(result.characters[0].fit.plan.named[kHand]);
  EXPECT_TRUE(result.characters[0].before.has_value());
  EXPECT_EQ(folder_.listing(), (Listing{"arm.glb", "tiny.glb"}));
  (void)done(write_outputs(result.outputs));
  const Json told = told_by_program({"fit-joints", arm.file.string(), "--poses", "4", "--exemplars",
                                     "6", "--lock-joints", "Hand", "-o", "program.glb"});
  EXPECT_EQ(to_json(result).dump(2), told.dump(2));
  EXPECT_EQ(folder_.read("job.glb"), folder_.read("program.glb"));
  options.fitting.lock = {"Tail"};
  EXPECT_EQ(run_fit_joints_job(arm, options).error().option, "lock_joints");
}

TEST_F(Jobs, ReportShowsFilesSideBySide) {
  ReportJobOptions options;
  options.report.judging.poses = 4;
  options.labels = {"artist"};
  options.failed = {{"tiny", "ran out of time"}};
  const ReportJobResult result = done(run_report_job(std::vector{input(), input()}, options));
  const Json report = to_json(result);
  ASSERT_EQ(report["characters"].size(), 2u);
  EXPECT_EQ(report["characters"][0]["label"], "artist");
  EXPECT_EQ(report["characters"][1]["failed"], "ran out of time");
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
  EXPECT_FALSE(write_page(tiny(), {}, result.files_read).ok()) << "it was read";
}

TEST_F(Jobs, ReportNamesTheOptionThatIsWrong) {
  const std::vector<JobInput> one{input()};
  EXPECT_EQ(run_report_job({}).error().option, "file");
  ReportJobOptions options;
  options.seconds = {{"nobody", 1}};
  EXPECT_EQ(run_report_job(one, options).error().option, "seconds");
  options = {};
  options.report.interior.emplace().cells = 0;
  EXPECT_EQ(run_report_job(one, options).error().option, "cells");
  options.report.interior.emplace().radius.share = -1;
  EXPECT_EQ(run_report_job(one, options).error().option, "bone_radius");
  options = {};
  options.labels = {"a", "b"};
  EXPECT_EQ(run_report_job(one, options).error().option, "label");
}

TEST_F(Jobs, EveryJobStopsWhenAskedTo) {
  const std::atomic<bool> stop = true;
  const Progress progress({}, &stop);
  const std::vector<JobInput> one{input()};
  EXPECT_EQ(run_copy_job(input(), {}, progress).error().error.code, ErrorCode::cancelled);
  EXPECT_EQ(run_pose_job(input(), {}, progress).error().error.code, ErrorCode::cancelled);
  EXPECT_EQ(run_inspect_job(input(), {}, progress).error().error.code, ErrorCode::cancelled);
  EXPECT_EQ(run_fit_joints_job(input(), {}, progress).error().error.code, ErrorCode::cancelled);
  EXPECT_EQ(run_report_job(one, {}, progress).error().error.code, ErrorCode::cancelled);
  const CopyJobResult copied = done(run_copy_job(input(), {folder_.path() / "out.glb"}));
  EXPECT_EQ(write_outputs(copied.outputs, progress).error().error.code, ErrorCode::cancelled);
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

}  // namespace
}  // namespace sinew::test
