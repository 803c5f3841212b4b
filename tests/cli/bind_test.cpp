// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/binding.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

using nlohmann::json;

class CliBind : public ::testing::Test {
 protected:
  CliBind() { write_tiny(folder_.path() / "tiny.glb"); }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bind");
    return run_sinew(folder_.path(), arguments);
  }
  json inspected(const std::string& file, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"inspect", file, "--json"});
    return run_sinew(folder_.path(), arguments).json()["characters"];
  }
  double weight_share(const std::string& file, const std::string& bone) const {
    return inspected(file, {"--bones", bone})[0]["bones"][0]["weight_share"].get<double>();
  }
  void write_quad_and_bones() const {
    folder_.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    folder_.write("bones.tgf", "1 0.5 0 0\n2 0.5 0.5 0\n3 0.5 1 0\n#\n1 2 1 0 0\n2 3 1 0 0\n");
  }
  TemporaryFolder folder_;
};

using Listing = std::vector<std::string>;

TEST_F(CliBind, PrintsATableThatEndsWithWhatWasWritten) {
  write_tiny(folder_.path() / "tiny.glb", {.rows = 40});
  const Finished finished = run({"tiny.glb", "-o", "bound.glb"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const std::vector<std::string> rows = {
      "tiny.glb   1 mesh, 80 vertices, 78 triangles, 2 joints, 1 clip",
      "bind pose  inverse bind matrices\n",
      "bones      2 deform\n",
      "guessed    where 1 leaf bone ends: mixamorig:Knee (--rig)\n",
      "solve      ",
      " over 80 poses, ",
      " within 4 influences\n",
      "arap       ",
      " clips ",
      "follow     ",
      "worst      mixamorig:",
      "wrote      bound.glb, at most 2 influences, valid; tiny.glb untouched\n"};
  std::size_t at = 0;
  for (const std::string& row : rows) {
    at = finished.out.find(row, at);
    ASSERT_NE(at, std::string::npos) << row << "\nis missing or out of order in\n" << finished.out;
  }
  EXPECT_TRUE(finished.out.ends_with(rows.back())) << finished.out;
  EXPECT_FALSE(contains(finished.out, "parts")) << "one part is nothing to say: " << finished.out;
  EXPECT_FALSE(contains(finished.out, "repaired")) << finished.out;
}

TEST_F(CliBind, FiguresBeforeAndAfterAreOfTheSamePoses) {
  write_tiny(folder_.path() / "tiny.glb", {.rows = 40});
  const json first = run({"tiny.glb", "-o", "a.glb", "--json"}).json()["characters"][0];
  ASSERT_TRUE(first["before"]["arap"].is_number()) << first.dump();
  // Bound again, what was made is what is there: the same poses give the same figures.
  const json second = run({"a.glb", "-o", "b.glb", "--json"}).json()["characters"][0];
  for (const std::string figure : {"arap", "clips", "follow"})
    EXPECT_NEAR(second["before"][figure].get<double>(), first["after"][figure].get<double>(), 1e-6)
        << figure;
}

TEST_F(CliBind, FileWithoutWeightsIsJudgedAfterwardsOnly) {
  write_quad_and_bones();
  const std::vector<std::string> bind = {"quad.obj", "--skeleton", "bones.tgf", "-o", "out.glb"};
  const Finished plain = run(bind);
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_TRUE(contains(plain.out, "arap       ")) << plain.out;
  EXPECT_FALSE(contains(plain.out.substr(plain.out.find("\narap")), "->")) << plain.out;
  std::vector<std::string> with_json = bind;
  with_json.emplace_back("--json");
  const json character = run(with_json).json()["characters"][0];
  EXPECT_TRUE(character["before"]["arap"].is_null()) << character.dump();
  EXPECT_TRUE(character["after"]["arap"].is_number());
}

TEST_F(CliBind, UnskinnedMeshIsBoundToTheSkeletonOfAnotherFile) {
  write_quad_and_bones();
  const Finished finished =
      run({"quad.obj", "--skeleton", "bones.tgf", "-o", "out.glb", "--max-influences", "2"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json figures = inspected("out.glb")[0]["figures"];
  EXPECT_EQ(figures["joints"], 2);
  EXPECT_EQ(figures["unweighted"], 0);
  EXPECT_LE(figures["max_influences"], 2);
  EXPECT_EQ(figures["unused_joints"], 0);
}

TEST_F(CliBind, EveryVertexHasWeightsWithinTheCapByEitherMethod) {
  for (const std::string method : {"heat", "bbw", "distance"}) {
    for (const std::string cap : {"1", "2", "8"}) {
      const Finished finished =
          run({"tiny.glb", "-o", "out.glb", "--method", method, "--max-influences", cap, "--json"});
      ASSERT_EQ(finished.exit_code, 0) << finished.err;
      EXPECT_EQ(finished.json()["method"], method);
      const json figures = inspected("out.glb")[0]["figures"];
      EXPECT_EQ(figures["unweighted"], 0);
      EXPECT_LE(figures["max_influences"], std::stoi(cap));
    }
  }
}

TEST_F(CliBind, JsonTellsWhatWasFoundAndGuessed) {
  const Finished finished = run({"tiny.glb", "-o", "bound.glb", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json report = finished.json();
  EXPECT_EQ(report["ok"], true);
  EXPECT_EQ(report["output"], "bound.glb");
  EXPECT_EQ(report["max_influences"], 4);
  EXPECT_TRUE(report["notices"].is_array());
  const json& character = report["characters"][0];
  ASSERT_EQ(character["bones"].size(), 2u) << character.dump();
  EXPECT_EQ(character["bones"][1]["name"], "mixamorig:Knee");
  EXPECT_EQ(character["bones"][1]["deforms"], true);
  EXPECT_EQ(character["bones"][1]["reason"], "has_weights");
  EXPECT_EQ(character["bones"][1]["guessed_tail"], true);
  EXPECT_EQ(character["welded_vertices"], 8);
  EXPECT_EQ(character["parts"], 1);
  for (const std::string field : {"rehung", "linked", "props", "joints_at_one_place"})
    EXPECT_EQ(character[field], json::array()) << field;
  EXPECT_EQ(character["repairs"]["not_finite"], 0);
  EXPECT_GT(character["seconds"].size(), 0u);
  EXPECT_EQ(character["after"]["unweighted"], 0);
  EXPECT_TRUE(character["before"]["arap"].is_number());
  EXPECT_TRUE(character["worst"]["turned_deg"].is_number());
}

TEST_F(CliBind, ValuesThatMakeNoSenseExitWithTwoAndWriteNothing) {
  const std::vector<std::vector<std::string>> cases = {
      {"--method", "heet"},    {"--max-influences", "0"}, {"--links", "maybe"},
      {"--poses", "-1"},       {"--animation", "Bent"},   {"--bones", "ankle"},
      {"--skip-bones", "n*"},  {"--mesh", "trousers"},    {"--character", "other"},
      {"--require", "arab<1"}, {"--poses", "10001"}};
  for (const std::vector<std::string>& flags : cases) {
    std::vector<std::string> arguments = {"tiny.glb", "-o", "out.glb"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2) << flags[0];
    EXPECT_TRUE(finished.err.starts_with("sinew: " + flags[0] + ": ")) << finished.err;
    EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
  }
  EXPECT_EQ(run({"tiny.glb"}).exit_code, 2) << "no output is said";
}

TEST_F(CliBind, BoneThatMatchesNothingGetsTheNearestName) {
  for (const std::string flag : {"--bones", "--skip-bones"}) {
    const Finished finished = run({"tiny.glb", "-o", "out.glb", flag, "hip,kne"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_TRUE(contains(finished.err,
                         "no bone matches 'kne'; the nearest name is "
                         "'mixamorig:Knee'"))
        << finished.err;
  }
}

TEST_F(CliBind, SkippedBonesCarryNothingAndNamedOnesCarryAgain) {
  ASSERT_EQ(run({"tiny.glb", "-o", "a.glb", "--skip-bones", "KN*"}).exit_code, 0);
  EXPECT_EQ(weight_share("a.glb", "knee"), 0);
  const Finished again = run({"a.glb", "-o", "b.glb"});
  EXPECT_TRUE(contains(again.out, "bones      1 deform; 1 skipped: mixamorig:Knee (--bones)"))
      << again.out;
  EXPECT_EQ(weight_share("b.glb", "knee"), 0);
  ASSERT_EQ(run({"b.glb", "-o", "c.glb", "--bones", "knee, hip"}).exit_code, 0);
  EXPECT_GT(weight_share("c.glb", "knee"), 0);
}

TEST_F(CliBind, NameWithACommaIsOneName) {
  write_tiny(folder_.path() / "tiny.glb", {.lower_bone = "hip", .upper_bone = "knee, left"});
  ASSERT_EQ(run({"tiny.glb", "-o", "out.glb", "--skip-bones", "Knee, left"}).exit_code, 0);
  EXPECT_EQ(weight_share("out.glb", "knee*"), 0);
  EXPECT_EQ(run({"tiny.glb", "-o", "out.glb", "--skip-bones", ","}).exit_code, 2);
}

TEST_F(CliBind, SkippingEveryBoneIsNotSilentlyIgnored) {
  const Finished finished = run({"tiny.glb", "-o", "out.glb", "--skip-bones", "*"});
  EXPECT_EQ(finished.exit_code, 2) << finished.out;
  EXPECT_TRUE(contains(finished.err, "no bone is left to bind to")) << finished.err;
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

TEST_F(CliBind, DeformingSetIsRecordedInTheNodes) {
  ASSERT_EQ(run({"tiny.glb", "-o", "out.gltf", "--skip-bones", "knee"}).exit_code, 0);
  const json nodes = json::parse(folder_.read("out.gltf"))["nodes"];
  std::size_t said = 0;
  for (const json& node : nodes) {
    if (!node.contains("extras")) continue;
    ++said;
    EXPECT_EQ(node["extras"]["sinew"]["deform"], node["name"] == "mixamorig:Hip") << node.dump();
  }
  EXPECT_EQ(said, 2u);
}

TEST_F(CliBind, SettingsReplayABind) {
  ASSERT_EQ(run({"tiny.glb", "-o", "a.glb", "--method", "distance", "--max-influences", "1",
                 "--skip-bones", "knee", "--save-settings", "s.json"})
                .exit_code,
            0);
  EXPECT_EQ(json::parse(folder_.read("s.json")),
            json::parse(R"({"bind": {"method": "distance", "max_influences": 1,
                                     "skip_bones": ["knee"]}})"));
  ASSERT_EQ(run({"tiny.glb", "-o", "b.glb", "--settings", "s.json"}).exit_code, 0);
  EXPECT_EQ(folder_.read("a.glb"), folder_.read("b.glb"));
  ASSERT_EQ(
      run({"tiny.glb", "-o", "c.glb", "--settings", "s.json", "--skip-bones", "hip"}).exit_code, 0);
  EXPECT_NE(folder_.read("a.glb"), folder_.read("c.glb"));
}

TEST_F(CliBind, InputIsWrittenOverOnlyInPlace) {
  const auto size = std::filesystem::file_size(folder_.path() / "tiny.glb");
  const Finished refused = run({"tiny.glb", "-o", "./tiny.glb"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "--in-place")) << refused.err;
  ASSERT_EQ(run({"tiny.glb", "-o", "bound.glb"}).exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "tiny.glb"), size);
  const Finished in_place = run({"tiny.glb", "--in-place"});
  EXPECT_EQ(in_place.exit_code, 0) << in_place.err;
  EXPECT_FALSE(contains(in_place.out, "untouched")) << in_place.out;
  EXPECT_EQ(folder_.read("tiny.glb"), folder_.read("bound.glb"));
}

TEST_F(CliBind, GateThatIsNotMetExitsWithFourAndLeavesTheOldOutput) {
  folder_.write("out.glb", "what was here before");
  const Finished unmet =
      run({"tiny.glb", "-o", "out.glb", "--require", "arap<0", "--require", "unweighted=0"});
  EXPECT_EQ(unmet.exit_code, 4);
  EXPECT_TRUE(contains(unmet.err, "arap<0 is not met")) << unmet.err;
  EXPECT_TRUE(contains(unmet.out, "wrote      nothing: --require is not met; tiny.glb untouched"))
      << unmet.out;
  EXPECT_EQ(folder_.read("out.glb"), "what was here before");
  EXPECT_EQ(folder_.listing(), (Listing{"out.glb", "tiny.glb"}));
  const json report = run({"tiny.glb", "-o", "out.glb", "--require", "follow>1", "--json"}).json();
  EXPECT_EQ(report["error"]["code"], "gate_not_met");
  EXPECT_TRUE(contains(report["error"]["message"], "nothing was written"));
  EXPECT_EQ(report["gates"][0]["met"], false);
  EXPECT_EQ(report["characters"].size(), 1u) << "the report is complete all the same";
  EXPECT_EQ(
      run({"tiny.glb", "-o", "out.glb", "--require", "max_influences<=4", "--require", "arap>=0"})
          .exit_code,
      0);
  EXPECT_NE(folder_.read("out.glb"), "what was here before");
}

TEST_F(CliBind, GateOnAFigureThatIsNotThereIsNotMet) {
  EXPECT_EQ(run({"tiny.glb", "-o", "out.glb", "--poses", "0", "--require", "arap<1"}).exit_code, 4);
  EXPECT_EQ(folder_.listing(), Listing{"tiny.glb"});
}

TEST_F(CliBind, SameBytesForOneAndTwoThreads) {
  write_tiny(folder_.path() / "tiny.glb", {.rows = 3000});
  for (const std::string method : {"heat", "bbw", "distance"}) {
    for (const std::string threads : {"1", "2"})
      ASSERT_EQ(run({"tiny.glb", "--method", method, "--poses", "4", "--threads", threads, "-o",
                     threads + ".glb"})
                    .exit_code,
                0);
    EXPECT_EQ(folder_.read("1.glb"), folder_.read("2.glb")) << method;
  }
}

TEST_F(CliBind, EveryCharacterOfAFileGetsItsTableAndWeights) {
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const Finished finished = run({"two.glb", "-o", "out.glb"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "two.glb    2 characters")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "character  Ann: ")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "character  Bob: ")) << finished.out;
  const json characters = inspected("out.glb");
  ASSERT_EQ(characters.size(), 2u);
  for (const json& character : characters) EXPECT_EQ(character["figures"]["unweighted"], 0);
}

TEST_F(CliBind, OnlyTheChosenCharacterChanges) {
  write_document(folder_.path() / "two.glb", two_characters("Ann", "Bob"));
  const Finished finished =
      run({"two.glb", "-o", "out.glb", "--character", "Bob", "--skip-bones", "knee", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.json()["characters"].size(), 1u);
  const json characters = inspected("out.glb", {"--bones", "knee"});
  EXPECT_GT(characters[0]["bones"][0]["weight_share"], 0);
  EXPECT_EQ(characters[1]["bones"][0]["weight_share"], 0);
}

TEST_F(CliBind, BoneNeedNotBeInEveryCharacter) {
  Document document = two_characters("Ann", "Bob");
  rename_node(document, "mixamorig:Knee", "Tail");
  write_document(folder_.path() / "two.glb", document);
  EXPECT_EQ(run({"two.glb", "-o", "out.glb", "--skip-bones", "tail"}).exit_code, 0);
  EXPECT_EQ(run({"two.glb", "-o", "out.glb", "--skip-bones", "tial"}).exit_code, 2);
}

TEST_F(CliBind, MeshesThatWereNotChosenKeepTheirWeightsToTheBit) {
  write_document(folder_.path() / "dressed.gltf", two_meshes("body", "shirt"));
  ASSERT_EQ(
      run({"dressed.gltf", "-o", "out.gltf", "--mesh", "shirt", "--max-influences", "1"}).exit_code,
      0);
  const auto weights = [&](const std::string& file, std::size_t mesh) {
    return stored_weights(folder_.path() / file, mesh);
  };
  EXPECT_EQ(weights("out.gltf", 0), weights("dressed.gltf", 0));
  EXPECT_NE(weights("out.gltf", 1), weights("dressed.gltf", 1));
  // The shirt alone says nothing of the hip: the body's weights tell that it deforms.
  for (const json& node : json::parse(folder_.read("out.gltf"))["nodes"])
    if (node["name"] == "mixamorig:Hip") {
      EXPECT_EQ(node["extras"]["sinew"]["deform"], true) << node.dump();
    }
}

TEST_F(CliBind, BrokenOldWeightsAreToldAndReplaced) {
  Document document = tiny_document();
  spoil_first_weight(document, std::nanf(""));
  write_document(folder_.path() / "nan.glb", document);
  const Finished finished = run({"nan.glb", "-o", "out.glb"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_TRUE(contains(finished.out, "repaired   1 NaN old weight")) << finished.out;
  EXPECT_TRUE(contains(finished.err, "sinew: nan.glb: warning: ")) << finished.err;
  const json figures = inspected("out.glb")[0]["figures"];
  EXPECT_EQ(figures["not_finite"], 0);
  EXPECT_EQ(figures["unweighted"], 0);
  const json report = run({"nan.glb", "-o", "out.glb", "--json"}).json();
  EXPECT_EQ(report["characters"][0]["repairs"]["not_finite"], 1);
  EXPECT_EQ(report["notices"][0]["code"], "nan_weight");
}

TEST_F(CliBind, FileWithoutASkeletonIsRefusedWithTheFlagThatHelps) {
  write_quad_and_bones();
  const Finished finished = run({"quad.obj", "-o", "out.glb"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_TRUE(contains(finished.err, "--skeleton")) << finished.err;
  EXPECT_EQ(run({"bones.tgf", "-o", "out.glb"}).exit_code, 3) << "bones alone have no vertices";
  EXPECT_EQ(folder_.listing(), (Listing{"bones.tgf", "quad.obj", "tiny.glb"}));
}

TEST_F(CliBind, RigFileSaysWhichBonesDeform) {
  folder_.write("rig.json", R"({"sinew_rig": 1, "bones": {"knee": {"deform": false}}})");
  ASSERT_EQ(run({"tiny.glb", "--rig", "rig.json", "-o", "out.glb"}).exit_code, 0);
  EXPECT_EQ(weight_share("out.glb", "knee"), 0);
}

TEST_F(CliBind, ChosenBindPoseIsWhatTheWeightsAreMadeFor) {
  ASSERT_EQ(run({"tiny.glb", "--bind-pose", "Bend:1", "-o", "out.glb"}).exit_code, 0);
  ASSERT_EQ(run_sinew(folder_.path(),
                      {"pose", "out.glb", "--animation", "Bend", "--time", "1", "-o", "posed.glb"})
                .exit_code,
            0);
  EXPECT_NEAR(inspected("posed.glb")[0]["size"][1].get<double>(), 1, 1e-5)
      << "bound to the bent skeleton, the strip is straight when the skeleton is bent";
}

TEST_F(CliBind, WithoutPosesToJudgeOnNoFiguresArePrinted) {
  const Finished none = run({"tiny.glb", "-o", "out.glb", "--poses", "0"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_FALSE(contains(none.out, "\narap")) << none.out;
}

TEST_F(CliBind, PosesToOptimiseForAreCounted) {
  std::ofstream(folder_.path() / "crouch.json")
      << R"({"sinew_poses": 1, "poses": [{"bones": {"*Knee": {"axis": [1, 0, 0], "angle_deg": 40}}}]})";
  const auto exemplars = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"tiny.glb", "-o", "out.glb", "--json", "--poses", "0"});
    const Finished finished = run(flags);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.json()["characters"][0]["solve"]["exemplars"].get<int>();
  };
  EXPECT_EQ(exemplars({}), 80);
  EXPECT_EQ(exemplars({"--exemplars", "7"}), 7);
  EXPECT_EQ(exemplars({"--exemplars", "7", "--pose-file", "crouch.json"}), 8);
  const int with_clips = exemplars({"--exemplars", "7", "--animation", "all"});
  EXPECT_GT(with_clips, 7);
  EXPECT_EQ(exemplars({"--only-animations"}), with_clips - 7);
}

TEST_F(CliBind, OptimisingForNothingIsRefused) {
  const Finished none = run({"tiny.glb", "-o", "out.glb", "--exemplars", "0"});
  EXPECT_NE(none.exit_code, 0);
  EXPECT_TRUE(contains(none.err, "no pose to optimise for")) << none.err;
  const Finished unknown = run({"tiny.glb", "-o", "out.glb", "--animation", "nonsense"});
  EXPECT_EQ(unknown.exit_code, 2) << unknown.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.glb"));
}

TEST_F(CliBind, LogHasTheEnergyOfEveryStep) {
  const Finished finished = run({"tiny.glb", "-o", "out.glb", "--log", "energy.csv", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json solve = finished.json()["characters"][0]["solve"];
  std::ifstream log(folder_.path() / "energy.csv");
  std::string line;
  std::getline(log, line);
  EXPECT_EQ(line, "character,iteration,energy,after_rotations,after_weights,constraints,edit");
  std::size_t rows = 0;
  while (std::getline(log, line)) ++rows;
  EXPECT_EQ(rows, solve["steps"].size() + 1) << "the start, and every step";
}

TEST_F(CliBind, LogNeverOverwritesWhatTheBindReadsOrWrites) {
  const auto size = std::filesystem::file_size(folder_.path() / "tiny.glb");
  for (const std::string log : {"tiny.glb", "out.glb", "energy.txt", "nowhere/energy.csv"}) {
    const Finished finished = run({"tiny.glb", "-o", "out.glb", "--log", log});
    EXPECT_EQ(finished.exit_code, 2) << log << finished.err;
    EXPECT_TRUE(contains(finished.err, "--log")) << finished.err;
  }
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "tiny.glb"), size);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.glb"));
  const Finished heat =
      run({"tiny.glb", "-o", "out.glb", "--method", "heat", "--log", "energy.csv"});
  EXPECT_EQ(heat.exit_code, 2) << heat.err;
}

TEST_F(CliBind, ExactAndClusteredRotationsAgreeOnAFineMesh) {
  write_document(folder_.path() / "tentacle.glb",
                 checked(make_document(example("tentacle", 2'200))));
  const auto arap = [&](const std::string& rotations) {
    return run({"tentacle.glb", "-o", "out.glb", "--json", "--rotations", rotations})
        .json()["characters"][0]["after"]["arap"]
        .get<double>();
  };
  EXPECT_NEAR(arap("clustered"), arap("exact"), 0.02 * arap("exact"));
}

TEST_F(CliBind, QuietPrintsNothingAndProgressLinesNameTheStages) {
  const Finished quiet = run({"tiny.glb", "-o", "out.glb", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Finished lines = run({"tiny.glb", "-o", "out.glb", "--progress", "lines", "--json"});
  EXPECT_TRUE(contains(lines.err, "sinew: reading\n")) << lines.err;
  EXPECT_TRUE(contains(lines.err, "sinew: writing\n")) << lines.err;
  EXPECT_TRUE(lines.json().is_object());
}

}  // namespace
}  // namespace sinew::test
