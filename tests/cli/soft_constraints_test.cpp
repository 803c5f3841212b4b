// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Listing = std::vector<std::string>;

/// A tube on three bones, and a ball that sits on it.
class CliSoftConstraints : public ::testing::Test {
 protected:
  CliSoftConstraints() {
    Character tube = make_tube_character(3, 6, 8);
    MeshData ball = ball_data({0.55, 1.1, 0}, 0.2);
    tube.mesh = make_mesh(together(tube.mesh.data(), ball));
    tube.parts[0].vertex_count = tube.mesh.vertex_count();
    tube.weights = SkinWeights(tube.mesh.vertex_count(), 3);
    write_document(folder_.path() / "tube.glb", checked(make_document(tube)));
  }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"bind", "tube.glb", "-o", "out.glb", "--exemplars", "12"});
    return run_sinew(folder_.path(), arguments);
  }
  json report(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.json();
  }
  TemporaryFolder folder_;
};

TEST_F(CliSoftConstraints, ReportHasTheDefaults) {
  const json soft = report({});
  EXPECT_EQ(soft["constraints"], "soft");
  EXPECT_EQ(soft["obedience"], BindOptions().obedience);
  EXPECT_EQ(soft["smoothing"], BindOptions().smoothing);
  EXPECT_EQ(soft["rigid_parts"], "auto");
  EXPECT_TRUE(soft["characters"][0]["rigid"].is_array());
}

TEST_F(CliSoftConstraints, ObedienceTradesDistortionForSkinThatFollows) {
  const json least = report({"--obedience", "0"});
  const json most = report({"--obedience", "1"});
  EXPECT_EQ(least["obedience"], 0);
  EXPECT_EQ(most["obedience"], 1);
  EXPECT_LT(least["characters"][0]["after"]["follow"], most["characters"][0]["after"]["follow"]);
  EXPECT_LT(least["characters"][0]["after"]["arap"], most["characters"][0]["after"]["arap"]);
}

TEST_F(CliSoftConstraints, SmoothingMakesWeightsChangeMoreGently) {
  const json little = report({"--smoothing", "0"});
  const json much = report({"--smoothing", "0.2"});
  EXPECT_EQ(much["smoothing"], 0.2);
  EXPECT_GT(little["characters"][0]["after"]["rough"], much["characters"][0]["after"]["rough"]);
}

TEST_F(CliSoftConstraints, RigidPartsAreOnOneBoneAndNamed) {
  const json all = report({"--rigid-parts", "on", "--links", "off"});
  EXPECT_EQ(all["rigid_parts"], "on");
  const json& character = all["characters"][0];
  ASSERT_EQ(character["rigid"].size(), 2u) << character["rigid"].dump();
  for (const json& part : character["rigid"]) {
    EXPECT_EQ(part["name"], "tube");
    EXPECT_TRUE(contains(part["bone"], "bone")) << part.dump();
    EXPECT_GT(part["vertices"], 0);
  }
  EXPECT_EQ(character["after"]["max_influences"], 1);
  EXPECT_LT(character["after"]["arap"], 1e-20) << "what does not bend is not distorted";

  const json none = report({"--rigid-parts", "off", "--links", "off"});
  EXPECT_EQ(none["characters"][0]["rigid"], json::array());
  EXPECT_GT(none["characters"][0]["after"]["max_influences"], 1);
  const Finished table = run({"--rigid-parts", "on", "--links", "off"});
  EXPECT_TRUE(contains(table.out, "2 rigid on ")) << table.out;
  EXPECT_TRUE(contains(table.out, "(--rigid-parts off)")) << table.out;
}

TEST_F(CliSoftConstraints, WrongValuesAreRefusedAndNothingIsWritten) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"--obedience", "1.1"},    {"--obedience", "-0.1"},  {"--obedience", "much"},
      {"--smoothing", "-1"},     {"--smoothing", "nan"},   {"--smoothing", ""},
      {"--rigid-parts", "some"}, {"--constraints", "hard"}};
  for (const auto& [flag, value] : wrong) {
    const Finished finished = run({flag, value});
    EXPECT_EQ(finished.exit_code, 2) << flag << " " << value;
    EXPECT_TRUE(contains(finished.err, flag)) << finished.err;
  }
  EXPECT_EQ(folder_.listing(), Listing{"tube.glb"});
}

TEST_F(CliSoftConstraints, AreRefusedWhereTheyWouldDoNothing) {
  for (const std::vector<std::string>& without :
       {std::vector<std::string>{"--constraints", "paper"},
        std::vector<std::string>{"--method", "heat"}})
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"--obedience", "0.7"},
          std::vector<std::string>{"--smoothing", "0.1"},
          std::vector<std::string>{"--rigid-parts", "on"}}) {
      std::vector<std::string> arguments = without;
      arguments.insert(arguments.end(), flags.begin(), flags.end());
      const Finished finished = run(arguments);
      EXPECT_EQ(finished.exit_code, 2) << flags[0] << " with " << without[1];
      EXPECT_TRUE(contains(finished.err, flags[0] + ": is for")) << finished.err;
    }
  EXPECT_EQ(folder_.listing(), Listing{"tube.glb"});
  EXPECT_EQ(report({"--constraints", "paper"})["constraints"], "paper");
}

}  // namespace
}  // namespace sinew::test
