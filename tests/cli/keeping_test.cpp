// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/sinew_process.h"
#include "support/stored_weights.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Listing = std::vector<std::string>;

/// A tube of 136 vertices on four bones, bone0 to bone3, whose upper half is masked.
class CliKeeping : public ::testing::Test {
 protected:
  CliKeeping() {
    const Character tube = make_tube_character(4, 4, 8);
    Document document = checked(make_document(tube));
    std::vector<float> mask;
    for (const Vec3& position : tube.mesh.positions()) mask.push_back(is_masked(position));
    AccessorData data;
    data.floats = mask;
    data.target = BufferTarget::vertices;
    const int accessor = append_accessor(document, data);
    document.json["meshes"][0]["primitives"][0]["attributes"]["_MASK"] = accessor;
    write_document(folder_.path() / "tube.glb", document);
  }
  static float is_masked(const Vec3& position) { return position.y() > 2 ? 1.0F : 0.0F; }

  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"bind", "tube.glb", "-o", "out.glb", "--poses", "0", "--exemplars", "12"});
    return run_sinew(folder_.path(), arguments);
  }
  /// What a run wrote.
  SkinWeights weights(const std::vector<std::string>& arguments) const {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return load(folder_.path() / "out.glb").at(0).character.weights;
  }
  Character before() const { return load(folder_.path() / "tube.glb").at(0).character; }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& word) const {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2) << word;
    EXPECT_TRUE(contains(finished.err, word)) << finished.err;
    EXPECT_EQ(folder_.listing(), Listing{"tube.glb"}) << word;
  }
  TemporaryFolder folder_;
};

std::vector<bool> changed_bones(const SkinWeights& before, const SkinWeights& after) {
  std::vector<bool> changed(before.bone_count(), false);
  for (std::size_t v = 0; v < before.vertex_count(); ++v)
    for (std::uint32_t bone = 0; bone < before.bone_count(); ++bone)
      if (std::abs(weight_of(before, v, bone) - weight_of(after, v, bone)) > 2e-7)
        changed[bone] = true;
  return changed;
}

TEST_F(CliKeeping, LockedBonesKeepTheirWeights) {
  const std::vector<bool> changed =
      changed_bones(before().weights, weights({"--lock", "bone0,bone3"}));
  EXPECT_EQ(changed, (std::vector<bool>{false, true, true, false}));
}

TEST_F(CliKeeping, OnlyTheNamedBonesChange) {
  const std::vector<bool> changed =
      changed_bones(before().weights, weights({"--only", "bone1", "--only", "bone0"}));
  EXPECT_EQ(changed, (std::vector<bool>{true, true, false, false}));
}

TEST_F(CliKeeping, OnlyVerticesOfTheMaskChange) {
  const Character character = before();
  const SkinWeights after = weights({"--vertices", "_MASK"});
  std::size_t changes = 0;
  for (std::size_t v = 0; v < after.vertex_count(); ++v)
    for (std::uint32_t bone = 0; bone < 4; ++bone) {
      const bool is_same =
          std::abs(weight_of(after, v, bone) - weight_of(character.weights, v, bone)) < 2e-7;
      EXPECT_TRUE(is_same || is_masked(character.mesh.positions()[v]) > 0) << v;
      changes += !is_same;
    }
  EXPECT_GT(changes, 0u);
}

TEST_F(CliKeeping, MixGoesFromTheFilesWeightsToTheNewOnes) {
  const SkinWeights old = before().weights;
  const SkinWeights fresh = weights({});
  const SkinWeights none = weights({"--mix", "0"});
  const SkinWeights half = weights({"--mix", "0.5"});
  EXPECT_EQ(weights({"--mix", "1"}), fresh);
  EXPECT_NE(changed_bones(old, fresh), std::vector<bool>(4, false));
  EXPECT_EQ(changed_bones(old, none), std::vector<bool>(4, false));
  for (std::size_t v = 0; v < old.vertex_count(); ++v)
    for (std::uint32_t bone = 0; bone < 4; ++bone)
      EXPECT_NEAR(weight_of(half, v, bone),
                  (weight_of(old, v, bone) + weight_of(fresh, v, bone)) / 2, 1e-6);
}

TEST_F(CliKeeping, ExistingWeightsAreMadeBetterAndTheReportSaysSo) {
  const json fresh = run({"--json"}).json()["characters"][0];
  EXPECT_TRUE(fresh["polish"].is_null()) << fresh.dump();
  const json polish = run({"--init", "existing", "--json"}).json()["characters"][0]["polish"];
  EXPECT_GT(polish["blend"], 0) << polish.dump();
  EXPECT_LE(polish["blend"], 1);
  EXPECT_LT(polish["arap_after"], polish["arap_before"]);
  const Finished table = run({"--init", "existing"});
  EXPECT_TRUE(contains(table.out, "polish     arap ")) << table.out;
}

TEST_F(CliKeeping, ExistingWeightsThatComeBackAreToldWithWhatWasWorse) {
  // All on one bone: it does not distort at all.
  Character tube = before();
  tube.weights = rigid_weights(std::vector<int>(tube.mesh.vertex_count(), 0), 4);
  write_document(folder_.path() / "tube.glb", checked(make_document(tube)));
  const Finished finished = run({"--init", "existing"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "came back as they were (10% of the way, arap "))
      << finished.out;
}

TEST_F(CliKeeping, ExistingWeightsThatCannotBeBetterComeBack) {
  const Finished finished = run({"--init", "existing", "--mix", "0"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(
      contains(finished.out, "polish     nothing was better: the weights came back as they were"))
      << finished.out;
  EXPECT_EQ(
      changed_bones(before().weights, load(folder_.path() / "out.glb").at(0).character.weights),
      std::vector<bool>(4, false));
}

TEST_F(CliKeeping, WhatCannotBeKeptIsRefusedAndNothingIsWritten) {
  expect_refused({"--lock", "bone7"}, "--lock: no bone matches 'bone7'");
  expect_refused({"--only", "nobody"}, "--only: no bone matches 'nobody'");
  expect_refused({"--vertices", "_MAKS"}, "--vertices: _MAKS");
  expect_refused({"--mix", "1.5"}, "--mix");
  expect_refused({"--mix", "half"}, "--mix");
  expect_refused({"--init", "better"}, "--init");
  expect_refused({"--init", "existing", "--method", "heat"}, "soft constraints");
  expect_refused({"--init", "existing", "--constraints", "paper"}, "soft constraints");
  expect_refused({"--lock", "bone0,bone1", "--max-influences", "1"},
                 "--max-influences: 1 is too few: vertex ");
  expect_refused({"--lock", "bone0,bone1", "--max-influences", "1", "--fit-joints"},
                 "sinew: --max-influences: 1 is too few: vertex ");
}

TEST_F(CliKeeping, FlagsThatContradictEachOtherAreRefusedBeforeTheWork) {
  expect_refused({"--lock", "bone1", "--spine", "bone1"},
                 "--lock: keeps the weights of 'bone1', which --spine shares out");
  expect_refused({"--lock", "bone1", "--twist-bones", "bone1"},
                 "--lock: keeps the weights of 'bone1', which --twist-bones shares out");
  expect_refused({"--lock", "bone1", "--skip-bones", "bone1"},
                 "--skip-bones: 'bone1' is to have no weights, and --lock names it");
  expect_refused({"--only", "bone1", "--skip-bones", "bone1"},
                 "--skip-bones: 'bone1' is to have no weights, and --only names it");
}

TEST_F(CliKeeping, EditsOfWhatStaysAreRefused) {
  TemporaryFolder edits;
  edits.write("edits.json", R"({"sinew_edits": 1, "edits": [{"edit": "set_weights",
    "bone": "bone1", "weight": 0.9, "where": {"vertices": [0, 1, 2, 3]}}]})");
  const std::string file = (edits.path() / "edits.json").string();
  expect_refused({"--edits", file, "--lock", "bone1"},
                 "edits.json: edits[0].bone: bone1 is locked (--lock)");
  expect_refused({"--edits", file, "--vertices", "_MASK"},
                 "edits.json: edits[0].where: chooses no vertex that may change (--vertices)");
  for (const std::vector<std::string>& kept :
       {std::vector<std::string>{"--init", "existing"}, {"--mix", "0.5"}}) {
    std::vector<std::string> arguments{"--edits", file};
    arguments.insert(arguments.end(), kept.begin(), kept.end());
    expect_refused(arguments, "--edits: are made to weights that are made anew");
  }
}

TEST_F(CliKeeping, NothingMayChangeIsWarnedOf) {
  const Finished finished = run({"--mix", "0"});
  EXPECT_TRUE(contains(finished.err, "nothing may change: --mix 0")) << finished.err;
  EXPECT_FALSE(contains(run({"--mix", "0.5"}).err, "nothing may change"));
}

TEST_F(CliKeeping, WeightsThatComeBackUnderACapAreSaidToBeCut) {
  const Finished finished = run({"--init", "existing", "--mix", "0", "--max-influences", "1"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(
      contains(finished.out, "the weights came back as they were, cut to 1 influence: arap "))
      << finished.out;
  EXPECT_FALSE(contains(finished.err, "nothing may change")) << finished.err;
  const json polish = run({"--init", "existing", "--mix", "0", "--max-influences", "1", "--json"})
                          .json()["characters"][0]["polish"];
  EXPECT_GT(polish["cut"], 0) << polish.dump();
  EXPECT_NE(polish["arap_file"], polish["arap_before"]) << polish.dump();
}

TEST_F(CliKeeping, WhereTheOldWeightsWereBetterTheTableSaysWhatHelps) {
  const auto judged = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"bind", "tube.glb", "-o", "out.glb", "--poses", "8",
                                         "--exemplars", "12", "--max-influences", "1"});
    return run_sinew(folder_.path(), arguments).out;
  };
  const std::string fresh = judged({});
  EXPECT_TRUE(
      contains(fresh, "worse      the old weights distort less; --init existing keeps them"))
      << fresh;
  const std::string existing = judged({"--init", "existing", "--mix", "0"});
  EXPECT_TRUE(contains(existing, "; a higher --max-influences keeps them")) << existing;
}

TEST_F(CliKeeping, CharacterWithoutTheMaskOfAnotherIsKeptWhole) {
  Document crowd = two_characters("first", "second");
  const std::vector<float> mask(
      accessor_count(crowd, crowd.json["meshes"][1]["primitives"][0]["attributes"]["POSITION"]), 1);
  AccessorData data;
  data.floats = mask;
  data.target = BufferTarget::vertices;
  const int accessor = append_accessor(crowd, data);
  crowd.json["meshes"][1]["primitives"][0]["attributes"]["_MASK"] = accessor;
  write_document(folder_.path() / "crowd.glb", crowd);
  const auto bind_crowd = [&](const std::string& attribute) {
    return run_sinew(folder_.path(), {"bind", "crowd.glb", "-o", "out.glb", "--poses", "0",
                                      "--exemplars", "12", "--vertices", attribute});
  };
  EXPECT_EQ(bind_crowd("_MAKS").exit_code, 2);
  const Finished finished = bind_crowd("_MASK");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_FALSE(contains(finished.err, "nothing may change")) << finished.err;
  const std::vector<LoadedCharacter> old = load(folder_.path() / "crowd.glb");
  const std::vector<LoadedCharacter> now = load(folder_.path() / "out.glb");
  EXPECT_EQ(changed_bones(old.at(0).character.weights, now.at(0).character.weights),
            std::vector<bool>(old[0].character.skeleton.bone_count(), false));
  EXPECT_NE(changed_bones(old.at(1).character.weights, now.at(1).character.weights),
            std::vector<bool>(old[1].character.skeleton.bone_count(), false));
}

TEST_F(CliKeeping, FileWithoutWeightsHasNothingToKeep) {
  folder_.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  folder_.write("bones.tgf", "1 0.5 0 0\n2 0.5 0.5 0\n3 0.5 1 0\n#\n1 2 1 0 0\n2 3 1 0 0\n");
  const Finished finished = run_sinew(
      folder_.path(),
      {"bind", "quad.obj", "--skeleton", "bones.tgf", "-o", "out.glb", "--init", "existing"});
  EXPECT_EQ(finished.exit_code, 2) << finished.err;
  EXPECT_TRUE(contains(finished.err, "there are no weights to start from")) << finished.err;
  EXPECT_EQ(folder_.listing(), (Listing{"bones.tgf", "quad.obj", "tube.glb"}));
}

}  // namespace
}  // namespace sinew::test
