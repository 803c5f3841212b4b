// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliCopy : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "copy");
    return run_sinew(folder_.path(), arguments);
  }
  nlohmann::json inspected(const std::string& file) const {
    return run_sinew(folder_.path(), {"inspect", file, "--json"}).json()["characters"];
  }
  TemporaryFolder folder_;
};

using Listing = std::vector<std::string>;

TEST_F(CliCopy, CopyOfACopyIsTheSameToTheByte) {
  write_tiny(folder_.path() / "a.glb");
  EXPECT_EQ(run({"a.glb", "-o", "b.glb"}).exit_code, 0);
  EXPECT_EQ(run({"b.glb", "-o", "c.glb", "--threads", "1"}).exit_code, 0);
  EXPECT_EQ(folder_.read("b.glb"), folder_.read("c.glb"));
  EXPECT_EQ(inspected("a.glb"), inspected("b.glb"));
  EXPECT_EQ(folder_.listing(), (Listing{"a.glb", "b.glb", "c.glb"}));
}

TEST_F(CliCopy, GlbGoesToGltfAndBack) {
  write_tiny(folder_.path() / "a.glb");
  const Finished there = run({"a.glb", "-o", "b.gltf", "--json"});
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_EQ(there.json()["files"], nlohmann::json::parse(R"(["b.gltf","b.bin"])"));
  EXPECT_EQ(folder_.listing(), (Listing{"a.glb", "b.bin", "b.gltf"}));
  EXPECT_EQ(run({"b.gltf", "-o", "c.glb"}).exit_code, 0);
  EXPECT_EQ(inspected("a.glb"), inspected("c.glb"));
}

TEST_F(CliCopy, NeverWritesOverItsInputUnlessTold) {
  write_tiny(folder_.path() / "a.glb");
  std::filesystem::create_symlink("a.glb", folder_.path() / "link.glb");
  const std::string before = folder_.read("a.glb");
  for (const std::string target : {"a.glb", "./a.glb", "link.glb"}) {
    const Finished finished = run({"a.glb", "-o", target});
    EXPECT_EQ(finished.exit_code, 2) << target;
    EXPECT_TRUE(contains(finished.err, "--in-place")) << finished.err;
    EXPECT_EQ(folder_.read("a.glb"), before);
    EXPECT_EQ(folder_.listing(), (Listing{"a.glb", "link.glb"}));
  }
  EXPECT_EQ(run({"a.glb", "--in-place"}).exit_code, 0);
  EXPECT_EQ(run({"a.glb", "-o", "a.glb", "--in-place"}).exit_code, 0);
  EXPECT_EQ(folder_.listing(), (Listing{"a.glb", "link.glb"}));
}

TEST_F(CliCopy, BuffersOfTheInputAreSparedToo) {
  write_tiny(folder_.path() / "c.gltf");
  std::filesystem::rename(folder_.path() / "c.gltf", folder_.path() / "in.gltf");
  const std::string buffer = folder_.read("c.bin");
  const Finished finished = run({"in.gltf", "-o", "c.gltf"});
  EXPECT_EQ(finished.exit_code, 2) << finished.err;
  EXPECT_TRUE(contains(finished.err, "c.bin")) << finished.err;
  EXPECT_EQ(folder_.read("c.bin"), buffer);
}

TEST_F(CliCopy, ReportNamesTheFilesThatWereReallyWritten) {
  write_tiny(folder_.path() / "a.glb");
  folder_.write("b.bin", "somebody else's");
  const nlohmann::json files = run({"a.glb", "-o", "b.gltf", "--json"}).json()["files"];
  EXPECT_EQ(folder_.read("b.bin"), "somebody else's");
  ASSERT_EQ(files.size(), 2u);
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(folder_.path() / file));
  EXPECT_EQ(folder_.listing().size(), 4u);
  EXPECT_NE(files[1], "b.bin");
}

TEST_F(CliCopy, ReplacesAnotherFileThatIsThere) {
  write_tiny(folder_.path() / "a.glb");
  write_tiny(folder_.path() / "b.glb", {.rows = 50});
  EXPECT_EQ(run({"a.glb", "-o", "b.glb"}).exit_code, 0);
  EXPECT_EQ(inspected("a.glb"), inspected("b.glb"));
}

TEST_F(CliCopy, NothingIsWrittenOnFailure) {
  write_tiny(folder_.path() / "good.glb");
  folder_.write("cut.glb", folder_.read("good.glb").substr(0, 400));
  folder_.write("old.glb", "what was here before");
  Document document = tiny_document();
  document.json["skins"][0]["joints"][1] = document.json["skins"][0]["joints"][0];
  write_document(folder_.path() / "twice.glb", document);
  const Listing before = folder_.listing();
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
  };
  const std::vector<Case> cases = {{{"cut.glb", "-o", "new.glb"}, 3},
                                   {{"cut.glb", "-o", "old.glb"}, 3},
                                   {{"twice.glb", "-o", "new.glb"}, 3},
                                   {{"nowhere.glb", "-o", "new.glb"}, 3},
                                   {{"good.glb", "-o", "new.obj"}, 2},
                                   {{"good.glb", "-o", "nowhere/new.glb"}, 2},
                                   {{"good.glb", "-o", "."}, 2},
                                   {{"good.glb", "-o", "new.glb", "--bind-pose", "Jump:0"}, 2}};
  for (const Case& each : cases) {
    const Finished finished = run(each.arguments);
    EXPECT_EQ(finished.exit_code, each.exit_code) << each.arguments[0] << ": " << finished.err;
    EXPECT_EQ(folder_.listing(), before) << finished.err;
    EXPECT_EQ(folder_.read("old.glb"), "what was here before");
  }
}

TEST_F(CliCopy, OutputThatCannotBeWrittenExitsWithOne) {
  if (!std::filesystem::is_directory("/proc/self")) GTEST_SKIP() << "no folder that refuses files";
  write_tiny(folder_.path() / "a.glb");
  const Finished finished = run({"a.glb", "-o", "/proc/self/b.glb", "--json"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_EQ(finished.json()["error"]["code"], "write_failed");
}

TEST_F(CliCopy, RigFileIsStoredInTheNodesItNames) {
  write_tiny(folder_.path() / "a.glb");
  folder_.write("rig.json", R"({"sinew_rig": 1, "bones": {"knee": {"kind": "spine"}}})");
  ASSERT_EQ(run({"a.glb", "--rig", "rig.json", "-o", "b.gltf"}).exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(folder_.read("b.gltf"));
  std::size_t said = 0;
  for (const nlohmann::json& node : json["nodes"]) {
    if (!node.contains("extras")) continue;
    EXPECT_EQ(node["name"], "mixamorig:Knee");
    EXPECT_EQ(node["extras"]["sinew"]["kind"], "spine");
    ++said;
  }
  EXPECT_EQ(said, 1u);
  folder_.write("rig.json", R"({"sinew_rig": 1, "bones": {"knee": {"kind": "banana"}}})");
  const Finished refused = run({"a.glb", "--rig", "rig.json", "-o", "c.glb"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(refused.err.starts_with("sinew: rig.json: ")) << refused.err;
}

TEST_F(CliCopy, SkeletonOfAnotherFileIsAttachedToABareMesh) {
  folder_.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  folder_.write("bones.tgf", "1 0.5 0 0\n2 0.5 0.5 0\n3 0.5 1 0\n#\n1 2 1 0 0\n2 3 1 0 0\n");
  const Finished finished = run({"quad.obj", "--skeleton", "bones.tgf", "-o", "out.glb", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.json()["format"], "OBJ");
  EXPECT_EQ(inspected("out.glb")[0]["figures"]["joints"], 2);
  EXPECT_EQ(inspected("out.glb")[0]["figures"]["vertices"], 4);
}

TEST_F(CliCopy, ChosenBindPoseBecomesTheBindPoseOfTheCopy) {
  write_tiny(folder_.path() / "a.glb");
  ASSERT_EQ(run({"a.glb", "--bind-pose", "Bend:1", "-o", "b.glb"}).exit_code, 0);
  // Bound to the bent skeleton, the strip is straight when the skeleton is bent.
  const auto size_at = [&](const std::string& time) {
    (void)run_sinew(folder_.path(),
                    {"pose", "b.glb", "--animation", "Bend", "--time", time, "-o", "posed.glb"});
    return inspected("posed.glb")[0]["size"];
  };
  EXPECT_NEAR(size_at("1")[1].get<double>(), 1, 1e-6);
  EXPECT_GT(size_at("0")[0].get<double>(), 0.5);
}

TEST_F(CliCopy, Utf8PathsAreWritten) {
  write_tiny(folder_.path() / "ä.glb");
  EXPECT_EQ(run({"ä.glb", "-o", "骨格.gltf"}).exit_code, 0);
  EXPECT_EQ(inspected("骨格.gltf"), inspected("ä.glb"));
}

TEST_F(CliCopy, EveryFileThatWasWrittenIsToldUnlessQuietOrJson) {
  write_tiny(folder_.path() / "a.glb");
  const Finished told = run({"a.glb", "-o", "b.gltf"});
  EXPECT_TRUE(contains(told.err, "wrote  b.gltf, ")) << told.err;
  EXPECT_TRUE(contains(told.err, "wrote  b.bin, ")) << told.err;
  EXPECT_TRUE(contains(told.err, " kB\n")) << told.err;
  EXPECT_EQ(told.out, "");
  EXPECT_EQ(run({"a.glb", "-o", "b.gltf", "--quiet"}).err, "");
  EXPECT_EQ(run({"a.glb", "-o", "b.gltf", "--json"}).err, "");
}

}  // namespace
}  // namespace sinew::test
