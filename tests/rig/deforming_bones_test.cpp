// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/deforming_bones.h"

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

const Vec3 kLow(-1, -1, -1), kHigh(1, 1, 1);

std::vector<RoleReason> reasons(const std::vector<BoneRole>& roles) {
  std::vector<RoleReason> list;
  for (const BoneRole& role : roles) list.push_back(role.reason);
  return list;
}

TEST(ControlNames, AreFoundByWordAndNotByLetters) {
  for (const char* name : {"IK_Foot.L", "IKFrontLeg.L", "Pole.Knee", "PoleTarget.R", "hand_ctrl",
                           "LeftHandIK", "mixamorig:Hand_Socket", "rig|foot.ik.L", "MCH-spine",
                           "ORG-hand.L", "WeaponSlotR", "elbow_pole_01"})
    EXPECT_TRUE(is_control_name(name)) << name;
  for (const char* name : {"Spike", "Mike_arm", "Hips", "polecat_tail", "Strike", "DEF-IK_Foot",
                           "DEF_pole", "", "FF.L", "Goalkeeper"})
    EXPECT_FALSE(is_control_name(name)) << name;
}

TEST(EndNames, AreThoseWhoseLastWordSaysSo) {
  for (const char* name : {"Head_end", "Toe_Nub", "HeadTop_End", "mixamorig:LeftToe_End",
                           "Finger_end.L", "Tail_end_003", "End Site"})
    EXPECT_TRUE(is_end_name(name)) << name;
  for (const char* name : {"Bend", "end_effector_hand", "Tendon", "Legend", "DEF-tail_end", ""})
    EXPECT_FALSE(is_end_name(name)) << name;
}

TEST(DeformingBones, WeightsDecideWhereThereAreAny) {
  Character character = make_boxed_character(
      {{"IK_used", -1, {0, 0, 0}}, {"Arm", 0, {0, 0.5, 0}}, {"Hand", 1, {0, 0.8, 0}}}, kLow, kHigh);
  character.weights = rigid_weights({0, 0, 0, 0, 1, 1, 1, 1}, 3);
  character.props = {{"sword", 2, -1}};
  const std::vector<BoneRole> roles = decide_deforming_bones(character);
  EXPECT_EQ(reasons(roles), (std::vector{RoleReason::has_weights, RoleReason::has_weights,
                                         RoleReason::carries_prop}));
  EXPECT_TRUE(roles[0].deforms) << "a name says nothing against weights";
  EXPECT_FALSE(roles[2].deforms);
  character.props.clear();
  EXPECT_EQ(decide_deforming_bones(character)[2].reason, RoleReason::no_weights);
}

TEST(DeformingBones, RemnantsOfWeightMakeABoneOnlyWhereTheyMay) {
  Character character = make_boxed_character(
      {{"Root", -1, {0, 0, 0}}, {"Arm", 0, {0, 0.5, 0}}, {"Hand", 1, {0, 0.8, 0}}}, kLow, kHigh);
  const auto with = [&](double root, double hand) {
    std::vector<std::vector<Influence>> rows(2000, {{1, 1}});
    rows[0] = {{0, root}, {1, 1 - root}};
    rows[1] = {{1, 1 - hand}, {2, hand}};
    character.weights = SkinWeights::from_rows(3, rows);
    DeformingOptions options;
    options.remnants = false;
    return decide_deforming_bones(character, options);
  };
  EXPECT_EQ(reasons(with(0.05, 0.9)), (std::vector{RoleReason::hardly_used, RoleReason::has_weights,
                                                   RoleReason::has_weights}));
  EXPECT_FALSE(with(0.05, 0.9)[0].deforms);
  EXPECT_TRUE(with(0.2, 0.9)[0].deforms) << "more than a brush leaves behind";
  EXPECT_TRUE(decide_deforming_bones(character)[0].deforms) << "unless told not to count them";
}

TEST(DeformingBones, WithoutWeightsNamesDecide) {
  const Character character = make_boxed_character({{"_rootJoint", -1, {0, 0, 0}},
                                                    {"b_Root_00", 0, {0, 0, 0}},
                                                    {"Spine", 1, {0, 0.1, 0}},
                                                    {"IK_Foot.L", 1, {0, 0.2, 0}},
                                                    {"Head", 2, {0, 0.3, 0}},
                                                    {"Head_end", 4, {0, 0.5, 0}}},
                                                   kLow, kHigh);
  EXPECT_EQ(reasons(decide_deforming_bones(character)),
            (std::vector{RoleReason::name, RoleReason::name, RoleReason::nothing_against,
                         RoleReason::name, RoleReason::nothing_against, RoleReason::name}));
}

TEST(DeformingBones, RootNameBelowAnotherBoneIsNoControl) {
  const Character character = make_boxed_character(
      {{"Tree", -1, {0, 0, 0}}, {"Root_01", 0, {0, 0.1, 0}}, {"Root_02", 1, {0, 0.2, 0}}}, kLow,
      kHigh);
  for (const BoneRole& role : decide_deforming_bones(character)) EXPECT_TRUE(role.deforms);
}

class OutsideRule : public ::testing::TestWithParam<bool> {};

TEST_P(OutsideRule, TakesBonesThatLieOutsideWithAllTheirSegments) {
  Character character = make_boxed_character({{"Ground", -1, {0, -3, 0}},
                                              {"Hip", 0, {0, 0, 0}},
                                              {"Reach", 1, {0, 0.5, 0}},
                                              {"Shelf", 1, {1.01, 0, 0}},
                                              {"Balloon", 2, {0, 4, 0}}},
                                             kLow, kHigh);
  if (GetParam()) {
    MeshData data = character.mesh.data();
    for (Triangle& t : data.triangles) std::swap(t[1], t[2]);
    character.mesh = *Mesh::create(std::move(data));
  }
  const std::vector<BoneRole> roles = decide_deforming_bones(character);
  EXPECT_TRUE(roles[0].deforms) << "its segment leads into the mesh";
  EXPECT_TRUE(roles[1].deforms);
  EXPECT_TRUE(roles[2].deforms);
  EXPECT_TRUE(roles[3].deforms) << "a hair outside of the surface is no reason";
  EXPECT_EQ(roles[4].reason, RoleReason::outside);
  EXPECT_FALSE(roles[4].deforms);
}

INSTANTIATE_TEST_SUITE_P(HoweverTheMeshIsTurned, OutsideRule, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Inward" : "Outward"; });

TEST(DeformingBones, MeshInAnotherPlaceThanItsSkeletonTakesNoBoneAway) {
  const Character character = make_boxed_character(
      {{"Hip", -1, {100, 0, 0}}, {"Knee", 0, {110, 0, 0}}, {"Foot", 1, {0, 0, 0}}}, kLow, kHigh);
  for (const BoneRole& role : decide_deforming_bones(character)) EXPECT_TRUE(role.deforms);
}

TEST(DeformingBones, NeverNoneUnlessAllWereSaidNotTo) {
  Character character =
      make_boxed_character({{"IK_a", -1, {0, 0, 0}}, {"IK_b", 0, {0, 0.1, 0}}}, kLow, kHigh);
  for (const BoneRole& role : decide_deforming_bones(character)) EXPECT_TRUE(role.deforms);
  const std::vector<BoneRole> roles = decide_deforming_bones(character, {.bones = {}, .skip = {0}});
  EXPECT_FALSE(roles[0].deforms);
  EXPECT_TRUE(roles[1].deforms);
}

TEST(DeformingBones, WhatWasSaidIsObeyedAndSkipWins) {
  std::vector<Bone> bones = make_skeleton({{"A", -1, {0, 0, 0}},
                                           {"IK_b", 0, {0, 0.1, 0}},
                                           {"C", 0, {0, 0.2, 0}},
                                           {"IK_d", 0, {0, 0.3, 0}}})
                                .bones();
  bones[2].deforms = false;
  bones[3].deforms = true;
  Character character = make_boxed_character({{"A", -1, {0, 0, 0}}}, kLow, kHigh);
  character.skeleton = *Skeleton::create(std::move(bones));
  const std::vector<BoneRole> roles =
      decide_deforming_bones(character, {.bones = {0, 1}, .skip = {0}});
  EXPECT_FALSE(roles[0].deforms);
  EXPECT_TRUE(roles[1].deforms);
  EXPECT_FALSE(roles[2].deforms);
  EXPECT_TRUE(roles[3].deforms);
  for (const BoneRole& role : roles) EXPECT_EQ(role.reason, RoleReason::said);
}

}  // namespace
}  // namespace sinew::test
