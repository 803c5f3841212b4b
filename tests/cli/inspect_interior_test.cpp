// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/sinew_process.h"
#include "support/solids.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using nlohmann::json;

class CliInspectInterior : public ::testing::Test {
 protected:
  CliInspectInterior() { write_tiny(folder_.path() / "tiny.glb", {.rows = 40}); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"inspect", "--poses", "0"});
    return run_sinew(folder_.path(), arguments);
  }
  json interior(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--interior", "--json"});
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.json()["characters"][0]["interior"];
  }
  TemporaryFolder folder_;
};

/// A hand with two fingers that nearly touch all along, and a ball that hangs in the air.
Character two_fingers() {
  MeshData data = together(cylinder(-0.51, 0, 0.5, 4), cylinder(0.51, 0, 0.5, 4));
  data = together(data, ball_data(Vec3(0.51, 5.5, 0), 0.2));
  Character character;
  character.name = "hand";
  character.mesh = make_mesh(std::move(data));
  character.skeleton = make_skeleton({{"hand", -1, {0, -1, 0}},
                                      {"index", 0, {-0.51, 0, 0}},
                                      {"index_end", 1, {-0.51, 4, 0}},
                                      {"middle", 0, {0.51, 0, 0}},
                                      {"middle_end", 3, {0.51, 4, 0}}});
  character.skeleton = character.skeleton.with([](std::vector<Bone>& bones) {
    for (Bone& bone : bones) bone.deforms = !bone.name.ends_with("_end");
    bones[1].tail = bones[2].head();
    bones[3].tail = bones[4].head();
  });
  character.weights = SkinWeights(character.mesh.vertex_count(), 5);
  character.parts = {{"fingers", 0, character.mesh.vertex_count()}};
  return character;
}

TEST_F(CliInspectInterior, TellsWhatTouchesInWordsOfRiggers) {
  write_document(folder_.path() / "hand.glb", checked(make_document(two_fingers())));
  const Finished told = run({"hand.glb", "--interior"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  for (const std::string row :
       {"\ninterior   ", " cells where about 12,000 were asked for", "\nvolume     ",
        " m3 in all cells", "\npieces     3 pieces; no bone holds 1: ",
        " floats, moving with what is at middle", "\nheld       ",
        "\napart      what touches has cells of its own at ", "index beside middle "})
    EXPECT_TRUE(contains(told.out, row)) << row << ": " << told.out;
  EXPECT_FALSE(contains(told.out, "\nmerged ")) << told.out;
}

TEST_F(CliInspectInterior, JsonHoldsTheSameFigures) {
  write_document(folder_.path() / "hand.glb", checked(make_document(two_fingers())));
  const json inside = interior({"hand.glb"});
  EXPECT_EQ(inside["cells_asked"], 12000);
  EXPECT_NEAR(inside["cells"].get<double>(), 12000, 1200);
  EXPECT_EQ(inside["pieces"], 3);
  EXPECT_GT(inside["split_places"], 10);
  EXPECT_EQ(inside["cells"].get<int>(), inside["surface_cells"].get<int>() +
                                            inside["inside_cells"].get<int>() +
                                            inside["enclosed_cells"].get<int>());
  ASSERT_EQ(inside["loose_pieces"].size(), 1u);
  EXPECT_EQ(inside["loose_pieces"][0]["bone"], "middle");
  EXPECT_EQ(inside["loose_pieces"][0]["far"], true);
  ASSERT_FALSE(inside["contacts"].empty());
  EXPECT_EQ(inside["contacts"][0]["bone"], "index");
  EXPECT_EQ(inside["contacts"][0]["other"], "middle");
  EXPECT_LE(inside["contacts"][0]["kept_apart"], inside["split_places"]);
}

TEST_F(CliInspectInterior, CellsAndBonesAreAsAsked) {
  EXPECT_NEAR(interior({"tiny.glb", "--cells", "800"})["cells"].get<double>(), 800, 80);
  write_document(folder_.path() / "arm.glb", checked(make_document(example("tentacle", 2'000))));
  const json thick = interior({"arm.glb", "--cells", "20000"});
  const json thin = interior({"arm.glb", "--cells", "20000", "--bone-radius", "0"});
  EXPECT_LT(thick["unresolved_bones"].size(), thin["unresolved_bones"].size());
  EXPECT_EQ(thick["cells"], thin["cells"]);
}

TEST_F(CliInspectInterior, NothingOfItIsToldUnasked) {
  const Finished told = run({"tiny.glb"});
  EXPECT_FALSE(contains(told.out, "interior"));
  EXPECT_FALSE(run({"tiny.glb", "--json"}).json()["characters"][0].contains("interior"));
}

TEST_F(CliInspectInterior, OfSeveralCharactersEachHasItsOwnAndOneWithoutAMeshNone) {
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const Finished both = run({"two.glb", "--interior", "--cells", "1000", "--json"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  for (const json& character : both.json()["characters"])
    EXPECT_NEAR(character["interior"]["cells"].get<double>(), 1000, 100);
  folder_.write("bones.tgf", "1 0 0 0\n2 0 1 0\n#\n1 2 1 0 0\n");
  EXPECT_TRUE(interior({"bones.tgf"}).is_null());
  EXPECT_EQ(run({"bones.tgf", "--interior"}).exit_code, 0);
}

TEST_F(CliInspectInterior, WrongWordsGetOneSentence) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--cells", "500"},
                                             {"--bone-radius", "0.5"},
                                             {"--interior", "--cells", "0"},
                                             {"--interior", "--cells", "99"},
                                             {"--interior", "--cells", "200001"},
                                             {"--interior", "--cells", "1e3"},
                                             {"--interior", "--bone-radius", "voxel"},
                                             {"--interior", "--bone-radius", "-1"},
                                             {"--interior=maybe"}}) {
    std::vector<std::string> arguments = wrong;
    arguments.insert(arguments.begin(), "tiny.glb");
    const Finished refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << wrong.back() << refused.err;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
  EXPECT_TRUE(contains(run({"tiny.glb", "--cells", "500"}).err, "--interior: is missing"));
}

TEST_F(CliInspectInterior, FlagsTravelInSettings) {
  folder_.write("s.json", R"({"inspect": {"interior": true, "cells": 900}})");
  const json report = run({"tiny.glb", "--settings", "s.json", "--json"}).json();
  EXPECT_EQ(report["characters"][0]["interior"]["cells_asked"], 900);
}

}  // namespace
}  // namespace sinew::test
