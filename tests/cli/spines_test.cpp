// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/capsule_arm.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

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
  refused({"--twist-joints", "5"}, "--twist-joints: no limb gets any");
  refused({"--twist-bones", "auto", "--twist-joints", "1"}, "--twist-joints");
}

}  // namespace
}  // namespace sinew::test
