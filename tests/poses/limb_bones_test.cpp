// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/limb_bones.h"

#include <map>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

/// Bones as "name" or "name<parent", in an order in which parents come first.
class Named {
 public:
  explicit Named(const std::vector<std::string>& words) {
    std::vector<MadeBone> bones;
    std::map<std::string, int> index;
    for (const std::string& word : words) {
      const std::size_t at = word.find('<');
      const std::string name = word.substr(0, at);
      const int parent = at == std::string::npos ? -1 : index.at(word.substr(at + 1));
      index[name] = static_cast<int>(bones.size());
      const double step = static_cast<double>(bones.size());
      bones.push_back({name, parent, Vec3(step, step * step, 0)});
    }
    skeleton_ = make_skeleton(bones);
    EffectiveHierarchy hierarchy;
    for (const Bone& bone : skeleton_.bones()) hierarchy.parent.push_back(bone.parent);
    found = find_limb_bones(skeleton_, std::vector<BoneRole>(bones.size()), hierarchy);
  }
  [[nodiscard]] std::string name(int bone) const {
    return bone < 0 ? "" : skeleton_.bone(bone).name;
  }
  [[nodiscard]] std::vector<std::string> names(const std::vector<int>& bones) const {
    std::vector<std::string> names;
    for (const int bone : bones) names.push_back(name(bone));
    return names;
  }
  LimbBones found;

 private:
  Skeleton skeleton_;
};

using Names = std::vector<std::string>;

TEST(LimbBones, OfMixamo) {
  const Named body(
      {"mixamorig:Hips", "mixamorig:Spine<mixamorig:Hips", "mixamorig:Spine1<mixamorig:Spine",
       "mixamorig:Neck<mixamorig:Spine1", "mixamorig:Head<mixamorig:Neck",
       "mixamorig:HeadTop_End<mixamorig:Head", "mixamorig:RightShoulder<mixamorig:Spine1",
       "mixamorig:RightArm<mixamorig:RightShoulder", "mixamorig:RightForeArm<mixamorig:RightArm",
       "mixamorig:RightHand<mixamorig:RightForeArm",
       "mixamorig:RightHandThumb1<mixamorig:RightHand",
       "mixamorig:RightHandThumb2<mixamorig:RightHandThumb1",
       "mixamorig:RightHandIndex1<mixamorig:RightHand",
       "mixamorig:RightHandIndex2<mixamorig:RightHandIndex1", "mixamorig:RightUpLeg<mixamorig:Hips",
       "mixamorig:RightLeg<mixamorig:RightUpLeg", "mixamorig:RightFoot<mixamorig:RightLeg",
       "mixamorig:RightToeBase<mixamorig:RightFoot"});
  EXPECT_EQ(body.name(body.found.head), "mixamorig:Head");
  EXPECT_EQ(body.name(body.found.hips), "mixamorig:Hips");
  EXPECT_EQ(body.names(body.found.spine), (Names{"mixamorig:Spine", "mixamorig:Spine1"}));
  EXPECT_EQ(body.names(body.found.neck), (Names{"mixamorig:Neck"}));
  const ArmBones& arm = body.found.arms[1];
  EXPECT_EQ(body.name(arm.clavicle), "mixamorig:RightShoulder");
  EXPECT_EQ(body.name(arm.upper), "mixamorig:RightArm");
  EXPECT_EQ(body.name(arm.lower), "mixamorig:RightForeArm");
  EXPECT_EQ(body.name(arm.hand), "mixamorig:RightHand");
  EXPECT_EQ(body.names(arm.thumb),
            (Names{"mixamorig:RightHandThumb1", "mixamorig:RightHandThumb2"}));
  ASSERT_EQ(arm.fingers.size(), 1u);
  EXPECT_EQ(body.names(arm.fingers[0]),
            (Names{"mixamorig:RightHandIndex1", "mixamorig:RightHandIndex2"}));
  EXPECT_EQ(body.name(body.found.legs[1].toes), "mixamorig:RightToeBase");
  EXPECT_LT(body.found.arms[0].upper, 0) << "there is no left one";
}

TEST(LimbBones, OfUnrealAndQuaterniusAndKay) {
  const Named unreal({"root", "pelvis<root", "spine_01<pelvis", "neck_01<spine_01", "head<neck_01",
                      "head_leaf<head", "clavicle_l<spine_01", "upperarm_l<clavicle_l",
                      "lowerarm_l<upperarm_l", "hand_l<lowerarm_l", "thigh_l<pelvis",
                      "calf_l<thigh_l", "foot_l<calf_l", "ball_l<foot_l", "ball_leaf_l<ball_l"});
  EXPECT_EQ(unreal.name(unreal.found.head), "head");
  EXPECT_EQ(unreal.name(unreal.found.hips), "pelvis");
  EXPECT_EQ(unreal.name(unreal.found.arms[0].clavicle), "clavicle_l");
  EXPECT_EQ(unreal.name(unreal.found.legs[0].shin), "calf_l");
  EXPECT_EQ(unreal.name(unreal.found.legs[0].toes), "ball_l");
  const Named quaternius({"Root", "Hips<Root", "Abdomen<Hips", "Torso<Abdomen", "Neck<Torso",
                          "Head<Neck", "Shoulder.L<Torso", "UpperArm.L<Shoulder.L",
                          "LowerArm.L<UpperArm.L", "Fist.L<LowerArm.L", "UpperLeg.L<Hips",
                          "LowerLeg.L<UpperLeg.L", "Foot.L<LowerLeg.L"});
  EXPECT_EQ(quaternius.names(quaternius.found.spine), (Names{"Abdomen", "Torso"}));
  EXPECT_EQ(quaternius.name(quaternius.found.arms[0].hand), "Fist.L");
  EXPECT_EQ(quaternius.name(quaternius.found.legs[0].foot), "Foot.L");
  const Named kay({"root", "hips<root", "spine<hips", "chest<spine", "head<chest",
                   "upperarm.l<chest", "lowerarm.l<upperarm.l", "wrist.l<lowerarm.l",
                   "hand.l<wrist.l", "handslot.l<hand.l", "handIK.l<root"});
  EXPECT_EQ(kay.name(kay.found.arms[0].hand), "wrist.l");
  EXPECT_LT(kay.found.arms[0].clavicle, 0);
  EXPECT_TRUE(kay.found.neck.empty());
}

TEST(LimbBones, OfMakeHumanWhereLimbsAreOfTwoBonesAndFingersOfNumbers) {
  const Named body({"root",
                    "spine05<root",
                    "spine01<spine05",
                    "clavicle.L<spine01",
                    "shoulder01.L<clavicle.L",
                    "upperarm01.L<shoulder01.L",
                    "upperarm02.L<upperarm01.L",
                    "lowerarm01.L<upperarm02.L",
                    "lowerarm02.L<lowerarm01.L",
                    "wrist.L<lowerarm02.L",
                    "finger1-1.L<wrist.L",
                    "finger1-2.L<finger1-1.L",
                    "metacarpal1.L<wrist.L",
                    "finger2-1.L<metacarpal1.L",
                    "finger2-2.L<finger2-1.L",
                    "neck01<spine01",
                    "neck02<neck01",
                    "head<neck02",
                    "pelvis.L<root",
                    "upperleg01.L<pelvis.L",
                    "upperleg02.L<upperleg01.L",
                    "lowerleg01.L<upperleg02.L",
                    "lowerleg02.L<lowerleg01.L",
                    "foot.L<lowerleg02.L",
                    "pelvis.R<root",
                    "upperleg01.R<pelvis.R",
                    "lowerleg01.R<upperleg01.R"});
  EXPECT_EQ(body.name(body.found.hips), "root") << "what both legs hang on";
  const ArmBones& arm = body.found.arms[0];
  EXPECT_EQ(body.name(arm.clavicle), "clavicle.L");
  EXPECT_EQ(body.name(arm.upper), "upperarm01.L");
  EXPECT_EQ(body.name(arm.lower), "lowerarm01.L");
  EXPECT_EQ(body.name(arm.hand), "wrist.L");
  EXPECT_EQ(body.names(arm.thumb), (Names{"finger1-1.L", "finger1-2.L"}));
  ASSERT_EQ(arm.fingers.size(), 1u);
  EXPECT_EQ(body.names(arm.fingers[0]), (Names{"finger2-1.L", "finger2-2.L"}));
  EXPECT_EQ(body.name(body.found.legs[0].shin), "lowerleg01.L");
  EXPECT_EQ(body.names(body.found.neck), (Names{"neck01", "neck02"}));
}

TEST(LimbBones, LegsOfAnimalsOnAllFoursAreNone) {
  const Named cow({"Body", "Torso<Body", "Neck1<Torso", "Head<Neck1", "FrontUpperLeg.L<Torso",
                   "FrontLowerLeg.L<FrontUpperLeg.L", "BackUpperLeg.L<Body",
                   "BackLowerLeg.L<BackUpperLeg.L"});
  EXPECT_LT(cow.found.legs[0].thigh, 0);
  EXPECT_EQ(cow.name(cow.found.head), "Head");
}

}  // namespace
}  // namespace sinew::test
