// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/capsule_arm.h"
#include "support/checked.h"
#include "support/made_skeletons.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class CliInspect : public ::testing::Test {
 protected:
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "inspect");
    return run_sinew(folder_.path(), arguments);
  }
  void write(const std::string& name, const TinyOptions& options = {}) const {
    write_tiny(folder_.path() / name, options);
  }
  TemporaryFolder folder_;
};

TEST_F(CliInspect, SaysWhatIsInTheFile) {
  write("tiny.glb", {.rows = 1000});
  const Finished finished = run({"tiny.glb"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(contains(finished.out,
                       "tiny.glb   1 mesh, 2,000 vertices, 1,998 triangles, 2 joints, 1 clip"))
      << finished.out;
  EXPECT_TRUE(contains(finished.out, "bind pose  inverse bind matrices")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "clips      Bend 1 s")) << finished.out;
  EXPECT_TRUE(contains(finished.out, "weights    2 influences at most")) << finished.out;
}

TEST_F(CliInspect, JsonHoldsTheSameFigures) {
  write("tiny.glb");
  const Finished finished = run({"tiny.glb", "--json"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
  const nlohmann::json json = finished.json();
  ASSERT_TRUE(json.is_object()) << finished.out;
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["verb"], "inspect");
  EXPECT_EQ(json["input"], "tiny.glb");
  ASSERT_EQ(json["characters"].size(), 1u);
  const nlohmann::json& figures = json["characters"][0]["figures"];
  EXPECT_EQ(figures["vertices"], 8);
  EXPECT_EQ(figures["triangles"], 6);
  EXPECT_EQ(figures["joints"], 2);
  EXPECT_EQ(figures["max_influences"], 2);
  EXPECT_EQ(figures["unweighted"], 0);
  EXPECT_EQ(json["characters"][0]["influences"], nlohmann::json::parse("[0,6,2]"));
  EXPECT_EQ(json["characters"][0]["clips"][0]["name"], "Bend");
}

TEST_F(CliInspect, QuietPrintsNothing) {
  write("tiny.glb");
  const Finished finished = run({"tiny.glb", "--quiet"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.out + finished.err, "");
}

TEST_F(CliInspect, MetGatesExitWithZeroAndUnmetOnesWithFour) {
  write("tiny.glb");
  EXPECT_EQ(run({"tiny.glb", "--require", "max_influences<=2"}).exit_code, 0);
  EXPECT_EQ(run({"tiny.glb", "--require", "vertices = 8", "--require", "unweighted==0"}).exit_code,
            0);
  EXPECT_EQ(run({"tiny.glb", "--require", "sum_error<1e-6"}).exit_code, 0);
  const Finished unmet =
      run({"tiny.glb", "--require", "vertices>=8", "--require", "max_influences<2", "--json"});
  EXPECT_EQ(unmet.exit_code, 4);
  EXPECT_TRUE(contains(unmet.err, "max_influences<2 is not met: max_influences is 2")) << unmet.err;
  const nlohmann::json json = unmet.json();
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["error"]["code"], "gate_not_met");
  ASSERT_EQ(json["gates"].size(), 2u);
  EXPECT_EQ(json["gates"][0]["met"], true);
  EXPECT_EQ(json["gates"][1]["met"], false);
  EXPECT_EQ(json["characters"].size(), 1u) << "the report is complete all the same";
}

TEST_F(CliInspect, GatesHoldOnFiguresOfQualityToo) {
  write("tiny.glb");
  EXPECT_EQ(run({"tiny.glb", "--require", "arap<1", "--require", "follow>=0"}).exit_code, 0);
  const Finished unmet = run({"tiny.glb", "--require", "arap<1e-9"});
  EXPECT_EQ(unmet.exit_code, 4);
  EXPECT_TRUE(contains(unmet.err, "arap<1e-9 is not met: arap is 0.")) << unmet.err;
}

TEST_F(CliInspect, GateOnAFigureThatIsNotKnownIsNotMet) {
  write("tiny.glb");
  for (const std::string demand : {"arap<1", "arap>=0"}) {
    const Finished unmet = run({"tiny.glb", "--poses", "0", "--require", demand, "--json"});
    EXPECT_EQ(unmet.exit_code, 4);
    EXPECT_TRUE(contains(unmet.err, "is not met: arap is unknown")) << unmet.err;
    EXPECT_TRUE(unmet.json()["gates"][0]["value"].is_null());
    EXPECT_TRUE(unmet.json()["characters"][0]["figures"]["arap"].is_null());
  }
}

TEST_F(CliInspect, TellsHowGoodTheWeightsAre) {
  write("tiny.glb");
  const Finished finished = run({"tiny.glb"});
  for (const char* label : {"\narap       0.", ", clips 0.", ", worst pose ", "\nfollow     ",
                            "\nworst      mixamorig:", "\nbones      2 deform\n"})
    EXPECT_TRUE(contains(finished.out, label)) << label << "\n" << finished.out;
  EXPECT_FALSE(contains(run({"tiny.glb", "--poses", "0"}).out, "arap"));
  EXPECT_EQ(run({"tiny.glb", "--poses", "10001"}).exit_code, 2) << "as many as bind takes";
  EXPECT_TRUE(contains(run({"tiny.glb", "--progress", "lines"}).err, "sinew: judging"));
}

TEST_F(CliInspect, SeedChoosesThePosesAndOneIsTheDefault) {
  write("tiny.glb");
  const auto arap = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"tiny.glb", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(arguments).json()["characters"][0]["figures"]["arap"].get<double>();
  };
  EXPECT_EQ(arap({}), arap({"--seed", "1"}));
  EXPECT_NE(arap({}), arap({"--seed", "2"}));
  EXPECT_NE(arap({}), arap({"--poses", "5"}));
  EXPECT_EQ(arap({}), arap({"--hierarchy", "file"})) << "nothing hangs in the wrong place";
}

TEST_F(CliInspect, OriginalSaysWhichBonesDeformAndWhichAreLost) {
  write("before.glb");
  Character character = tiny_character();
  character.weights = rigid_weights(std::vector<int>(8, 0), 2);
  const Result<Document> document = make_document(character);
  ASSERT_TRUE(document.ok());
  write_document(folder_.path() / "after.glb", *document);
  const nlohmann::json figures =
      run({"after.glb", "--original", "before.glb", "--json"}).json()["characters"][0]["figures"];
  EXPECT_EQ(figures["deforming"], 2);
  EXPECT_EQ(figures["lost"], 1);
  EXPECT_TRUE(contains(run({"after.glb", "--original", "before.glb"}).out, ", 1 bone lost"));
  const nlohmann::json alone = run({"after.glb", "--json"}).json()["characters"][0];
  EXPECT_EQ(alone["figures"]["deforming"], 1);
  EXPECT_TRUE(alone["figures"]["lost"].is_null());
  EXPECT_EQ(alone["not_deforming"][0]["name"], "mixamorig:Knee");
  EXPECT_EQ(alone["not_deforming"][0]["reason"], "no_weights");
  EXPECT_EQ(run({"after.glb", "--original", "nowhere.glb"}).exit_code, 3);
}

TEST_F(CliInspect, OriginalSaysWhatSkinBonesHaveLost) {
  write("before.glb", {.rows = 40});
  Character character = tiny_character({.rows = 40});
  std::vector<int> bones;
  for (const Vec3& at : character.mesh.positions()) bones.push_back(at.y() < 0.5 ? 0 : 1);
  character.weights = rigid_weights(bones, 2);
  write_document(folder_.path() / "halves.glb", *make_document(character));
  character.weights = rigid_weights(std::vector<int>(bones.size(), 0), 2);
  write_document(folder_.path() / "one.glb", *make_document(character));
  const nlohmann::json lost = run({"one.glb", "--original", "halves.glb", "--json", "--bones", "*"})
                                  .json()["characters"][0];
  EXPECT_NEAR(lost["figures"]["stolen"].get<double>(), 50, 1e-9) << "one of two bones lost all";
  EXPECT_EQ(lost["quality"]["stolen_most"]["bone"], "mixamorig:Knee");
  EXPECT_EQ(lost["bones"][0]["stolen"], 0);
  EXPECT_EQ(lost["bones"][1]["stolen"], 100);
  EXPECT_TRUE(lost["figures"]["head"].is_null()) << "it has no head";
  EXPECT_TRUE(contains(run({"one.glb", "--original", "halves.glb"}).out,
                       "\nstolen     50%, most from mixamorig:Knee 100%\n"));
  EXPECT_EQ(run({"one.glb", "--original", "halves.glb", "--require", "stolen<=6"}).exit_code, 4);
  EXPECT_EQ(run({"halves.glb", "--original", "halves.glb", "--require", "stolen<=6"}).exit_code, 0);
  EXPECT_TRUE(run({"one.glb", "--json"}).json()["characters"][0]["figures"]["stolen"].is_null());
}

TEST_F(CliInspect, ComparesInPosesOfAFile) {
  write("halves.glb", {.rows = 40});
  Character character = tiny_character({.rows = 40});
  character.weights = rigid_weights(std::vector<int>(character.mesh.vertex_count(), 0), 2);
  write_document(folder_.path() / "one.glb", *make_document(character));
  const auto write_poses = [&](const std::string& name, double degrees) {
    std::ofstream(folder_.path() / name)
        << R"({"sinew_poses": 1, "poses": [{"bones": {"mixamorig:Knee": {"axis": [0, 0, 1], )"
        << "\"angle_deg\": " << degrees << "}}}]}";
  };
  write_poses("still.json", 0);
  write_poses("bent.json", 120);
  const auto worse = [&](const std::string& poses) {
    return run({"halves.glb", "--original", "one.glb", "--compare-in", poses, "--json"})
        .json()["characters"][0]["figures"]["worse"]
        .get<double>();
  };
  EXPECT_EQ(worse("still.json"), 0);
  EXPECT_GT(worse("bent.json"), 0) << "what is all on one bone is not distorted";
  EXPECT_EQ(run({"one.glb", "--compare-in", "bent.json"}).exit_code, 2) << "beside what?";
  EXPECT_EQ(run({"one.glb", "--original", "halves.glb", "--compare-in", "none.json"}).exit_code, 3);
}

TEST_F(CliInspect, AnotherCharacterIsNoOriginal) {
  write("tiny.glb");
  write_document(folder_.path() / "arm.glb", checked(make_document(capsule_arm({}))));
  const Finished finished = run({"tiny.glb", "--original", "arm.glb"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(contains(finished.err, "--original: none of its 3 joints is a joint of '"))
      << finished.err;
}

TEST_F(CliInspect, UnknownFigureExitsWithTwoAndListsTheKnownOnes) {
  const Finished finished = run({"nowhere.glb", "--require", "max_influence<4"});
  EXPECT_EQ(finished.exit_code, 2) << "found before the file is even opened";
  EXPECT_TRUE(contains(finished.err, "did you mean max_influences?")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "unweighted")) << finished.err;
  for (const std::string text : {"vertices", "vertices<", "<4", "vertices<four", "vertices<nan"})
    EXPECT_EQ(run({"nowhere.glb", "--require", text}).exit_code, 2) << text;
}

TEST_F(CliInspect, BonesAreFoundByGlobWithoutCaseOrPrefix) {
  write("tiny.glb");
  for (const std::string pattern : {"knee", "KN*", "mixamorig:Knee", "*:k?ee"}) {
    const Finished finished = run({"tiny.glb", "--bones", pattern, "--json"});
    ASSERT_EQ(finished.exit_code, 0) << pattern << finished.err;
    const nlohmann::json bones = finished.json()["characters"][0]["bones"];
    ASSERT_EQ(bones.size(), 1u) << pattern;
    EXPECT_EQ(bones[0]["name"], "mixamorig:Knee");
    EXPECT_EQ(bones[0]["index"], 1);
    EXPECT_EQ(bones[0]["dominated"], 4);
  }
}

TEST_F(CliInspect, BoneThatMatchesNothingExitsWithTwoAndASuggestion) {
  write("tiny.glb");
  const Finished finished = run({"tiny.glb", "--bones", "kne"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(finished.err.starts_with("sinew: --bones: ")) << finished.err;
  EXPECT_TRUE(contains(finished.err, "Knee")) << finished.err;
}

TEST_F(CliInspect, Utf8PathsAndNamesComeThrough) {
  write("héros 骨.glb", {.lower_bone = "Hüfte", .upper_bone = "Колено", .clip = "歩く"});
  const Finished finished =
      run({"héros 骨.glb", "--bones", "колено", "--bones", "HÜFTE", "--json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json json = finished.json();
  EXPECT_EQ(json["input"], "héros 骨.glb");
  EXPECT_EQ(json["characters"][0]["bones"][0]["name"], "Hüfte");
  EXPECT_EQ(json["characters"][0]["bones"][1]["name"], "Колено");
  EXPECT_TRUE(contains(run({"héros 骨.glb"}).out, "歩く"));
}

TEST_F(CliInspect, NamesThatWouldDriveTheTerminalAreEscaped) {
  write("tiny.glb", {.clip = "\x1b[2Jgone"});
  const Finished finished = run({"tiny.glb"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_FALSE(contains(finished.out, "\x1b"));
  EXPECT_TRUE(contains(finished.out, "\\x1b[2Jgone"));
}

TEST_F(CliInspect, SelectionsThatChooseNothingExitWithTwoAndListWhatThereIs) {
  write("tiny.glb");
  for (const std::string flag : {"--mesh", "--character"}) {
    const Finished finished = run({"tiny.glb", flag, "trousers"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_TRUE(finished.err.starts_with("sinew: " + flag + ": ")) << finished.err;
    EXPECT_TRUE(contains(finished.err, "strip")) << finished.err;
    EXPECT_EQ(run({"tiny.glb", flag, "STR*"}).exit_code, 0);
    EXPECT_EQ(run({"tiny.glb", flag, "0"}).exit_code, 0);
    EXPECT_EQ(run({"tiny.glb", flag, "1"}).exit_code, 2);
  }
}

TEST_F(CliInspect, BrokenSkinIsRefusedWithItsPlace) {
  Document document = tiny_document();
  Json& joints = document.json["skins"][0]["joints"];
  joints[1] = joints[0];
  write_document(folder_.path() / "twice.glb", document);
  const Finished finished = run({"twice.glb"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_TRUE(finished.err.starts_with("sinew: twice.glb: skins[0].joints[1]: ")) << finished.err;
}

TEST_F(CliInspect, ThreadsChangeNothing) {
  write("tiny.glb", {.rows = 3000});
  EXPECT_EQ(run({"tiny.glb", "--json", "--threads", "1"}).out,
            run({"tiny.glb", "--json", "--threads", "2"}).out);
}

TEST_F(CliInspect, ProgressIsPlainLinesOnStderrWhenAskedFor) {
  write("tiny.glb");
  const Finished finished = run({"tiny.glb", "--progress", "lines", "--json"});
  EXPECT_TRUE(contains(finished.err, "sinew: reading\n")) << finished.err;
  EXPECT_FALSE(contains(finished.err, "\r"));
  EXPECT_TRUE(finished.json().is_object());
  EXPECT_TRUE(contains(run({"tiny.glb", "--progress", "bar"}).err, "\r"));
}

TEST_F(CliInspect, GateOnWarningsCountsThoseAboutTheFileToo) {
  folder_.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  folder_.write("large.tgf", "1 50 0 0\n2 50 50 0\n3 50 100 0\n#\n1 2 1 0 0\n2 3 1 0 0\n");
  EXPECT_EQ(run({"quad.obj", "--require", "warnings=0"}).exit_code, 0);
  const Finished finished =
      run({"quad.obj", "--skeleton", "large.tgf", "--require", "warnings=0", "--json"});
  EXPECT_EQ(finished.exit_code, 4) << finished.out;
  EXPECT_GT(finished.json()["characters"][0]["figures"]["warnings"], 0);
}

TEST_F(CliInspect, DoubleDashEndsTheFlags) {
  write("-x.glb");
  EXPECT_EQ(run({"--", "-x.glb"}).exit_code, 0);
  EXPECT_EQ(run({"--bones", "knee", "--", "-x.glb"}).exit_code, 0);
  EXPECT_EQ(run({"--", "-x.glb", "--json"}).exit_code, 2);
  EXPECT_EQ(run({"-x.glb"}).exit_code, 2);
}

TEST_F(CliInspect, NoticesNameTheFileThatTheyAreAbout) {
  write("tiny.glb");
  folder_.write("rig.json", R"({"sinew_rig": 1, "bones": {"tail*": {"kind": "spine"}}})");
  const Finished json = run({"tiny.glb", "--rig", "rig.json", "--json"});
  ASSERT_EQ(json.json()["notices"].size(), 1u) << json.out;
  EXPECT_EQ(json.json()["notices"][0]["file"], "rig.json");
  EXPECT_TRUE(json.err.starts_with("sinew: rig.json: ")) << json.err;
  const Finished plain = run({"tiny.glb", "--rig", "rig.json"});
  EXPECT_TRUE(contains(plain.out, "rig.json: bones")) << plain.out;
  EXPECT_EQ(plain.err, "") << "the report on stdout has said it";
}

TEST_F(CliInspect, FlagWithoutItsValueIsToldInWords) {
  EXPECT_EQ(run({"tiny.glb", "--require"}).err, "sinew: --require: a value is missing\n");
}

TEST_F(CliInspect, SaysWhichBonesAreSpines) {
  Character character = tiny_character();
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].kind = BoneKind::spine;
  character.skeleton = *Skeleton::create(bones);
  write_document(folder_.path() / "spine.glb", *make_document(character));
  const Finished text = run({"spine.glb", "--bones", "*"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "spines     mixamorig:Hip (spine)")) << text.out;
  EXPECT_TRUE(contains(text.out, "mixamorig:Hip (0), spine, a root")) << text.out;
  const nlohmann::json json = run({"spine.glb", "--bones", "*", "--json"}).json()["characters"][0];
  EXPECT_EQ(json["spines"],
            nlohmann::json::parse(R"([{"index": 0, "name": "mixamorig:Hip", "kind": "spine"}])"));
  EXPECT_EQ(json["bones"][0]["kind"], "spine");
  EXPECT_EQ(json["bones"][1]["kind"], "rigid");
  write("plain.glb");
  EXPECT_FALSE(contains(run({"plain.glb"}).out, "spines"));
}

TEST_F(CliInspect, NamesJointsThatStandForABoneAsItsRow) {
  write("plain.glb");
  ASSERT_EQ(run_sinew(folder_.path(), {"bind", "plain.glb", "-o", "row.glb", "--method", "heat",
                                       "--poses", "0", "--spine", "*Hip", "--spine-bones", "3"})
                .exit_code,
            0);
  const Finished text = run({"row.glb", "--bones", "*spine.1"});
  EXPECT_TRUE(contains(text.out,
                       "rows       mixamorig:Hip (spine) as 3 joints, mixamorig:Hip.spine.0 to "
                       "mixamorig:Hip.spine.2"))
      << text.out;
  EXPECT_TRUE(contains(text.out, "mixamorig:Hip.spine.1 (3), of a row, under mixamorig:Hip"))
      << text.out;
  const nlohmann::json json = run({"row.glb", "--json"}).json()["characters"][0];
  EXPECT_EQ(
      json["rows"],
      nlohmann::json::parse(
          R"([{"index": 0, "name": "mixamorig:Hip", "kind": "spine", "joints": [2, 3, 4]}])"));
  EXPECT_FALSE(contains(run({"plain.glb"}).out, "rows"));
}

}  // namespace
}  // namespace sinew::test
