// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/judging_poses.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "model/clip_frames.h"
#include "support/made_skeletons.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

class JudgingPoses : public ::testing::Test {
 protected:
  JudgingPoses() {
    for (const Bone& bone : skeleton_.bones()) hierarchy_.parent.push_back(bone.parent);
    roles_.resize(skeleton_.bone_count());
    roles_[2].deforms = false;
  }
  const Skeleton skeleton_ = make_skeleton({{"Hip", -1, {0, 1, 0}},
                                            {"Knee", 0, {0, 0.5, 0.1}},
                                            {"Pole", 1, {0, 0.5, 1}},
                                            {"Foot", 1, {0, 0, 0}},
                                            {"Toe", 3, {0, 0, 0.2}}});
  std::vector<BoneRole> roles_;
  EffectiveHierarchy hierarchy_;
};

TEST_F(JudgingPoses, KeepJointsTogetherAndBonesRigid) {
  for (const SampledPose& pose : random_poses(skeleton_, roles_, hierarchy_)) {
    for (std::size_t j = 0; j < skeleton_.bone_count(); ++j) {
      const Affine3& own = pose.transforms[j];
      EXPECT_LT((own.linear().transpose() * own.linear() - Eigen::Matrix3d::Identity()).norm(),
                1e-14);
      if (hierarchy_.parent[j] < 0) continue;
      const Vec3 head = skeleton_.bones()[j].head();
      const Affine3& carrier = pose.transforms[static_cast<std::size_t>(hierarchy_.parent[j])];
      EXPECT_LT((own * head - carrier * head).norm(), 1e-14);
    }
  }
}

TEST_F(JudgingPoses, RootsStayAndControlsMoveWithTheirParents) {
  for (const SampledPose& pose : random_poses(skeleton_, roles_, hierarchy_)) {
    EXPECT_TRUE(pose.transforms[0].isApprox(Affine3::Identity(), 0));
    EXPECT_TRUE(pose.transforms[2].isApprox(pose.transforms[1], 0));
  }
}

TEST_F(JudgingPoses, TurnWithinTheLimitsAndToThem) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  constexpr double kRoundingDeg = 1e-6;
  double roll = 0, twist = 0;
  const Vec3 along = (skeleton_.bone(4).head() - skeleton_.bone(3).head()).normalized();
  for (const SampledPose& pose : random_poses(skeleton_, roles_, hierarchy_, {.count = 2000})) {
    const Eigen::Quaterniond foot_on_knee(
        Eigen::Matrix3d(pose.transforms[1].linear().transpose() * pose.transforms[3].linear()));
    // Twist leaves the bone where it is: it swings by the roll alone.
    const auto swing = Eigen::Quaterniond::FromTwoVectors(along, foot_on_knee * along);
    roll = std::max(roll, kDegrees * swing.angularDistance(Eigen::Quaterniond::Identity()));
    twist = std::max(twist, kDegrees * swing.angularDistance(foot_on_knee));
  }
  EXPECT_LE(roll, 60 + kRoundingDeg);
  EXPECT_LE(twist, 10 + kRoundingDeg);
  EXPECT_GT(roll, 59);
  EXPECT_GT(twist, 9.8);
}

TEST_F(JudgingPoses, SameSeedSamePosesHoweverMany) {
  const auto few = random_poses(skeleton_, roles_, hierarchy_, {.count = 2, .seed = 5});
  const auto many = random_poses(skeleton_, roles_, hierarchy_, {.count = 9, .seed = 5});
  const auto other = random_poses(skeleton_, roles_, hierarchy_, {.count = 2, .seed = 6});
  for (std::size_t p = 0; p < few.size(); ++p) {
    EXPECT_EQ(few[p].transforms[4].matrix(), many[p].transforms[4].matrix());
    EXPECT_NE(few[p].transforms[4].matrix(), other[p].transforms[4].matrix());
  }
}

TEST_F(JudgingPoses, BonesTurnAlikeWhoeverDeforms) {
  const auto with_control = random_poses(skeleton_, roles_, hierarchy_, {.count = 3});
  roles_[2].deforms = true;
  const auto without = random_poses(skeleton_, roles_, hierarchy_, {.count = 3});
  for (std::size_t p = 0; p < 3; ++p)
    EXPECT_EQ(with_control[p].transforms[4].matrix(), without[p].transforms[4].matrix());
}

TEST(ClipPoses, AreSpreadEvenlyBetweenTheEndsOfTheClip) {
  const Character character = tiny_character();
  const std::vector<SampledPose> poses = clip_poses(character, 3);
  ASSERT_EQ(poses.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const SampledPose& pose = poses[static_cast<std::size_t>(k)];
    EXPECT_EQ(pose.clip, 0);
    EXPECT_DOUBLE_EQ(pose.time_s, (k + 1) / 4.0);
    const Vec3 top = pose.transforms[1] * Vec3(0, 1, 0);
    const double angle = pose.time_s * std::numbers::pi / 2;
    EXPECT_LT((top - Vec3(-0.5 * std::sin(angle), 0.5 + 0.5 * std::cos(angle), 0)).norm(), 1e-12);
  }
}

TEST(ClipPoses, EveryClipThatMovesAnythingGivesAtLeastOne) {
  Character character = tiny_character();
  character.clips.assign(5, character.clips[0]);
  EXPECT_EQ(clip_poses(character, 3).size(), 5u);
  character.clips[2].channels[0].path = ChannelPath::morph_weights;
  EXPECT_EQ(spread_clip_frames(character.clips, 3).size(), 4u);
  EXPECT_EQ(spread_clip_frames(character.clips, 10).size(), 8u) << "still counts as a clip";
  EXPECT_TRUE(clip_poses(character, 0).empty());
  character.clips.clear();
  EXPECT_TRUE(clip_poses(character, 24).empty());
}

}  // namespace
}  // namespace sinew::test
