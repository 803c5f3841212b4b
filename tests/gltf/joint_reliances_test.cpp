// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>

#include "gltf/gltf_json.h"
#include "sinew/gltf/move_joints.h"
#include "sinew/gltf/selection.h"
#include "support/capsule_arm.h"
#include "support/checked.h"

namespace sinew {
namespace {

using test::checked;
using test::kArm;
using test::kForeArm;
using test::kHand;

Document arm_document() {
  test::CapsuleArm arm;
  arm.rings_per_bone = 6;
  arm.around = 8;
  return checked(make_document(test::capsule_arm(arm)));
}

LoadedCharacter only_character(const Document& document) {
  return checked(read_characters(document)).front();
}

std::size_t node_index(const Document& document, std::string_view name) {
  for (std::size_t n = 0; n < document.json["nodes"].size(); ++n)
    if (string_or(document.json["nodes"][n], "name", "") == name) return n;
  throw std::runtime_error("no such node");
}

Json& node_named(Document& document, std::string_view name) {
  return document.json["nodes"][node_index(document, name)];
}

TEST(JointReliances, NothingHoldsTheJointsOfAPlainCharacter) {
  Document document = arm_document();
  EXPECT_TRUE(joints_relied_on(document, only_character(document)).empty());
  const std::size_t socket = document.json["nodes"].size();
  document.json["nodes"].push_back({{"name", "Socket"}});
  node_named(document, "Hand")["children"] = {socket};
  EXPECT_TRUE(joints_relied_on(document, only_character(document)).empty());
}

TEST(JointReliances, TellsJointsThatAreCamerasOrLights) {
  Document document = arm_document();
  document.json["cameras"] = Json::array(
      {Json{{"type", "perspective"}, {"perspective", {{"yfov", 1.0}, {"znear", 0.1}}}}});
  node_named(document, "Hand")["camera"] = 0;
  node_named(document, "Arm")["extensions"]["KHR_lights_punctual"] = {{"light", 0}};
  const std::vector<JointReliance> reliances = joints_relied_on(document, only_character(document));
  ASSERT_EQ(reliances.size(), 2u);
  EXPECT_EQ(reliances[0].bone, kArm);
  EXPECT_EQ(reliances[1].bone, kHand);
  EXPECT_EQ(reliances[1].reason, "is itself a camera");
}

TEST(JointReliances, JointsOfARowAndItsEndsStay) {
  const Document document = arm_document();
  LoadedCharacter loaded = only_character(document);
  std::vector<Bone> bones = loaded.character.skeleton.bones();
  Bone joint = bones[kForeArm];  // half way along the forearm
  joint.name = "ForeArm.twist.0";
  joint.parent = kForeArm;
  joint.part_of = RowPlace{BoneKind::stretch_twist, 0.5};
  joint.rest.translation() = (bones[kForeArm].head() + bones[kHand].head()) / 2;
  bones.push_back(joint);
  const int added = static_cast<int>(bones.size()) - 1;
  loaded.character.skeleton = checked(Skeleton::create(std::move(bones)));
  std::set<int> held;
  for (const JointReliance& reliance : joints_relied_on(document, loaded)) {
    EXPECT_EQ(reliance.by, JointReliance::By::row);
    EXPECT_NE(reliance.reason.find("the row of joints of 'ForeArm'"), std::string::npos)
        << reliance.reason;
    held.insert(reliance.bone);
  }
  EXPECT_EQ(held, (std::set<int>{kForeArm, kHand, added}));
}

TEST(JointReliances, TellsWhatPointsAtAJoint) {
  Document document = arm_document();
  const std::size_t hand = node_index(document, "Hand");
  const std::size_t eye = document.json["nodes"].size();
  Json aim = {{"aim", {{"source", hand}, {"aimAxis", "PositiveX"}}}};
  document.json["nodes"].push_back(
      {{"name", "Eye"}, {"extensions", {{"VRMC_node_constraint", {{"constraint", aim}}}}}});
  const std::vector<JointReliance> reliances = joints_relied_on(document, only_character(document));
  ASSERT_EQ(reliances.size(), 1u);
  EXPECT_EQ(reliances[0].bone, kHand);
  EXPECT_EQ(reliances[0].reason, "is what 'Eye' points at");
  EXPECT_EQ(reliances[0].place, "nodes[" + std::to_string(eye) + "]");
}

TEST(JointReliances, TellsJointsOfHumanoidMapsInBothVersionsOfVrm) {
  Document document = arm_document();
  const std::size_t arm = node_index(document, "Arm"), hand = node_index(document, "Hand");
  document.json["extensions"]["VRMC_vrm"] = {
      {"humanoid", {{"humanBones", {{"leftHand", {{"node", hand}}}}}}}};
  document.json["extensions"]["VRM"] = {
      {"humanoid", {{"humanBones", Json::array({Json{{"bone", "leftUpperArm"}, {"node", arm}}})}}}};
  const std::vector<JointReliance> reliances = joints_relied_on(document, only_character(document));
  ASSERT_EQ(reliances.size(), 2u);
  EXPECT_EQ(reliances[0].bone, kArm);
  EXPECT_EQ(reliances[0].reason, "is the leftUpperArm of a VRM humanoid");
  EXPECT_EQ(reliances[1].bone, kHand);
  EXPECT_EQ(reliances[1].place, "extensions.VRMC_vrm.humanoid.humanBones.leftHand");
}

TEST(JointReliances, TellsJointsThatOtherSkinsListOrHangOn) {
  Document document = arm_document();
  const std::size_t fore_arm = node_index(document, "ForeArm");
  const std::size_t rider = document.json["nodes"].size();
  document.json["nodes"].push_back({{"name", "Rider"}});
  node_named(document, "Hand")["children"] = {rider};
  const Json mesh = document.json["meshes"][0];
  const std::vector<std::vector<std::size_t>> others{{fore_arm}, {rider}, {fore_arm, rider}};
  for (std::size_t s = 0; s < others.size(); ++s)
    document.json["skins"].push_back({{"joints", others[s]}});
  for (std::size_t s = 1; s <= 2; ++s) {  // the last skin is shown by nothing
    document.json["meshes"].push_back(mesh);
    document.json["nodes"].push_back({{"mesh", s}, {"skin", s}});
  }
  const std::vector<int> first_mesh{0};
  const std::vector<JointReliance> reliances =
      joints_relied_on(document, only_character(show_only_meshes(document, first_mesh)));
  ASSERT_EQ(reliances.size(), 2u);
  EXPECT_EQ(reliances[0].bone, kForeArm);
  EXPECT_EQ(reliances[0].by, JointReliance::By::other_skin);
  EXPECT_EQ(reliances[0].reason, "is a joint of skins[1] too");
  EXPECT_EQ(reliances[1].bone, kHand);
  EXPECT_EQ(reliances[1].by, JointReliance::By::other_character);
  EXPECT_EQ(reliances[1].reason, "carries joints of skins[2]");
}

}  // namespace
}  // namespace sinew
