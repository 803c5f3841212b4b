// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/move_joints.h"
#include "support/binding.h"
#include "support/capsule_arm.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Listing = std::vector<std::string>;

/// An arm whose elbow was put 3 cm too high, into its skin.
class CliFitJoints : public ::testing::Test {
 protected:
  CliFitJoints() { write_document(folder_.path() / "arm.glb", misplaced_arm()); }

  static Document misplaced_arm() {
    CapsuleArm options;
    options.rings_per_bone = 10;
    options.around = 10;
    options.hand_stretch = 1.2;
    Document document = checked(make_document(capsule_arm(options)));
    std::vector<Vec3> wrong(3, Vec3::Zero());
    wrong[kForeArm] = Vec3(0, 0.03, 0);
    const LoadedCharacter loaded = checked(read_characters(document)).front();
    (void)checked(move_joints(document, loaded, wrong));
    return document;
  }
  /// The same with a mesh that hangs on the elbow.
  static Document arm_with_shield() {
    Document document = misplaced_arm();
    Json shield = document.json["meshes"][0];
    for (const char* name : {"JOINTS_0", "WEIGHTS_0"})
      shield["primitives"][0]["attributes"].erase(name);
    document.json["meshes"].push_back(shield);
    Json& nodes = document.json["nodes"];
    const std::size_t node = nodes.size();
    nodes.push_back({{"name", "Shield"}, {"mesh", 1}});
    for (Json& each : nodes)
      if (each.value("name", "") == "ForeArm") each["children"].push_back(node);
    return document;
  }

  Finished run(const std::string& verb, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), verb);
    return run_sinew(folder_.path(), arguments);
  }
  Finished fit(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"arm.glb", "-o", "out.glb", "--exemplars", "12", "--poses", "8"});
    return run("fit-joints", arguments);
  }
  Skeleton skeleton(const std::string& file) const {
    return load(folder_.path() / file).at(0).character.skeleton;
  }
  std::vector<float> bind_matrices(const std::string& file) const {
    const Document document = checked(read_gltf(folder_.path() / file));
    return checked(
        read_floats(document, document.json["skins"][0]["inverseBindMatrices"].get<int>(), "MAT4"));
  }
  void expect_usage_error(const Finished& finished, const std::string& word) const {
    EXPECT_EQ(finished.exit_code, 2) << word;
    EXPECT_TRUE(contains(finished.err, word)) << finished.err;
    EXPECT_EQ(folder_.listing(), Listing{"arm.glb"}) << word;
  }
  TemporaryFolder folder_;
};

const json& joint_named(const json& joints, const std::string& name) {
  for (const json& joint : joints)
    if (joint["bone"] == name) return joint;
  throw std::runtime_error("no such joint");
}

TEST_F(CliFitJoints, HelpListsItsFlagsAndExamples) {
  const Finished finished = run("fit-joints", {"--help"});
  EXPECT_EQ(finished.exit_code, 0);
  for (const char* flag : {"--lock-joints", "--max-move", "--mirror", "--force", "--exemplars",
                           "--poses", "--output", "--in-place", "sinew fit-joints hero.glb"})
    EXPECT_TRUE(contains(finished.out, flag)) << flag;
}

TEST_F(CliFitJoints, PutsAMisplacedJointBackAndTellsWhatThatBought) {
  const Finished finished = fit({"--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json character = finished.json()["characters"][0];
  EXPECT_LT(character["arap_after"].get<double>(), character["arap_before"].get<double>());
  const json elbow = joint_named(character["joints"], "ForeArm");
  EXPECT_EQ(elbow["direction"], "down");
  EXPECT_GT(elbow["less_distortion"].get<double>(), 0);
  EXPECT_LT(skeleton("out.glb").bone(kForeArm).head().y(), 0.02);
  EXPECT_NEAR(skeleton("out.glb").bone(kForeArm).head().y() - 0.03,
              elbow["displacement"][1].get<double>(), 1e-6);
  EXPECT_LT(character["weights"]["arap_after"].get<double>(),
            character["weights"]["arap_before"].get<double>());
}

TEST_F(CliFitJoints, TellsAPersonTheSame) {
  const Finished finished = fit({});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "fitted     ")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "ForeArm  ")) << finished.out;
  EXPECT_TRUE(contains(finished.out, " down, ")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "less distortion")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "those of the file stay")) << finished.out;
}

TEST_F(CliFitJoints, LeavesTheWeightsOfTheFile) {
  ASSERT_EQ(fit({}).exit_code, 0);
  const SkinWeights before = load(folder_.path() / "arm.glb").at(0).character.weights;
  const SkinWeights after = load(folder_.path() / "out.glb").at(0).character.weights;
  ASSERT_EQ(before.vertex_count(), after.vertex_count());
  for (std::size_t v = 0; v < before.vertex_count(); ++v)
    EXPECT_TRUE(std::ranges::equal(before.row(v), after.row(v), [](const auto& a, const auto& b) {
      return a.bone == b.bone && a.weight == b.weight;
    }));
}

TEST_F(CliFitJoints, LockedJointsStayBitForBit) {
  const Finished finished = fit({"--lock-joints", "fore*,Arm", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json joints = finished.json()["characters"][0]["joints"];
  EXPECT_EQ(joint_named(joints, "ForeArm")["locked"], true);
  EXPECT_EQ(joint_named(joints, "ForeArm")["displacement"], json({0.0, 0.0, 0.0}));
  EXPECT_EQ(joint_named(joints, "Hand")["locked"], false);
  const std::vector<float> before = bind_matrices("arm.glb"), after = bind_matrices("out.glb");
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(before[i], after[i]) << i;
}

TEST_F(CliFitJoints, NoJointGoesFartherThanItMay) {
  const Finished finished = fit({"--max-move", "0.01", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json report = finished.json();
  ASSERT_FALSE(report["characters"][0]["joints"].empty());
  for (const json& joint : report["characters"][0]["joints"])
    EXPECT_LE(joint["distance"].get<double>(), 0.01 * 0.31) << joint;
}

TEST_F(CliFitJoints, AnUnknownJointIsAUsageErrorWithASuggestion) {
  expect_usage_error(fit({"--lock-joints", "Forearn"}),
                     "--lock-joints: no bone matches 'Forearn'; the nearest name is 'ForeArm'");
}

TEST_F(CliFitJoints, FlagsThatNeedFittingSaySoElsewhere) {
  expect_usage_error(run("bind", {"arm.glb", "-o", "out.glb", "--lock-joints", "Hand"}),
                     "--fit-joints");
  expect_usage_error(run("inspect", {"arm.glb", "--max-move", "0.1"}), "--joints");
  expect_usage_error(run("bind", {"arm.glb", "-o", "out.glb", "--fit-joints", "--method", "heat"}),
                     "heat optimises nothing to fit joints to");
}

TEST_F(CliFitJoints, HoldsWhatAPropReliesOnUnlessForced) {
  write_document(folder_.path() / "arm.glb", arm_with_shield());
  const Finished held = fit({"--json"});
  ASSERT_EQ(held.exit_code, 0) << held.err;
  const json elbow = joint_named(held.json()["characters"][0]["joints"], "ForeArm");
  EXPECT_EQ(elbow["displacement"], json({0.0, 0.0, 0.0}));
  EXPECT_EQ(elbow["relied_on"][0]["reason"], "carries the mesh 'Shield'");
  EXPECT_TRUE(contains(fit({}).out, "held       ForeArm (carries the mesh 'Shield'); --force"));

  const Finished forced = fit({"--force", "--json"});
  ASSERT_EQ(forced.exit_code, 0) << forced.err;
  const json moved = joint_named(forced.json()["characters"][0]["joints"], "ForeArm");
  EXPECT_GT(moved["distance"].get<double>(), 0);
  EXPECT_TRUE(moved["relied_on"].empty());
}

TEST_F(CliFitJoints, InspectListsTheSameAndWritesNothing) {
  const Finished listed = run("inspect", {"arm.glb", "--joints", "--poses", "0", "--json"});
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  const json fitted = run("fit-joints", {"arm.glb", "-o", "out.glb", "--poses", "0", "--json"})
                          .json()["characters"][0]["joints"];
  EXPECT_EQ(listed.json()["characters"][0]["joint_fit"]["joints"], fitted);
  std::filesystem::remove(folder_.path() / "out.glb");
  const Finished told = run("inspect", {"arm.glb", "--joints", "--poses", "0"});
  EXPECT_TRUE(contains(told.out, "less distortion")) << told.out;
  EXPECT_TRUE(contains(told.out, "would move; distortion ")) << told.out;
  EXPECT_FALSE(contains(told.out, " moved")) << told.out;
  EXPECT_EQ(folder_.listing(), Listing{"arm.glb"});
}

TEST_F(CliFitJoints, InspectFitsAsItIsTold) {
  const auto arap = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"arm.glb", "--joints", "--poses", "0", "--json"});
    return run("inspect", flags).json()["characters"][0]["joint_fit"]["arap_before"];
  };
  EXPECT_NE(arap({"--exemplars", "5"}), arap({"--exemplars", "6"}));
  EXPECT_TRUE(contains(run("inspect", {"arm.glb", "--exemplars", "5"}).err, "--joints"));
}

TEST_F(CliFitJoints, JointsThatMayNotMoveAreNotSaidToBeWellPlaced) {
  EXPECT_TRUE(contains(fit({"--max-move", "0"}).out, "none of 3 may move: --max-move is 0"));
  EXPECT_TRUE(contains(fit({"--lock-joints", "*"}).out, "none of 3 may move: all are locked"));
}

TEST_F(CliFitJoints, BindFitsJointsAndBindsToThem) {
  const Finished finished = run("bind", {"arm.glb", "-o", "out.glb", "--fit-joints", "--exemplars",
                                         "12", "--poses", "8", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json character = finished.json()["characters"][0];
  const json elbow = joint_named(character["joint_fit"]["joints"], "ForeArm");
  EXPECT_NEAR(skeleton("out.glb").bone(kForeArm).head().y() - 0.03,
              elbow["displacement"][1].get<double>(), 1e-6);
  EXPECT_LT(character["after"]["arap"].get<double>(), character["before"]["arap"].get<double>());
}

TEST_F(CliFitJoints, ReplaysItsSettings) {
  const Finished direct =
      fit({"--lock-joints", "Hand", "--max-move", "0.05", "--save-settings", "arm.sinew.json"});
  ASSERT_EQ(direct.exit_code, 0) << direct.err;
  const std::string first = folder_.read("out.glb");
  const Finished replayed =
      run("fit-joints", {"arm.glb", "-o", "out.glb", "--settings", "arm.sinew.json"});
  ASSERT_EQ(replayed.exit_code, 0) << replayed.err;
  EXPECT_EQ(replayed.out, direct.out);
  EXPECT_EQ(folder_.read("out.glb"), first);
}

TEST_F(CliFitJoints, RefusesToReplaceItsInput) {
  expect_usage_error(run("fit-joints", {"arm.glb", "-o", "arm.glb"}), "--in-place");
}

}  // namespace
}  // namespace sinew::test
