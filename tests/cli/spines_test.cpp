// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/capsule_arm.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

class CliSpines : public ::testing::Test {
 protected:
  CliSpines() {
    write_document(folder_.path() / "arm.glb",
                   checked(make_document(capsule_arm({.hand_bend_deg = 30}))));
  }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"bind", "arm.glb", "-o", "out.glb", "--method", "heat", "--poses", "0"});
    return run_sinew(folder_.path(), arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(CliSpines, ASpineBecomesARowOfJointsThatTheClipMoves) {
  const Finished finished = run({"--spine", "ForeArm", "--spine-bones", "6", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json row = finished.json()["characters"][0]["spines"]["rows"][0];
  EXPECT_EQ(row["bone"], "ForeArm");
  EXPECT_EQ(row["joints"], 6);
  EXPECT_EQ(row["clips"], 1);
  const Character character = load(folder_.path() / "out.glb").at(0).character;
  EXPECT_EQ(character.skeleton.bone_count(), 9U);
  EXPECT_EQ(character.skeleton.bone(3).name, "ForeArm.spine.0");
  EXPECT_LE(character.weights.max_influences(), 4U);
}

TEST_F(CliSpines, TwistHelpersComeWithDriversBesideTheFile) {
  const Finished finished = run({"--twist-bones", "auto"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "ForeArm keeps")) << finished.out;
  std::ifstream file(folder_.path() / "out.drivers.json");
  const nlohmann::json drivers = nlohmann::json::parse(file);
  ASSERT_EQ(drivers["drivers"].size(), 7U);
  EXPECT_EQ(drivers["drivers"][3]["source"], "Hand");
  EXPECT_EQ(drivers["drivers"][3]["weight"], 0.5);
}

TEST_F(CliSpines, TwistJointsSetsHowManyHelpersALimbGets) {
  for (const char* limbs : {"auto", "ForeArm"}) {
    const Finished finished = run({"--twist-bones", limbs, "--twist-joints", "4", "--json"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.json()["characters"][0]["spines"]["rows"][0]["joints"], 4) << limbs;
  }
}

TEST_F(CliSpines, WhereDriversCannotBeWrittenNothingIs) {
  std::filesystem::create_directory(folder_.path() / "out.drivers.json");
  std::ofstream(folder_.path() / "out.drivers.json" / "in the way") << "";
  EXPECT_NE(run({"--twist-bones", "auto"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.glb"));
}

/// Figures of the first character of a report.
nlohmann::json figures_of(const Finished& finished) {
  return finished.json()["characters"][0]["figures"];
}

TEST_F(CliSpines, InspectJudgesAHoundWithRowsAsBindDid) {
  ASSERT_EQ(
      run_sinew(folder_.path(), {"example", "quadruped", "--vertices", "2000", "-o", "hound.glb"})
          .exit_code,
      0);
  const auto bind = [&](const std::string& output, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"bind", "hound.glb", "-o", output, "--poses", "12", "--json"});
    return run_sinew(folder_.path(), arguments);
  };
  const Finished rows = bind("rows.glb", {"--spine", "Chest,Tail1", "--spine-bones", "8"});
  ASSERT_EQ(rows.exit_code, 0) << rows.err;
  const nlohmann::json said = rows.json()["characters"][0]["after"];
  const nlohmann::json found =
      figures_of(run_sinew(folder_.path(), {"inspect", "rows.glb", "--poses", "12", "--json"}));
  const double arap = said["arap"].get<double>();
  EXPECT_NEAR(found["arap"].get<double>(), arap, 0.01 * arap);
  EXPECT_NEAR(found["follow"].get<double>(), said["follow"].get<double>(), 0.01);
  EXPECT_EQ(found["dead"], said["dead"]);

  std::ofstream(folder_.path() / "rig.json")
      << R"({"sinew_rig": 1, "bones": {"Chest": {"kind": "spine"}, "Tail1": {"kind": "spine"}}})";
  const Finished exact = bind("exact.glb", {"--rig", "rig.json", "--max-influences", "3"});
  ASSERT_EQ(exact.exit_code, 0) << exact.err;
  const nlohmann::json of_exact =
      figures_of(run_sinew(folder_.path(), {"inspect", "exact.glb", "--poses", "12", "--json"}));
  EXPECT_NEAR(of_exact["arap"].get<double>(), arap, 0.05 * arap);
  EXPECT_EQ(of_exact["dead"], said["dead"]);
}

TEST_F(CliSpines, FlagsThatNoBoneGoesByAreTold) {
  const auto told = [&](const std::vector<std::string>& arguments) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.out + finished.err;
  };
  EXPECT_TRUE(contains(told({"--spine-bones", "4", "--spine-parameters", "harmonic"}),
                       "nothing takes notice of --spine-bones, --spine-parameters"));
  const std::string of_twist =
      told({"--spine-bones", "4", "--twist-bones", "ForeArm", "--spine-parameters", "harmonic"});
  EXPECT_TRUE(contains(of_twist, "nothing takes notice of --spine-bones;")) << of_twist;
  EXPECT_FALSE(contains(told({"--spine-bones", "4", "--spine", "ForeArm"}), "takes notice"));
}

TEST_F(CliSpines, LimbsThatNeedNoHelpersAreNamedWithTheReason) {
  write_document(folder_.path() / "arm.glb",
                 checked(make_document(capsule_arm({.hand_twist_deg = 0, .hand_bend_deg = 30}))));
  const Finished finished = run({"--twist-bones", "auto"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "no helper joints, of 2 limbs looked at: Arm "))
      << finished.out;
  EXPECT_TRUE(contains(finished.out, "ForeArm is twisted by 0 degrees at most in the clips"))
      << finished.out;
  EXPECT_FALSE(contains(run({}).out, "looked at"));
}

TEST_F(CliSpines, DriversAreNamedAsTheFileThatHoldsThem) {
  const Finished finished = run({"--twist-bones", "ForeArm"});
  EXPECT_TRUE(contains(finished.out, "by out.drivers.json beside it")) << finished.out;
}

TEST_F(CliSpines, AMeshThatKeepsItsWeightsOnABoneLetsItBecomeNoRow) {
  // The cap is all on the knee; the coat is on both bones.
  write_document(folder_.path() / "two.glb", two_meshes("coat", "cap"));
  const auto bind = [&](const std::string& mesh, const std::string& flag) {
    return run_sinew(folder_.path(), {"bind", "two.glb", "-o", "out.glb", "--method", "heat",
                                      "--poses", "0", "--mesh", mesh, flag, "mixamorig:Hip"});
  };
  const Finished refused = bind("cap", "--spine");
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_TRUE(contains(refused.err,
                       "--spine: 'mixamorig:Hip' would tear mesh 'coat', which --mesh "
                       "leaves on the straight bone"))
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.glb"));
  EXPECT_EQ(bind("coat", "--spine").exit_code, 0);
  EXPECT_EQ(bind("cap", "--twist-bones").exit_code, 0);
}

TEST_F(CliSpines, BoundAgainJointsOfARowGuessNoEndsAndKeepTheirBands) {
  ASSERT_EQ(run({"--spine", "ForeArm", "--spine-bones", "4"}).exit_code, 0);
  const Finished again = run_sinew(folder_.path(), {"bind", "out.glb", "-o", "again.glb",
                                                    "--method", "heat", "--poses", "0", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const nlohmann::json bones = again.json()["characters"][0]["bones"];
  ASSERT_EQ(bones.size(), 7U);
  for (std::size_t j = 3; j < bones.size(); ++j) EXPECT_FALSE(bones[j]["guessed_tail"]) << j;
  EXPECT_FALSE(contains(again.err, "no vertex moves with")) << again.err;
  // Half way along the part of each, from 0.3 to 0.6, it is the one that weighs most.
  const Character character = load(folder_.path() / "again.glb").at(0).character;
  const std::vector<int> dominant = dominant_bones(character.weights);
  std::vector<std::size_t> seen(4, 0);
  for (std::size_t v = 0; v < dominant.size(); ++v) {
    const double u = (character.mesh.positions()[v].x() - 0.3) / 0.3;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (std::abs(u - (static_cast<double>(k) + 0.5) / 4) > 0.06) continue;
      EXPECT_EQ(dominant[v], static_cast<int>(3 + k)) << u;
      ++seen[k];
    }
  }
  for (const std::size_t count : seen) EXPECT_GT(count, 10U);
}

TEST_F(CliSpines, WithoutTheFlagsNothingIsAdded) {
  ASSERT_EQ(run({}).exit_code, 0);
  EXPECT_EQ(load(folder_.path() / "out.glb").at(0).character.skeleton.bone_count(), 3U);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.drivers.json"));
}

TEST_F(CliSpines, WhatMakesNoSenseIsRefusedByTheFlagThatSaidIt) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2) << finished.err;
    EXPECT_TRUE(contains(finished.err, words)) << finished.err;
  };
  refused({"--spine", "ForArm"},
          "--spine: no bone matches 'ForArm'; the nearest name is 'ForeArm'");
  refused({"--spine", "ForeArm", "--stretch-twist", "ForeArm"},
          "--stretch-twist: 'ForeArm' is asked for as spine and as stretch-twist bone");
  refused({"--spine", "ForeArm", "--spine-bones", "65"}, "--spine-bones: 65 is not from 2 to 64");
  refused({"--spine", "ForeArm", "--spine-bones", "auto:x"}, "--spine-bones: 'auto:x' is neither");
  refused({"--twist-bones", "Finger"}, "--twist-bones: no bone matches 'Finger'");
  refused({"--twist-bones", "Hand"}, "--twist-bones: no bone hangs on 'Hand'");
  refused({"--spine-bones", "many"}, "--spine-bones: 'many' is neither");
  refused({"--twist-joints", "5"}, "--twist-joints: no limb gets any");
  refused({"--twist-bones", "auto", "--twist-joints", "1"}, "--twist-joints");
}

}  // namespace
}  // namespace sinew::test
