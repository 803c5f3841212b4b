// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/raised_arms.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

/// A body with a left arm that points away from straight down by so much.
Skeleton body_with_arm_at(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const Vec3 elbow = Vec3(0.2, 1.4, 0) + 0.3 * Vec3(std::sin(angle), -std::cos(angle), 0);
  return make_skeleton({{"Hips", -1, {0, 1, 0}},
                        {"Head", 0, {0, 1.6, 0}},
                        {"UpperArm.L", 0, {0.2, 1.4, 0}},
                        {"LowerArm.L", 2, elbow}});
}

std::vector<RaisedArm> raise(const Skeleton& skeleton) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  return raised_arms(
      skeleton, hierarchy,
      find_limb_bones(skeleton, std::vector<BoneRole>(skeleton.bone_count()), hierarchy));
}

TEST(RaisedArms, EndAtOnePlaceHoweverTheArmWasModelled) {
  const double raised = 150 * std::numbers::pi / 180;
  const Vec3 expected = Vec3(0.2, 1.4, 0) + 0.3 * Vec3(std::sin(raised), -std::cos(raised), 0);
  for (const double modelled : {5.0, 45.0, 90.0, 120.0}) {
    const Skeleton skeleton = body_with_arm_at(modelled);
    const std::vector<RaisedArm> arms = raise(skeleton);
    ASSERT_EQ(arms.size(), 1u) << modelled;
    EXPECT_EQ(arms[0].bone, 2);
    EXPECT_NEAR(arms[0].length, 0.3, 1e-12);
    EXPECT_LT((arms[0].pose.transforms[3] * skeleton.bone(3).head() - expected).norm(), 1e-9)
        << modelled;
    EXPECT_TRUE(arms[0].pose.transforms[1].isApprox(Affine3::Identity())) << "the head is still";
  }
}

TEST(RaisedArms, ThereAreNoneWithoutAHead) {
  EXPECT_TRUE(raise(make_skeleton({{"Hips", -1, {0, 1, 0}},
                                   {"UpperArm.L", 0, {0.2, 1.4, 0}},
                                   {"LowerArm.L", 1, {0.5, 1.4, 0}}}))
                  .empty());
}

}  // namespace
}  // namespace sinew::test
