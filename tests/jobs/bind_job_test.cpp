// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/bind_job.h"

#include <atomic>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/detail_levels.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using Listing = std::vector<std::string>;

class BindJob : public ::testing::Test {
 protected:
  BindJob() {
    write_tiny(folder_.path() / "tiny.glb", {.rows = 40});
    options_.judging.poses = 4;
    options_.bind.exemplars.count = 8;
  }
  [[nodiscard]] JobInput input(const std::string& name = "tiny.glb") const {
    JobInput input;
    input.file = folder_.path() / name;
    return input;
  }
  [[nodiscard]] BindJobResult bound(const JobInput& input) const {
    JobResult<BindJobResult> result = run_bind_job(input, options_);
    if (!result.ok()) throw std::runtime_error(result.error().to_string());
    return *std::move(result);
  }
  [[nodiscard]] static std::size_t most_influences(const Document& document) {
    return checked(read_characters(document)).front().character.weights.max_influences();
  }
  TemporaryFolder folder_;
  BindJobOptions options_;
};

TEST_F(BindJob, WritesTheBytesAndTheReportOfTheProgram) {
  options_.output.path = folder_.path() / "job.glb";
  const BindJobResult result = bound(input());
  const JobResult<WrittenOutputs> written = write_outputs(result.outputs);
  ASSERT_TRUE(written.ok()) << written.error().to_string();
  Json report = to_json(result);
  add_written_budgets(report, *written);

  const std::string file = (folder_.path() / "tiny.glb").string();
  const Finished program = run_sinew(folder_.path(), {"bind", file, "-o", "program.glb", "--poses",
                                                      "4", "--exemplars", "8", "--json"});
  ASSERT_EQ(program.exit_code, 0) << program.err;
  EXPECT_EQ(folder_.read("job.glb"), folder_.read("program.glb"));
  Json told = Json::parse(program.out);
  for (const char* const of_the_program : {"ok", "verb", "version"}) told.erase(of_the_program);
  for (Json* each : {&report, &told}) {
    for (const char* const path : {"output", "outputs", "files"}) {
      EXPECT_TRUE(each->contains(path)) << path;
      each->erase(path);
    }
    for (Json& character : (*each)["characters"]) character.erase("seconds");
  }
  EXPECT_EQ(report.dump(2), told.dump(2));
}

TEST_F(BindJob, WritesNothingUnlessAsked) {
  options_.output.path = folder_.path() / "out.gltf";
  options_.log = folder_.path() / "log.csv";
  const BindJobResult result = bound(input());
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
  const JobResult<WrittenOutputs> written = write_outputs(result.outputs);
  ASSERT_TRUE(written.ok()) << written.error().to_string();
  EXPECT_EQ(folder_.listing(), (Listing{"log.csv", "out.bin", "out.gltf", "tiny.glb"}));
  EXPECT_EQ(written->files.size(), 2u) << "a log tells of the work and is no part of it";
}

TEST_F(BindJob, DocumentInMemoryIsBoundAsItsFileIs) {
  const Bytes from_file = checked(encode_glb(bound(input()).outputs.documents[0].document));
  JobInput memory;
  memory.file = "scene";
  memory.document = checked(read_gltf(folder_.path() / "tiny.glb"));
  const BindJobResult result = bound(memory);
  EXPECT_EQ(checked(encode_glb(result.outputs.documents[0].document)), from_file);
  EXPECT_TRUE(result.outputs.documents[0].path.empty());
  EXPECT_TRUE(write_outputs(result.outputs).ok());
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

TEST_F(BindJob, StopsWhereverItIsAskedTo) {
  for (const std::string wanted : {"reading", "weights", "judging"}) {
    std::atomic<bool> stop = false;
    bool was_there = false;
    const Progress progress(
        [&](std::string_view stage, double) {
          was_there = was_there || stage == wanted;
          if (stage == wanted) stop = true;
        },
        &stop);
    const JobResult<BindJobResult> result = run_bind_job(input(), options_, progress);
    if (!was_there) continue;
    ASSERT_FALSE(result.ok()) << wanted;
    EXPECT_EQ(result.error().error.code, ErrorCode::cancelled) << wanted;
    EXPECT_TRUE(result.error().option.empty()) << wanted;
  }
  std::atomic<bool> stop = true;
  EXPECT_FALSE(run_bind_job(input(), options_, Progress({}, &stop)).ok());
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

TEST_F(BindJob, EveryCharacterOfAFileIsBoundAndOneThatIsChosenAlone) {
  write_document(folder_.path() / "crowd.glb", two_characters("first", "second"));
  const BindJobResult both = bound(input("crowd.glb"));
  ASSERT_EQ(both.characters.size(), 2u);
  EXPECT_EQ(both.characters[1].before.name, "second");
  JobInput one = input("crowd.glb");
  one.characters = {"sec*"};
  const BindJobResult second = bound(one);
  ASSERT_EQ(second.characters.size(), 1u);
  EXPECT_EQ(second.characters[0].before.name, "second");
  EXPECT_EQ(second.characters[0].bound.weights, both.characters[1].bound.weights);
}

TEST_F(BindJob, CoarseLevelsTakeTheWeightsOfTheFinestUnlessSwitchedOff) {
  const std::vector<std::string> names{"Arm_LOD0", "Arm_LOD1"};
  const Character levels = character_in_levels("tentacle", names, std::vector{3'000, 2'000});
  write_document(folder_.path() / "levels.glb", checked(make_document(levels)));
  options_.bind.method = BindMethod::heat;
  options_.bind.exemplars.count.reset();
  const BindJobResult found = bound(input("levels.glb"));
  ASSERT_EQ(found.characters[0].levels.size(), 1u);
  ASSERT_EQ(found.characters[0].bound.report.coarse.size(), 1u);
  EXPECT_EQ(found.characters[0].bound.report.coarse[0].finest, "Arm_LOD0");
  options_.lods = BindJobOptions::Lods::off;
  EXPECT_TRUE(bound(input("levels.glb")).characters[0].levels.empty());
}

TEST_F(BindJob, EveryBudgetGetsADocument) {
  options_.delivery.budgets = {1, 2};
  options_.output.path = folder_.path() / "out.glb";
  const BindJobResult result = bound(input());
  ASSERT_EQ(result.outputs.documents.size(), 2u);
  EXPECT_EQ(result.outputs.documents[0].path, folder_.path() / "out.1.glb");
  EXPECT_EQ(most_influences(result.outputs.documents[0].document), 1u);
  EXPECT_EQ(most_influences(result.outputs.documents[1].document), 2u);
  EXPECT_EQ(result.characters[0].after.size(), 2u) << "each is judged";
  std::filesystem::create_directory(folder_.path() / "out.2.glb");
  EXPECT_FALSE(write_outputs(result.outputs).ok());
  EXPECT_EQ(folder_.listing(), (Listing{"out.2.glb", "tiny.glb"})) << "all of them or none";
}

TEST_F(BindJob, DemandsThatAreNotMetAreTold) {
  options_.require = {checked(parse_gate("max_influences<=4")), checked(parse_gate("arap < 0"))};
  const BindJobResult result = bound(input());
  ASSERT_EQ(result.gates.size(), 2u);
  EXPECT_TRUE(result.gates[0].met);
  EXPECT_FALSE(result.gates[1].met);
  EXPECT_FALSE(result.gates_met());
  EXPECT_EQ(first_unmet(result.gates)->figure, "arap");
  options_.require.pop_back();
  EXPECT_TRUE(bound(input()).gates_met());
}

TEST_F(BindJob, ErrorsNameTheOptionThatIsWrong) {
  const auto option_of = [&](const BindJobOptions& options, const JobInput& from) {
    const JobResult<BindJobResult> result = run_bind_job(from, options);
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string("none") : result.error().option;
  };
  const auto with = [&](const auto& change) {
    BindJobOptions options = options_;
    change(options);
    return option_of(options, input());
  };
  const std::filesystem::path nowhere = folder_.path() / "nowhere";
  EXPECT_EQ(with([](auto& o) { o.bones = {"Tail"}; }), "bones");
  EXPECT_EQ(with([](auto& o) { o.skip_bones = {"Tail"}; }), "skip_bones");
  EXPECT_EQ(with([](auto& o) { o.keep.lock = {"Tail"}; }), "lock");
  EXPECT_EQ(with([](auto& o) { o.keep.vertices = "_MASK"; }), "vertices");
  EXPECT_EQ(with([](auto& o) { o.spines.spines = {"Tail"}; }), "spine");
  EXPECT_EQ(with([](auto& o) { o.spines.twist_joints = 4; }), "twist_joints");
  EXPECT_EQ(with([](auto& o) { o.optimiser.clips = {"Fly"}; }), "animation");
  EXPECT_EQ(with([](auto& o) { o.delivery.budgets = {4, 4}; }), "max_influences");
  EXPECT_EQ(with([](auto& o) { o.delivery.target = "abacus"; }), "target");
  EXPECT_EQ(with([](auto& o) { o.fit_joints = {{"Tail"}}; }), "lock_joints");
  EXPECT_EQ(with([](auto& o) { o.require = {{"x<1", "x"}}; }), "require");
  EXPECT_EQ(with([&](auto& o) { o.output.path = nowhere / "out.glb"; }), "output");
  EXPECT_EQ(with([&](auto& o) { o.output.path = folder_.path() / "tiny.glb"; }), "output");
  EXPECT_EQ(with([&](auto& o) { o.log = folder_.path() / "log.txt"; }), "log");
  JobInput chosen = input();
  chosen.meshes = {"hat"};
  EXPECT_EQ(option_of(options_, chosen), "mesh");
  chosen = input();
  chosen.characters = {"giant"};
  EXPECT_EQ(option_of(options_, chosen), "character");
}

TEST_F(BindJob, ErrorsOfAFileSayWhichAndWhere) {
  folder_.write("rig.json", R"({"sinew_rig": 1, "bones": 7})");
  JobInput with_rig = input();
  with_rig.rig = folder_.path() / "rig.json";
  const JobResult<BindJobResult> bad_rig = run_bind_job(with_rig, options_);
  ASSERT_FALSE(bad_rig.ok());
  EXPECT_EQ(bad_rig.error().file, with_rig.rig.string());
  EXPECT_EQ(bad_rig.error().error.place, "bones");
  EXPECT_TRUE(bad_rig.error().option.empty());
  const JobResult<BindJobResult> missing = run_bind_job(input("missing.glb"), options_);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().error.code, ErrorCode::file_not_found);
  EXPECT_EQ(missing.error().file, (folder_.path() / "missing.glb").string());
}

TEST_F(BindJob, NoticesSayWhatTheyAreAbout) {
  options_.bind.method = BindMethod::heat;
  const BindJobResult result = bound(input());
  const auto is_ignored = [](const FileNotices& each) {
    return std::ranges::any_of(each.notices,
                               [](const Notice& n) { return n.code == "ignored_options"; });
  };
  const auto found = std::ranges::find_if(result.notices, is_ignored);
  ASSERT_NE(found, result.notices.end()) << "heat has no use for a number of poses";
  EXPECT_EQ(found->file, input().file.string());
}

TEST_F(BindJob, FilesThatAreNeededForSomethingElseAreNotWrittenOver) {
  options_.output.path = folder_.path() / "out.glb";
  options_.output.reserved = {{options_.output.path, "the settings file"}};
  const JobResult<BindJobResult> refused = run_bind_job(input(), options_);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(contains(refused.error().to_string(), "this is the settings file"));
  options_.output = {folder_.path() / "tiny.glb", OutputOptions::Inputs::may_be_replaced, {}};
  EXPECT_TRUE(write_outputs(bound(input()).outputs).ok());
}

}  // namespace
}  // namespace sinew::test
