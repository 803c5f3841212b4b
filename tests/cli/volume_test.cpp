// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"
#include "support/vtu_reader.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Listing = std::vector<std::string>;

class CliVolume : public ::testing::Test {
 protected:
  CliVolume() { write_tiny(folder_.path() / "tiny.glb", {.rows = 40}); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "volume");
    return run_sinew(folder_.path(), arguments);
  }
  void write_hand() const {
    write_document(folder_.path() / "hand.glb", checked(make_document(example("hand", 2'000))));
  }
  TemporaryFolder folder_;
};

TEST_F(CliVolume, SaysWhatItMakesBeforeAndAfterItIsWritten) {
  write_hand();
  const Finished told = run({"hand.glb", "-o", "out.vtu", "--cells", "1500"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(told.out.starts_with("hand.glb   ")) << told.out;
  for (const std::string words : {" tetrahedra in 1,", " cells of ", " points; weights of ", " MB"})
    EXPECT_TRUE(contains(told.out, words)) << words << ": " << told.out;
  EXPECT_TRUE(contains(told.err, "wrote  out.vtu, ")) << told.err;
  EXPECT_EQ(folder_.listing(), (Listing{"hand.glb", "out.vtu", "tiny.glb"}));
}

TEST_F(CliVolume, TheReportFitsTheFile) {
  write_hand();
  const Finished told = run({"hand.glb", "-o", "out.vtu", "--cells", "1500", "--elements", "cubes",
                             "--bone-radius", "voxels", "--json"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const json report = told.json();
  EXPECT_EQ(report["output"], "out.vtu");
  EXPECT_EQ(report["elements"], "cubes");
  EXPECT_EQ(report["bone_radius"], "voxels");
  EXPECT_EQ(report["cells"], 1500);
  const std::string text = folder_.read("out.vtu");
  const VtuReader read(text);
  const json& character = report["characters"][0];
  EXPECT_EQ(character["bytes"], text.size());
  EXPECT_EQ(character["points"], read.points);
  EXPECT_EQ(character["elements"], read.cells);
  for (const auto& field : character["fields"])
    EXPECT_EQ(read.arrays.count("PointData/" + field.get<std::string>()), 1u) << field;
}

TEST_F(CliVolume, AMeshThatItWroteIsReadAgain) {
  write_hand();
  const json written = run({"hand.glb", "-o", "out.mesh", "--cells", "1500", "--json"}).json();
  ASSERT_EQ(written["ok"], true) << written;
  EXPECT_EQ(written["characters"][0]["weights"], "none");
  const json read = run_sinew(folder_.path(), {"inspect", "out.mesh", "--json"}).json();
  ASSERT_EQ(read["ok"], true) << read;
  EXPECT_EQ(read["format"], "MEDIT");
  EXPECT_EQ(read["notices"], json::array());
  const json& figures = read["characters"][0]["figures"];
  EXPECT_EQ(figures["tetrahedra"], written["characters"][0]["elements"]);
  EXPECT_EQ(figures["vertices"], written["characters"][0]["points"]);
  const json again = run({"out.mesh", "-o", "again.mesh", "--json"}).json();
  EXPECT_EQ(again["ok"], true) << again;
}

TEST_F(CliVolume, TheSameFileForAnyNumberOfThreads) {
  write_hand();
  ASSERT_EQ(run({"hand.glb", "-o", "a.vtu", "--cells", "1500", "--threads", "1"}).exit_code, 0);
  ASSERT_EQ(run({"hand.glb", "-o", "b.vtu", "--cells", "1500", "--threads", "4"}).exit_code, 0);
  EXPECT_EQ(folder_.read("a.vtu"), folder_.read("b.vtu"));
}

TEST_F(CliVolume, OfSeveralCharactersTheChosenOneOrAFileEach) {
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const Finished both = run({"two.glb", "-o", "out.vtu", "--cells", "500", "--json"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_EQ(both.json()["files"], json::parse(R"(["out.0.vtu", "out.1.vtu"])"));
  EXPECT_EQ(both.json()["characters"][1]["name"], "Bob");
  EXPECT_EQ(folder_.listing(), (Listing{"out.0.vtu", "out.1.vtu", "tiny.glb", "two.glb"}));
  ASSERT_EQ(run({"two.glb", "-o", "bob.vtu", "--cells", "500", "--character", "Bob"}).exit_code, 0);
  EXPECT_EQ(folder_.read("bob.vtu"), folder_.read("out.1.vtu"));
}

TEST_F(CliVolume, AChosenMeshAloneIsFilled) {
  write_document(folder_.path() / "meshes.glb", two_meshes("body", "hat"));
  const json all = run({"meshes.glb", "-o", "a.vtu", "--cells", "500", "--json"}).json();
  const json hat =
      run({"meshes.glb", "-o", "b.vtu", "--cells", "500", "--mesh", "hat", "--json"}).json();
  ASSERT_EQ(all["ok"], true);
  ASSERT_EQ(hat["ok"], true);
  EXPECT_NE(folder_.read("a.vtu"), folder_.read("b.vtu"));
  EXPECT_EQ(hat["characters"][0]["pieces"], 1);
}

TEST_F(CliVolume, FlagsTravelInSettings) {
  const std::vector<std::string> flags{"tiny.glb",   "-o",         "a.mesh",
                                       "--cells",    "700",        "--save-settings",
                                       "saved.json", "--elements", "tetrahedra"};
  ASSERT_EQ(run(flags).exit_code, 0);
  EXPECT_EQ(json::parse(folder_.read("saved.json"))["volume"]["cells"], 700);
  ASSERT_EQ(run({"tiny.glb", "-o", "b.mesh", "--settings", "saved.json"}).exit_code, 0);
  EXPECT_EQ(folder_.read("a.mesh"), folder_.read("b.mesh"));
  EXPECT_EQ(run({"tiny.glb", "-o", "saved.json", "--settings", "saved.json"}).exit_code, 2);
}

struct Wrong {
  std::vector<std::string> arguments;
  int exit_code;
  std::string told;
};

TEST_F(CliVolume, WrongWordsAndFilesGetOneSentenceAndNothingIsWritten) {
  folder_.write("bones.bvh",
                "HIERARCHY\nROOT Hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation "
                "Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame "
                "Time: 0.1\n0 0 0\n");
  folder_.write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder_.write("broken.glb", folder_.read("tiny.glb").substr(0, 400));
  folder_.write("input.mesh",
                "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 "
                "0\nTetrahedra 1\n1 2 3 4 0\nEnd\n");
  const Listing before = folder_.listing();
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"tiny.glb"}, 2, "say where to write"},
           {{"-o", "out.vtu"}, 2, "a file to read is missing"},
           {{"tiny.glb", "-o", "out.obj"}, 2, "only .vtu and .mesh are written"},
           {{"tiny.glb", "-o", "out"}, 2, "only .vtu and .mesh are written"},
           {{"tiny.glb", "-o", "out.vtu", "--cells", "0"}, 2, "--cells"},
           {{"tiny.glb", "-o", "out.vtu", "--cells", "200001"}, 2, "--cells"},
           {{"tiny.glb", "-o", "out.vtu", "--cells", "many"}, 2, "--cells"},
           {{"tiny.glb", "-o", "out.vtu", "--bone-radius", "2"}, 2, "--bone-radius"},
           {{"tiny.glb", "-o", "out.vtu", "--elements", "cube"}, 2, "did you mean cubes?"},
           {{"tiny.glb", "-o", "out.vtu", "--weights", "heat"}, 2, "--weights"},
           {{"tiny.glb", "-o", "out.mesh", "--elements", "cubes"}, 2, "cubes go into a .vtu"},
           {{"tiny.glb", "-o", "out.mesh", "--weights", "bbw"}, 2, "no place for weights"},
           {{"nothing.glb", "-o", "out.vtu"}, 3, "nothing.glb"},
           {{"broken.glb", "-o", "out.vtu"}, 3, "broken.glb"},
           {{"bones.bvh", "-o", "out.vtu"}, 3, "there is no mesh to fill"},
           {{"bare.obj", "-o", "out.vtu", "--weights", "bbw"}, 3, "has no skeleton"},
           {{"tiny.glb", "-o", "out.vtu", "--mesh", "hat"}, 2, "--mesh"},
           {{"tiny.glb", "-o", "out.vtu", "--character", "Bob"}, 2, "--character"},
           {{"tiny.glb", "-o", "nowhere/out.vtu"}, 2, "there is no such folder"},
           {{"tiny.glb", "-o", ".vtu/out.vtu"}, 2, "there is no such folder"},
           {{"input.mesh", "-o", "input.mesh"}, 2, "this is the input"},
           {{"tiny.glb", "-o", "out.vtu", "--in-place"}, 2, "--in-place"},
           {{"tiny.glb", "-o", "out.vtu", "--poses", "3"}, 2, "--poses"}}) {
    const Finished refused = run(wrong.arguments);
    EXPECT_EQ(refused.exit_code, wrong.exit_code) << wrong.told << ": " << refused.err;
    EXPECT_TRUE(contains(refused.err, wrong.told)) << wrong.told << ": " << refused.err;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_EQ(folder_.listing(), before) << wrong.told;
  }
}

TEST_F(CliVolume, AFolderThatRefusesFilesExitsWithOne) {
  if (!std::filesystem::is_directory("/proc/self")) GTEST_SKIP() << "no folder that refuses files";
  const Finished refused =
      run({"tiny.glb", "-o", "/proc/self/out.vtu", "--cells", "500", "--json"});
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  EXPECT_EQ(refused.json()["error"]["code"], "write_failed");
}

TEST_F(CliVolume, WhatWasThereStaysWhereItFails) {
  folder_.write("out.0.vtu", "mine");
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  std::filesystem::create_directory(folder_.path() / "out.1.vtu");
  const Finished refused = run({"two.glb", "-o", "out.vtu", "--cells", "500"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_TRUE(contains(refused.err, "this is a folder")) << refused.err;
  EXPECT_EQ(folder_.read("out.0.vtu"), "mine");
}

}  // namespace
}  // namespace sinew::test
