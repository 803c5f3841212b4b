// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/rig_file.h"

#include <cstdio>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {
namespace {

const char* const kEverything = R"({
  "kind": "spine", "deform": false, "tail": [0, 0.25, 0], "axis": "-Z",
  "limits": {"roll_deg": [-5, 140], "roll_axis": [2, 0, 0], "twist_deg": [-1, 1],
             "bend_deg": [-30, 45], "stretch": [0.5, 4]}})";

Bone bone_named(const std::string& name) {
  Bone bone;
  bone.name = name;
  bone.rest = Affine3(Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()));
  bone.rest.translation() = Vec3(1, 2, 3);
  return bone;
}

Skeleton skeleton_of(const std::vector<std::string>& names) {
  std::vector<Bone> bones;
  for (const std::string& name : names) bones.push_back(bone_named(name));
  return *Skeleton::create(std::move(bones));
}

Error error_of(const char* text) {
  Notices notices;
  const auto settings = parse_bone_settings(Json::parse(text), "nodes[3].extras.sinew", notices);
  EXPECT_FALSE(settings.ok()) << text;
  return settings.ok() ? Error{} : settings.error();
}

TEST(Rig, EverySettingReachesTheBone) {
  Notices notices;
  const auto settings = parse_bone_settings(Json::parse(kEverything), "here", notices);
  ASSERT_TRUE(settings.ok()) << settings.error().to_string();
  EXPECT_TRUE(notices.empty());
  Bone bone = bone_named("b");
  apply_bone_settings(*settings, bone);
  EXPECT_EQ(bone.kind, BoneKind::spine);
  EXPECT_EQ(bone.deforms, false);
  EXPECT_LT((*bone.tail - bone.rest * Vec3(0, 0.25, 0)).norm(), 1e-15);
  EXPECT_EQ(*bone.leaf_axis, Vec3(0, 0, -1));
  EXPECT_EQ(bone.limits.roll_deg, (Range{-5, 140}));
  EXPECT_EQ(*bone.limits.roll_axis, Vec3(1, 0, 0));
  EXPECT_EQ(bone.limits.twist_deg, (Range{-1, 1}));
  EXPECT_EQ(bone.limits.bend_deg, (Range{-30, 45}));
  EXPECT_EQ(bone.limits.stretch, (Range{0.5, 4}));
}

TEST(Rig, WhatIsNotSaidStaysAsItWas) {
  Notices notices;
  Bone bone = bone_named("b");
  apply_bone_settings(*parse_bone_settings(Json::parse(kEverything), "", notices), bone);
  const Json before = bone_settings_json(bone);
  apply_bone_settings(*parse_bone_settings(Json::object(), "", notices), bone);
  EXPECT_EQ(bone_settings_json(bone), before);
}

TEST(Rig, WritingAndReadingGivesTheSameBone) {
  Notices notices;
  Bone bone = bone_named("b");
  apply_bone_settings(*parse_bone_settings(Json::parse(kEverything), "", notices), bone);
  Bone again = bone_named("b");
  const auto settings = parse_bone_settings(bone_settings_json(bone), "", notices);
  ASSERT_TRUE(settings.ok());
  apply_bone_settings(*settings, again);
  EXPECT_EQ(again.kind, bone.kind);
  EXPECT_EQ(again.deforms, bone.deforms);
  EXPECT_LT((*again.tail - *bone.tail).norm(), 1e-14);
  EXPECT_EQ(*again.leaf_axis, *bone.leaf_axis);
  EXPECT_EQ(again.limits, bone.limits);
  EXPECT_TRUE(notices.empty());
}

TEST(Rig, ABoneLikeAnyOtherWritesNothing) {
  EXPECT_EQ(bone_settings_json(bone_named("b")), Json::object());
}

TEST(Rig, AnAxisMayBeAWordOrAVector) {
  Notices notices;
  const auto axis = [&](const char* text) {
    return *parse_bone_settings(Json{{"axis", Json::parse(text)}}, "", notices)->leaf_axis;
  };
  EXPECT_EQ(axis("\"X\""), Vec3(1, 0, 0));
  EXPECT_EQ(axis("\"+Y\""), Vec3(0, 1, 0));
  EXPECT_EQ(axis("\"-Z\""), Vec3(0, 0, -1));
  EXPECT_LT((axis("[3, 4, 0]") - Vec3(0.6, 0.8, 0)).norm(), 1e-15);
}

TEST(Rig, ALeafPointsAlongTheAxisThatItsNodeNames) {
  Bone root = bone_named("root"), leaf = bone_named("leaf");
  leaf.parent = 0;
  leaf.rest.translation() = Vec3(1, 3, 3);
  leaf.leaf_axis = Vec3::UnitX();
  MeshData data;
  data.positions = {leaf.head() + leaf.rest.linear() * Vec3(0.75, 0, 0)};
  const GuessedTails guessed = guess_leaf_tails(
      *Skeleton::create({root, leaf}), *Mesh::create(data), SkinWeights::mend(2, {0, 1}, {{1, 1}}));
  EXPECT_LT((*guessed.skeleton.bone(1).tail - data.positions[0]).norm(), 1e-12);
}

TEST(Rig, EveryErrorSaysWhere) {
  EXPECT_EQ(error_of(R"({"limits": {"roll_deg": [60, -60]}})").to_string(),
            "nodes[3].extras.sinew.limits.roll_deg: has min 60 above max -60");
  EXPECT_EQ(error_of(R"({"limits": {"roll_deg": [0, "x"]}})").place,
            "nodes[3].extras.sinew.limits.roll_deg[1]");
  EXPECT_EQ(error_of(R"({"limits": {"stretch": [0, 1]}})").place,
            "nodes[3].extras.sinew.limits.stretch");
  EXPECT_EQ(error_of(R"({"limits": {"twist_deg": [-400, 0]}})").place,
            "nodes[3].extras.sinew.limits.twist_deg");
  EXPECT_EQ(error_of(R"({"limits": {"roll_axis": [0, 0, 0]}})").place,
            "nodes[3].extras.sinew.limits.roll_axis");
  EXPECT_EQ(error_of(R"({"limits": 7})").place, "nodes[3].extras.sinew.limits");
  EXPECT_EQ(error_of(R"({"kind": "rubber"})").to_string(),
            "nodes[3].extras.sinew.kind: is none of rigid, stretch-twist, spine");
  EXPECT_EQ(error_of(R"({"kind": 3})").place, "nodes[3].extras.sinew.kind");
  EXPECT_EQ(error_of(R"({"deform": "yes"})").place, "nodes[3].extras.sinew.deform");
  EXPECT_EQ(error_of(R"({"tail": [0, 0]})").place, "nodes[3].extras.sinew.tail");
  EXPECT_EQ(error_of(R"({"tail": [0, 0, 0]})").place, "nodes[3].extras.sinew.tail");
  EXPECT_EQ(error_of(R"({"tail": [0, null, 0]})").place, "nodes[3].extras.sinew.tail[1]");
  EXPECT_EQ(error_of(R"({"axis": "up"})").place, "nodes[3].extras.sinew.axis");
  EXPECT_EQ(error_of("[]").place, "nodes[3].extras.sinew");
}

TEST(Rig, AnUnknownKeyIsANoticeAndDoesNothing) {
  Notices notices;
  const auto settings = parse_bone_settings(
      Json::parse(R"({"knd": "spine", "limits": {"roll": [0, 1]}})"), "bones[\"A\"]", notices);
  ASSERT_TRUE(settings.ok());
  EXPECT_FALSE(settings->kind);
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[0].code, "unknown_rig_key");
  EXPECT_EQ(notices[0].place, "bones[\"A\"].knd");
  EXPECT_EQ(notices[1].place, "bones[\"A\"].limits.roll");
}

TEST(Rig, ASideFileReachesAllBonesThatItsPatternsMatchAndTheLastOneWins) {
  Notices notices;
  const auto rig = parse_rig(Json::parse(R"({"sinew_rig": 1, "bones": {
      "*": {"kind": "stretch-twist", "deform": true},
      "spine*": {"kind": "spine"}}})"),
                             notices);
  ASSERT_TRUE(rig.ok());
  const auto skeleton =
      apply_rig(*rig, skeleton_of({"Hips", "rig:Spine", "rig:Spine1", "Arm"}), notices);
  ASSERT_TRUE(skeleton.ok());
  EXPECT_TRUE(notices.empty());
  EXPECT_EQ(skeleton->bone(0).kind, BoneKind::stretch_twist);
  EXPECT_EQ(skeleton->bone(1).kind, BoneKind::spine);
  EXPECT_EQ(skeleton->bone(2).kind, BoneKind::spine);
  EXPECT_EQ(skeleton->bone(2).deforms, true);
}

TEST(Rig, APatternThatMatchesNothingIsReportedWithTheNearestName) {
  Notices notices;
  const auto rig = parse_rig(Json::parse(R"({"sinew_rig": 1, "bones": {"Spin": {}}})"), notices);
  ASSERT_TRUE(apply_rig(*rig, skeleton_of({"Hips", "Spine"}), notices).ok());
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].code, "unmatched_bone_pattern");
  EXPECT_EQ(notices[0].message, "matches no bone; the nearest name is 'Spine'");
}

TEST(Rig, AFileThatIsNoRigIsRefused) {
  Notices notices;
  EXPECT_EQ(parse_rig(Json::parse("{}"), notices).error().place, "sinew_rig");
  EXPECT_EQ(parse_rig(Json::parse("[1]"), notices).error().place, "sinew_rig");
  EXPECT_EQ(parse_rig(Json::parse(R"({"sinew_rig": 2})"), notices).error().code,
            ErrorCode::unsupported);
  EXPECT_EQ(parse_rig(Json::parse(R"({"sinew_rig": 1, "bones": []})"), notices).error().place,
            "bones");
  EXPECT_EQ(read_rig("no/such/file.json", notices).error().code, ErrorCode::file_not_found);
}

TEST(Rig, ASideFileIsReadFromDisk) {
  const std::string path = ::testing::TempDir() + "sinew_rig_test.json";
  Notices notices;
  std::ofstream(path) << R"({"sinew_rig": 1, "bones": {"A": {"deform": false}}})";
  const auto rig = read_rig(path, notices);
  ASSERT_TRUE(rig.ok());
  EXPECT_EQ(rig->entries.at(0).settings.deforms, false);
  std::ofstream(path) << R"({"sinew_rig": 1,)";
  EXPECT_EQ(read_rig(path, notices).error().code, ErrorCode::bad_file);
  std::remove(path.c_str());
}

TEST(Rig, SettingsGoThroughADocumentAndBack) {
  Character character;
  character.skeleton = skeleton_of({"Root", "Tip"});
  std::vector<Bone> bones = character.skeleton.bones();
  bones[1].parent = 0;
  bones[1].rest.translation() = Vec3(1, 3, 3);
  Notices notices;
  apply_bone_settings(*parse_bone_settings(Json::parse(kEverything), "", notices), bones[1]);
  character.skeleton = *Skeleton::create(bones);
  MeshData mesh;
  mesh.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  mesh.triangles = {{0, 1, 2}};
  character.mesh = *Mesh::create(mesh);
  character.weights = SkinWeights::mend(2, {0, 1, 2, 3}, {{0, 1}, {1, 1}, {1, 1}});

  const auto document = make_document(character);
  ASSERT_TRUE(document.ok());
  EXPECT_FALSE(document->json["nodes"][0].contains("extras"));
  const auto loaded = read_characters(*document);
  ASSERT_TRUE(loaded.ok());
  const Bone& tip = loaded->at(0).character.skeleton.bone(1);
  EXPECT_EQ(tip.kind, BoneKind::spine);
  EXPECT_EQ(tip.deforms, false);
  EXPECT_EQ(tip.limits, bones[1].limits);
  EXPECT_EQ(*tip.leaf_axis, *bones[1].leaf_axis);
  EXPECT_LT((*tip.tail - *bones[1].tail).norm(), 1e-5);
}

TEST(Rig, WritingKeepsOtherExtrasAndRemovesWhatNoLongerHolds) {
  Document document = make_empty_document();
  document.json["nodes"] = Json::parse(R"([
    {"extras": {"other": 1, "sinew": {"kind": "spine", "mine": 5}}},
    {"extras": {"sinew": {"deform": true}}},
    {"extras": "text"}])");
  std::vector<Bone> bones{bone_named("a"), bone_named("b"), bone_named("c")};
  for (int b = 0; b < 3; ++b) bones[static_cast<std::size_t>(b)].source_node = b;
  bones[0].deforms = false;
  write_node_settings(document, *Skeleton::create(bones));
  EXPECT_EQ(document.json["nodes"][0]["extras"],
            Json::parse(R"({"other": 1, "sinew": {"mine": 5, "deform": false}})"));
  EXPECT_FALSE(document.json["nodes"][1].contains("extras"));
  EXPECT_EQ(document.json["nodes"][2]["extras"], "text");
}

TEST(Rig, MutatedFilesAreReadOrRefusedAndNeverCrash) {
  const std::string good =
      std::string(R"({"sinew_rig": 1, "bones": {"Spine*": )") + kEverything + "}}";
  const std::string letters = "[]{}\",:0123456789.-+eE truefalsnX\\\x01\xFF";
  std::mt19937 random(5);
  const std::string path = ::testing::TempDir() + "sinew_rig_mutated.json";
  int accepted = 0, refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = good;
    for (unsigned edit = 0; edit < 1 + random() % 4; ++edit) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = letters[random() % letters.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, 1, letters[random() % letters.size()]);
          break;
        default:
          text.resize(at + 1);
      }
    }
    std::ofstream(path, std::ios::binary) << text;
    Notices notices;
    const auto rig = read_rig(path, notices);
    if (!rig.ok()) {
      EXPECT_FALSE(rig.error().message.empty());
      ++refused;
      continue;
    }
    ++accepted;
    const auto skeleton = apply_rig(*rig, skeleton_of({"Spine"}), notices);
    if (skeleton.ok()) (void)bone_settings_json(skeleton->bone(0)).dump();
  }
  std::remove(path.c_str());
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

// Every value of a good file, replaced in turn by every kind of JSON.
TEST(Rig, EveryValueMayBeOfEveryTypeWithoutACrash) {
  const Json good{{"sinew_rig", 1}, {"bones", {{"A", Json::parse(kEverything)}}}};
  const Json flat = good.flatten();
  const std::vector<Json> substitutes{nullptr,
                                      true,
                                      -1,
                                      1e300,
                                      "word",
                                      Json::array(),
                                      Json::object(),
                                      Json::array({1, 2, 3}),
                                      18446744073709551615u};
  for (const auto& [pointer, value] : flat.items())
    for (Json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer())
      for (const Json& substitute : substitutes) {
        Json changed = good;
        changed[at] = substitute;
        Notices notices;
        const auto rig = parse_rig(changed, notices);
        if (rig.ok()) {
          (void)apply_rig(*rig, skeleton_of({"A"}), notices);
        } else {
          EXPECT_FALSE(rig.error().place.empty());
        }
      }
}

}  // namespace
}  // namespace sinew
