// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
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

/// The strip with a clip of its own per name; the first of them bends it.
void write_with_clips(const std::filesystem::path& path, const std::vector<std::string>& names) {
  Document document = tiny_document();
  const Json bend = document.json["animations"][0];
  document.json["animations"] = Json::array();
  for (const std::string& name : names) {
    document.json["animations"].push_back(bend);
    if (name.empty())
      document.json["animations"].back().erase("name");
    else
      document.json["animations"].back()["name"] = name;
  }
  write_document(path, document);
}

TEST_F(CliPose, ClipIsFoundByExactNameIndexGlobAnyCaseAndWithoutPrefix) {
  write_with_clips(folder_.path() / "tiny.glb", {"Armature|Walk", "run", "Run", ""});
  for (const std::string name :
       {"Armature|Walk", "walk", "W*", "ARMATURE|W?lk", "0", "run", "Run", "3"}) {
    const Finished finished = run({"--animation", name, "-o", "p.glb"});
    EXPECT_EQ(finished.exit_code, 0) << name << ": " << finished.err;
  }
}

TEST_F(CliPose, ClipThatIsNotOneExitsWithTwoAndListsThem) {
  write_with_clips(folder_.path() / "tiny.glb", {"Armature|Walk", "run", "Run", ""});
  const Finished several = run({"--animation", "RUN", "-o", "p.glb"});
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_TRUE(contains(several.err, "matches 2 clips, say which one: run and Run")) << several.err;
  const Finished none = run({"--animation", "wlak", "-o", "p.glb"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "did you mean Armature|Walk?")) << none.err;
  EXPECT_TRUE(contains(none.err, "Armature|Walk, run, Run and 3 (no name)")) << none.err;
  write_with_clips(folder_.path() / "tiny.glb", {"Run", "Run"});
  const Finished twins = run({"--animation", "Run", "-o", "p.glb"});
  EXPECT_EQ(twins.exit_code, 2);
  EXPECT_TRUE(contains(twins.err, "0 (Run) and 1 (Run)")) << twins.err;
  EXPECT_EQ(folder_.listing(), std::vector<std::string>{"tiny.glb"});
}

TEST_F(CliPose, TimeAloneMeansTheOnlyClipAndNothingWhereThereAreMoreOrNone) {
  ASSERT_EQ(run({"--animation", "Bend", "--time", "1", "-o", "named.glb"}).exit_code, 0);
  const Finished only = run({"--time", "1", "-o", "only.glb", "--json"});
  EXPECT_EQ(only.exit_code, 0) << only.err;
  EXPECT_EQ(folder_.read("named.glb"), folder_.read("only.glb"));
  EXPECT_EQ(only.json()["notices"][0]["code"], "only_clip") << only.out;
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"Walk", "Run"}, std::vector<std::string>{}}) {
    write_with_clips(folder_.path() / "tiny.glb", names);
    const Finished finished = run({"--time", "1", "-o", "p.glb"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_TRUE(finished.err.starts_with("sinew: --time: means nothing")) << finished.err;
    EXPECT_EQ(run({"-o", "nodes.glb"}).exit_code, 0);
  }
}

TEST_F(CliPose, FileWithoutWeightsIsToldThatNothingMoves) {
  EXPECT_EQ(run({"-o", "p.glb"}).err.find("nothing moves"), std::string::npos);
  Document document = tiny_document();
  for (Json& node : document.json["nodes"]) node.erase("skin");
  for (const char* name : {"JOINTS_0", "WEIGHTS_0"})
    document.json["meshes"][0]["primitives"][0]["attributes"].erase(name);
  document.json.erase("skins");
  write_document(folder_.path() / "tiny.glb", document);
  const Finished finished = run({"--animation", "Bend", "--time", "1", "-o", "p.glb", "--json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.err, "warning: no mesh in the file has weights: nothing moves"))
      << finished.err;
  EXPECT_TRUE(contains(finished.out, "nothing_skinned")) << finished.out;
}

TEST_F(CliPose, ClipThatMovesAMeshAsAWholeIsNoCauseForAWarning) {
  Document document = tiny_document();
  for (Json& node : document.json["nodes"]) {
    node.erase("mesh");
    node.erase("skin");
  }
  for (const char* name : {"JOINTS_0", "WEIGHTS_0"})
    document.json["meshes"][0]["primitives"][0]["attributes"].erase(name);
  document.json.erase("skins");
  const Json& channel = document.json["animations"][0]["channels"][0];
  document.json["nodes"][channel["target"]["node"].get<std::size_t>()]["mesh"] = 0;
  write_document(folder_.path() / "tiny.glb", document);
  const Finished finished = run({"--animation", "Bend", "--time", "1", "-o", "p.glb"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_FALSE(contains(finished.err, "nothing moves")) << finished.err;
}

TEST_F(CliPose, BendsWhatTheFileSaysIsASpine) {
  Character character = tiny_character();
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].kind = BoneKind::spine;
  character.skeleton = *Skeleton::create(bones);
  write_document(folder_.path() / "tiny.glb", *make_document(character));
  ASSERT_EQ(run({"--animation", "Bend", "--time", "1", "-o", "bent.glb"}).exit_code, 0);
  // The top half lies to the left of the end of a quarter of a circle half a metre long.
  const double radius = 0.5 / (std::numbers::pi / 2);
  EXPECT_NEAR(size_of("bent.glb").second, radius + 0.1, 1e-6);
}

}  // namespace
}  // namespace sinew::test
