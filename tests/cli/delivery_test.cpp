// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "support/binding.h"
#include "support/detail_levels.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using Listing = std::vector<std::string>;

class CliDelivery : public ::testing::Test {
 protected:
  CliDelivery() { write_tiny(folder_.path() / "tiny.glb", {.rows = 40}); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bind");
    return run_sinew(folder_.path(), arguments);
  }
  void write_hand() const {
    write_document(folder_.path() / "hand.glb", checked(make_document(example("hand", 2'000))));
  }
  void write_levels() const {
    const std::vector<std::string> names{"Arm_LOD0", "Arm_LOD1", "Arm_LOD2"};
    const Character levels =
        character_in_levels("tentacle", names, std::vector{4'000, 3'000, 2'000});
    write_document(folder_.path() / "levels.glb", checked(make_document(levels)));
  }
  Document opened(const std::string& file) const {
    return checked(read_gltf(folder_.path() / file));
  }
  std::size_t most_influences(const std::string& file) const {
    const Document document = opened(file);
    return checked(read_characters(document)).front().character.weights.max_influences();
  }
  TemporaryFolder folder_;
};

TEST_F(CliDelivery, EveryBudgetGetsAFile) {
  write_hand();
  const Finished finished =
      run({"hand.glb", "-o", "out.glb", "--max-influences", "2,4,8", "--poses", "4"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(folder_.listing(),
            (Listing{"hand.glb", "out.2.glb", "out.4.glb", "out.8.glb", "tiny.glb"}));
  EXPECT_EQ(most_influences("out.2.glb"), 2u);
  EXPECT_EQ(most_influences("out.4.glb"), 4u);
  EXPECT_GT(most_influences("out.8.glb"), 4u);
  for (const std::string row : {"within 2 ", "within 4 ", "within 8 "})
    EXPECT_TRUE(contains(finished.out, row)) << finished.out;
  const auto poses_of = [&](const std::string& row) {
    const std::size_t at = finished.out.find("on the poses ", finished.out.find(row));
    return finished.out.substr(at, finished.out.find_first_of(",\n", at) - at);
  };
  EXPECT_TRUE(contains(poses_of("within 2 "), "(+")) << "more than within eight\n" << finished.out;
  EXPECT_FALSE(contains(poses_of("within 8 "), "(")) << "nothing to compare it with";
  EXPECT_TRUE(contains(finished.out, " at first\n")) << finished.out;
  EXPECT_TRUE(contains(finished.out, ", lost ")) << "two influences are few for fingers\n"
                                                 << finished.out;
  EXPECT_TRUE(contains(finished.out, "wrote      out.2.glb, out.4.glb and out.8.glb, at most"))
      << finished.out;
  ASSERT_EQ(run({"hand.glb", "-o", "alone.glb", "--max-influences", "4"}).exit_code, 0);
  EXPECT_EQ(folder_.read("alone.glb"), folder_.read("out.4.glb"));
}

TEST_F(CliDelivery, JsonHasEveryBudget) {
  const Finished finished = run({"tiny.glb", "-o", "out.gltf", "--max-influences", "1,2",
                                 "--quantise", "u8", "--poses", "4", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json report = finished.json();
  EXPECT_EQ(report["budgets"], (json{1, 2}));
  EXPECT_EQ(report["quantise"], "u8");
  EXPECT_TRUE(report["target"].is_null());
  EXPECT_EQ(report["outputs"], (json{"out.1.gltf", "out.2.gltf"}));
  EXPECT_EQ(report["files"], (json{"out.1.gltf", "out.1.bin", "out.2.gltf", "out.2.bin"}));
  const json& budgets = report["characters"][0]["budgets"];
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_EQ(budgets[1]["max_influences"], 2);
  EXPECT_TRUE(budgets[1]["arap_finished"].is_number());
  EXPECT_TRUE(budgets[1]["rounding"]["arap_after"].is_number());
  EXPECT_LE(budgets[0]["after"]["max_influences"], 1);
  EXPECT_GE(budgets[0]["after"]["arap"], budgets[1]["after"]["arap"]);
}

TEST_F(CliDelivery, DemandsHoldForEveryBudgetOrNothingIsWritten) {
  const Finished finished = run(
      {"tiny.glb", "-o", "out.glb", "--max-influences", "2,1", "--require", "max_influences>1"});
  EXPECT_EQ(finished.exit_code, 4);
  EXPECT_TRUE(contains(finished.err, "within 1: max_influences>1 is not met")) << finished.err;
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

TEST_F(CliDelivery, OutputOfABudgetMustNotReplaceAnInput) {
  write_tiny(folder_.path() / "bound.2.glb");
  const Finished refused = run({"bound.2.glb", "-o", "bound.glb", "--max-influences", "4,2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "bound.2.glb: this is the input")) << refused.err;
  EXPECT_EQ(folder_.listing(), (Listing{"bound.2.glb", "tiny.glb"}));
  const Finished log = run(
      {"tiny.glb", "-o", "out.glb", "--max-influences", "4,2", "--in-place", "--log", "out.4.csv"});
  EXPECT_EQ(log.exit_code, 0) << log.err;
  EXPECT_EQ(run({"tiny.glb", "--in-place", "--max-influences", "4,2"}).exit_code, 2);
}

TEST_F(CliDelivery, FailureToWriteOneLeavesAllAsTheyWere) {
  folder_.write("out.1.glb", "what was here before");
  std::filesystem::create_directory(folder_.path() / "out.2.glb");
  const Finished finished = run({"tiny.glb", "-o", "out.glb", "--max-influences", "1,2"});
  EXPECT_NE(finished.exit_code, 0);
  EXPECT_EQ(folder_.read("out.1.glb"), "what was here before");
}

TEST_F(CliDelivery, IntegersSumExactlyInTheFileAndTheCostIsTold) {
  write_hand();
  for (const auto& [bits, steps] : {std::pair{"u8", 255U}, std::pair{"u16", 65535U}}) {
    const Finished finished = run({"hand.glb", "-o", "out.glb", "--method", "heat", "--quantise",
                                   bits, "--max-influences", "8", "--poses", "4"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_TRUE(contains(finished.out, std::string("rounded    to ") + bits + ", sums of exactly " +
                                           std::to_string(steps)))
        << finished.out;
    EXPECT_TRUE(contains(finished.out, std::string(", ") + bits + " weights, valid"))
        << finished.out;
    const Document document = opened("out.glb");
    const Json& attributes = document.json["meshes"][0]["primitives"][0]["attributes"];
    std::vector<std::uint32_t> sums;
    for (const char* name : {"WEIGHTS_0", "WEIGHTS_1"}) {
      const int accessor = attributes[name].get<int>();
      const Json& stored = document.json["accessors"][static_cast<std::size_t>(accessor)];
      EXPECT_EQ(stored["normalized"], true);
      EXPECT_EQ(stored["componentType"], steps == 255 ? 5121 : 5123);
      const auto values = checked(read_integers(document, accessor, "VEC4"));
      sums.resize(values.size() / 4);
      for (std::size_t k = 0; k < values.size(); ++k) sums[k / 4] += values[k];
    }
    EXPECT_TRUE(std::all_of(sums.begin(), sums.end(), [&](auto sum) { return sum == steps; }));
    // What was written is on the grid already.
    ASSERT_EQ(run_sinew(folder_.path(), {"copy", "out.glb", "-o", "copy.glb"}).exit_code, 0);
  }
}

TEST_F(CliDelivery, TargetSetsWhatNoFlagSays) {
  write_hand();
  const json unity =
      run({"hand.glb", "-o", "a.glb", "--target", "unity", "--method", "heat", "--json"}).json();
  EXPECT_EQ(unity["target"], "unity");
  EXPECT_EQ(unity["budgets"], json{4});
  EXPECT_EQ(unity["quantise"], "u16");
  const json own = run({"hand.glb", "-o", "b.glb", "--target", "unity", "--method", "heat",
                        "--max-influences", "2", "--quantise", "none", "--json"})
                       .json();
  EXPECT_EQ(own["budgets"], json{2});
  EXPECT_EQ(own["quantise"], "none");
}

TEST_F(CliDelivery, PrimitivesOverTheLimitAreToldOrSplit) {
  write_hand();
  const Finished told = run({"hand.glb", "-o", "told.glb", "--method", "heat", "--poses", "0",
                             "--joints-per-primitive", "12"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.err, "meshes[0].primitives[0]: uses ")) << told.err;
  EXPECT_TRUE(contains(told.err, "the limit is 12; --split-primitives")) << told.err;
  EXPECT_TRUE(contains(told.err, "skins[0]: has ")) << told.err;
  EXPECT_EQ(opened("told.glb").json["meshes"][0]["primitives"].size(), 1u);
  const Finished split = run({"hand.glb", "-o", "split.glb", "--method", "heat", "--poses", "0",
                              "--target", "mobile", "--joints-per-primitive", "12"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  EXPECT_FALSE(contains(split.err, "uses ")) << split.err;
  EXPECT_TRUE(contains(split.out, "joints     at most 12 of 12 in a primitive, ")) << split.out;
  EXPECT_GT(opened("split.glb").json["meshes"][0]["primitives"].size(), 1u);
  const Finished kept =
      run({"hand.glb", "-o", "kept.glb", "--method", "heat", "--poses", "0", "--target", "mobile",
           "--joints-per-primitive", "12", "--no-split-primitives"});
  EXPECT_EQ(opened("kept.glb").json["meshes"][0]["primitives"].size(), 1u) << kept.err;
}

TEST_F(CliDelivery, CoarseLevelsTakeTheWeightsOfTheFinest) {
  write_levels();
  const Finished finished = run({"levels.glb", "-o", "out.glb", "--method", "heat"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out,
                       "levels     3: Arm_LOD0 bound, Arm_LOD1 and Arm_LOD2 took its weights"))
      << finished.out;
  const json report = run({"levels.glb", "-o", "out.glb", "--method", "heat", "--json"}).json();
  EXPECT_EQ(report["lods"], "auto");
  const json& levels = report["characters"][0]["levels"];
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1]["name"], "Arm_LOD2");
  EXPECT_EQ(levels[1]["level"], 2);
  EXPECT_EQ(levels[1]["finest"], "Arm_LOD0");
  const Finished off = run({"levels.glb", "-o", "off.glb", "--method", "heat", "--lods", "off"});
  EXPECT_FALSE(contains(off.out, "levels  ")) << off.out;
  EXPECT_NE(folder_.read("off.glb"), folder_.read("out.glb"));
}

TEST_F(CliDelivery, LevelsThatMeshDoesNotChooseStayAndTheReportSaysSo) {
  write_levels();
  const auto bind_mesh = [&](const std::string& mesh, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"levels.glb", "-o", "out.glb", "--method", "heat",
                                       "--poses",    "0",  "--mesh",  mesh};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  const Finished finest = bind_mesh("Arm_LOD0");
  ASSERT_EQ(finest.exit_code, 0) << finest.err;
  EXPECT_TRUE(contains(finest.out,
                       "levels     3: Arm_LOD0 bound, Arm_LOD1 and Arm_LOD2 as they were (--lods"))
      << finest.out;
  const Finished coarse = bind_mesh("Arm_LOD1");
  EXPECT_TRUE(contains(coarse.out,
                       "levels     3: Arm_LOD0 bound for the others alone (--mesh), Arm_LOD1 took "
                       "its weights, Arm_LOD2 as it was (--lods"))
      << coarse.out;
  const json levels = bind_mesh("Arm_LOD1", {"--json"}).json()["characters"][0]["levels"];
  ASSERT_EQ(levels.size(), 1u) << levels.dump();
  EXPECT_EQ(levels[0]["name"], "Arm_LOD1");
}

TEST_F(CliDelivery, ValuesThatMakeNoSenseExitWithTwoAndOneSentence) {
  const std::vector<std::vector<std::string>> cases = {
      {"--max-influences", "4,0"},
      {"--max-influences", "4,x"},
      {"--max-influences", "4,,2"},
      {"--max-influences", "2,4,2"},
      {"--max-influences", "33"},
      {"--quantise", "u4"},
      {"--target", "unrael"},
      {"--joints-per-primitive", "-1"},
      {"--split-primitives"},
      {"--lods", "maybe"},
      {"--joints-per-primitive", "11", "--split-primitives"}};
  for (const std::vector<std::string>& flags : cases) {
    std::vector<std::string> arguments = {"tiny.glb", "-o", "out.glb"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2) << flags[0];
    EXPECT_TRUE(finished.err.starts_with("sinew: " + flags[0] + ": ")) << finished.err;
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
    EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
  }
}

TEST_F(CliDelivery, SettingsReplayADelivery) {
  ASSERT_EQ(run({"tiny.glb", "-o", "a.glb", "--max-influences", "1,2", "--quantise", "u8",
                 "--joints-per-primitive", "12", "--split-primitives", "--lods", "off",
                 "--save-settings", "s.json"})
                .exit_code,
            0);
  EXPECT_EQ(json::parse(folder_.read("s.json")),
            json::parse(R"({"bind": {"lods": "off", "max_influences": "1,2", "quantise": "u8",
                                     "joints_per_primitive": 12, "split_primitives": true}})"));
  ASSERT_EQ(run({"tiny.glb", "-o", "b.glb", "--settings", "s.json"}).exit_code, 0);
  EXPECT_EQ(folder_.read("a.1.glb"), folder_.read("b.1.glb"));
  EXPECT_EQ(folder_.read("a.2.glb"), folder_.read("b.2.glb"));
}

}  // namespace
}  // namespace sinew::test
