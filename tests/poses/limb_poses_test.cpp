// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/limb_poses.h"

#include <cmath>
#include <map>
#include <numbers>

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
    found.poses.emplace(pose.limb ? std::string(to_string(*pose.limb)) : pose.name,
                        std::move(pose));
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

TEST(LimbPoses, JointsBendTheWayThatBodiesDoOnBothSidesAndNothingElseMoves) {
  const Found found = find(biped_skeleton());
  for (const std::string side : {".L", ".R"}) {
    EXPECT_GT(found.moved("shoulder", "Hand" + side).y(), 0.2) << "an arm rises";
    EXPECT_GT(found.moved("elbow", "Hand" + side).z(), 0.1) << "a forearm bends to the front";
    EXPECT_GT(found.moved("hip", "Foot" + side).z(), 0.2) << "a thigh rises to the front";
    EXPECT_LT(found.moved("knee", "Foot" + side).z(), -0.2) << "a shin bends to the back";
    EXPECT_LT(found.moved("forearm twist", "Hand" + side).norm(), 1e-9) << "a twist moves no joint";
    EXPECT_EQ(found.moved("elbow", "UpperArm" + side).norm(), 0);
  }
  EXPECT_GT(found.moved("neck", "Head").z(), 0.01) << "a head nods";
  EXPECT_EQ(found.moved("elbow", "Foot.R").norm(), 0);
  EXPECT_EQ(found.moved("knee", "Head").norm(), 0);
  EXPECT_GT(found.moved("Hip spread 45\u00b0", "Foot.L").x(), 0.2);
  EXPECT_LT(found.moved("Hip spread 45\u00b0", "Foot.R").x(), -0.2);
  EXPECT_GT(found.moved("Spine bent 45\u00b0", "Head").z(), 0.1);
}

/// A body whose arms point away from straight down by so much.
Skeleton body_with_arms_at(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const Vec3 along(std::sin(angle), -std::cos(angle), 0);
  std::vector<Bone> bones{bone_at("Hips", -1, {0, 1, 0}), bone_at("Spine", 0, {0, 1.2, 0}),
                          bone_at("Neck", 1, {0, 1.5, 0}), bone_at("Head", 2, {0, 1.6, 0})};
  for (const double side : {1.0, -1.0}) {
    const std::string of = side > 0 ? "Left" : "Right";
    const auto mirrored = [&](const Vec3& at) { return Vec3(side * at.x(), at.y(), at.z()); };
    const Vec3 shoulder(0.2, 1.45, 0);
    const int clavicle = static_cast<int>(bones.size());
    bones.push_back(bone_at(of + "Shoulder", 1, mirrored({0.05, 1.45, 0})));
    bones.push_back(bone_at(of + "Arm", clavicle, mirrored(shoulder)));
    bones.push_back(bone_at(of + "ForeArm", clavicle + 1, mirrored(shoulder + 0.3 * along)));
    bones.push_back(bone_at(of + "Hand", clavicle + 2, mirrored(shoulder + 0.55 * along)));
  }
  return *Skeleton::create(std::move(bones));
}

/// Which way an upper arm points in a pose.
Vec3 arm_in(const Found& found, const std::string& pose, const std::string& side) {
  const auto at = [&](const std::string& name) {
    for (std::size_t j = 0; j < found.skeleton.bone_count(); ++j)
      if (found.skeleton.bones()[j].name == name)
        return Vec3(found.poses.at(pose).transforms[j] * found.skeleton.bones()[j].head());
    return Vec3(Vec3::Zero());
  };
  return (at(side + "ForeArm") - at(side + "Arm")).normalized();
}

TEST(LimbPoses, AnglesCountFromHangingWhateverTheArmsWereModelledAs) {
  for (const double modelled : {10.0, 45.0, 90.0}) {
    const Found found = find(body_with_arms_at(modelled));
    for (const auto& [pose, degrees] : {std::pair<std::string, double>{"Arm hanging", 0},
                                        {"Arm raised 90\u00b0", 90},
                                        {"shoulder", 150}}) {
      const double angle = degrees * std::numbers::pi / 180;
      const Vec3 left(std::sin(angle), -std::cos(angle), 0);
      EXPECT_LT((arm_in(found, pose, "Left") - left).norm(), 1e-9) << modelled << " " << pose;
      const Vec3 right(-left.x(), left.y(), 0);
      EXPECT_LT((arm_in(found, pose, "Right") - right).norm(), 1e-9) << modelled << " " << pose;
    }
    EXPECT_LT((arm_in(found, "Arm in front 90\u00b0", "Left") - Vec3::UnitZ()).norm(), 1e-9);
  }
}

TEST(LimbPoses, AClavicleTakesAThirdOfWhatExceedsThirtyDegrees) {
  const Found found = find(body_with_arms_at(90));
  const Skeleton& skeleton = found.skeleton;
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
    if (skeleton.bones()[j].name != "LeftShoulder") continue;
    const Eigen::AngleAxisd turned(
        Eigen::Matrix3d(found.poses.at("shoulder").transforms[j].linear()));
    EXPECT_NEAR(turned.angle() * 180 / std::numbers::pi, 40, 1e-9);
    EXPECT_EQ(found.poses.at("Arm hanging").transforms[j].linear(), Eigen::Matrix3d::Identity());
  }
}

TEST(LimbPoses, ForearmsTwistToBothSidesAlike) {
  const Found found = find(body_with_arms_at(90));
  for (std::size_t j = 0; j < found.skeleton.bone_count(); ++j) {
    const std::string& name = found.skeleton.bones()[j].name;
    if (name != "LeftHand" && name != "RightHand") continue;
    // Palms that look down, as those of a T do, come to look to the front.
    const Vec3 palm = found.poses.at("forearm twist").transforms[j].linear() * -Vec3::UnitY();
    EXPECT_GT(palm.z(), 0.99) << name;
  }
}

TEST(LimbPoses, ABodyThatDoesNotStandUprightHasNone) {
  std::vector<Bone> bones{bone_at("Hips", -1, {0, 1, 0}), bone_at("Spine", 0, {0, 1, 1}),
                          bone_at("Neck", 1, {0, 1.1, 2}), bone_at("Head", 2, {0, 1.2, 2.5})};
  EXPECT_TRUE(find(*Skeleton::create(std::move(bones))).poses.empty());
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

TEST(LimbPoses, ABodyWithoutBonesHasNone) {
  EXPECT_TRUE(find(*Skeleton::create({})).poses.empty());
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
