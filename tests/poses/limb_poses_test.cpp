// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "poses/limb_poses.h"

#include <map>

#include <gtest/gtest.h>

#include "examples/characters/characters.h"

namespace sinew::test {
namespace {

struct Found {
  Skeleton skeleton;
  std::map<std::string, LimbPose> poses;  // by limb

  [[nodiscard]] std::string bone(const std::string& limb) const {
    const auto pose = poses.find(limb);
    return pose == poses.end() ? "" : skeleton.bone(pose->second.bone).name;
  }
  /// Where a bone's head goes in a pose, relative to where it was.
  [[nodiscard]] Vec3 moved(const std::string& limb, const std::string& name) const {
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
      if (skeleton.bones()[j].name == name) {
        const Vec3 head = skeleton.bones()[j].head();
        return poses.at(limb).transforms[j] * head - head;
      }
    return Vec3::Zero();
  }
};

Found find(const Skeleton& skeleton) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  Found found{skeleton, {}};
  for (LimbPose& pose :
       limb_poses(skeleton, std::vector<BoneRole>(skeleton.bone_count()), hierarchy))
    found.poses.emplace(to_string(*pose.limb), std::move(pose));
  return found;
}

Bone bone_at(std::string name, int parent, const Vec3& head) {
  Bone bone;
  bone.name = std::move(name);
  bone.parent = parent;
  bone.rest.translation() = head;
  return bone;
}

Skeleton chain_of(const std::vector<std::string>& names) {
  std::vector<Bone> bones;
  for (std::size_t j = 0; j < names.size(); ++j)
    bones.push_back(bone_at(names[j], static_cast<int>(j) - 1, Vec3(static_cast<double>(j), 0, 0)));
  return *Skeleton::create(std::move(bones));
}

const Skeleton& biped_skeleton() {
  static const Skeleton skeleton = make_example("biped", {.vertices = 2000})->character.skeleton;
  return skeleton;
}

TEST(LimbPoses, ABipedHasAllSixOfItsLeftSide) {
  const Found found = find(biped_skeleton());
  EXPECT_EQ(found.bone("shoulder"), "UpperArm.L");
  EXPECT_EQ(found.bone("elbow"), "Forearm.L");
  EXPECT_EQ(found.bone("forearm twist"), "Forearm.L");
  EXPECT_EQ(found.bone("hip"), "Thigh.L");
  EXPECT_EQ(found.bone("knee"), "Shin.L");
  EXPECT_EQ(found.bone("neck"), "Neck");
}

TEST(LimbPoses, JointsBendTheWayThatBodiesDoAndNothingElseMoves) {
  const Found found = find(biped_skeleton());
  EXPECT_GT(found.moved("shoulder", "Hand.L").y(), 0.2) << "an arm rises";
  EXPECT_GT(found.moved("elbow", "Hand.L").z(), 0.1) << "a forearm bends to the front";
  EXPECT_GT(found.moved("hip", "Foot.L").z(), 0.2) << "a thigh rises to the front";
  EXPECT_LT(found.moved("knee", "Foot.L").z(), -0.2) << "a shin bends to the back";
  EXPECT_GT(found.moved("neck", "Head").z(), 0.01) << "a head nods";
  EXPECT_LT(found.moved("forearm twist", "Hand.L").norm(), 1e-9) << "a twist moves no joint";
  EXPECT_EQ(found.moved("elbow", "UpperArm.L").norm(), 0);
  EXPECT_EQ(found.moved("elbow", "Hand.R").norm(), 0);
  EXPECT_EQ(found.moved("knee", "Head").norm(), 0);
}

TEST(LimbPoses, NamesOfMixamoUnrealAndPlainChainsAreKnown) {
  const Found mixamo =
      find(chain_of({"mixamorig:Hips", "mixamorig:LeftShoulder", "mixamorig:LeftArm",
                     "mixamorig:LeftForeArm", "mixamorig:LeftHand"}));
  EXPECT_EQ(mixamo.bone("shoulder"), "mixamorig:LeftArm");
  EXPECT_EQ(mixamo.bone("elbow"), "mixamorig:LeftForeArm");
  const Found mixamo_leg = find(chain_of(
      {"mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot"}));
  EXPECT_EQ(mixamo_leg.bone("hip"), "mixamorig:LeftUpLeg");
  EXPECT_EQ(mixamo_leg.bone("knee"), "mixamorig:LeftLeg");
  const Found unreal =
      find(chain_of({"pelvis", "thigh_l", "calf_l", "foot_l", "upperarm_l", "lowerarm_l"}));
  EXPECT_EQ(unreal.bone("hip"), "thigh_l");
  EXPECT_EQ(unreal.bone("knee"), "calf_l");
  EXPECT_EQ(unreal.bone("elbow"), "lowerarm_l");
  const Found numbered = find(chain_of({"torso", "arm_joint_L_1", "arm_joint_L_2"}));
  EXPECT_EQ(numbered.bone("shoulder"), "arm_joint_L_1");
  EXPECT_EQ(numbered.bone("elbow"), "arm_joint_L_2");
}

TEST(LimbPoses, ASnakeHasNone) {
  EXPECT_TRUE(find(chain_of({"root", "segment1", "segment2", "segment3"})).poses.empty());
}

TEST(BendPoses, BendTheChosenBoneAcrossItself) {
  const Skeleton skeleton = chain_of({"root", "segment1", "segment2"});
  const EffectiveHierarchy hierarchy{{-1, 0, 1}, {}};
  const std::vector<int> chosen{1};
  const auto poses = bend_poses(skeleton, std::vector<BoneRole>(3), hierarchy, chosen);
  ASSERT_EQ(poses.size(), 1u);
  EXPECT_EQ(poses[0].name, "segment1 bent 60\u00b0");
  EXPECT_FALSE(poses[0].limb);
  // A metre along x turned by 60 degrees about the joint: half of it is left along x.
  const Vec3 tip = poses[0].transforms[2] * Vec3(2, 0, 0);
  EXPECT_NEAR(tip.x(), 1.5, 1e-12);
}

}  // namespace
}  // namespace sinew::test
