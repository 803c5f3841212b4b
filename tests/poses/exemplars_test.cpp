// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/exemplars.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "math/swing_twist.h"
#include "sinew/poses/judging_poses.h"
#include "support/made_skeletons.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kRoundingDeg = 1e-6;

EffectiveHierarchy file_hierarchy(const Skeleton& skeleton) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  return hierarchy;
}

/// A leg with a pole that controls its knee, and a tail that hangs on nothing.
class Exemplars : public ::testing::Test {
 protected:
  enum : std::size_t { kHip, kKnee, kPole, kFoot, kToe, kTail, kTailEnd };

  Exemplars() {
    roles_.resize(bones_.size());
    roles_[kPole].deforms = false;
  }
  [[nodiscard]] Skeleton skeleton() const { return *Skeleton::create(bones_); }
  [[nodiscard]] std::vector<Exemplar> sample(const ExemplarOptions& options = {}) const {
    return sample_exemplars(skeleton(), roles_, hierarchy_, options);
  }
  /// What a bone does relative to its parent, in degrees.
  [[nodiscard]] SwingTwist turn(const Exemplar& exemplar, std::size_t bone,
                                const Vec3& axis) const {
    const auto parent = static_cast<std::size_t>(hierarchy_.parent[bone]);
    SwingTwist parts =
        swing_twist(Quat(Eigen::Matrix3d(exemplar.transforms[parent].linear().transpose() *
                                         exemplar.transforms[bone].linear())),
                    axis);
    parts.swing_rad *= kDegrees;
    parts.twist_rad *= kDegrees;
    return parts;
  }

  std::vector<Bone> bones_ = make_skeleton({{"Hip", -1, {0, 1, 0}},
                                            {"Knee", kHip, {0, 0.5, 0.1}},
                                            {"Pole", kKnee, {0, 0.5, 1}},
                                            {"Foot", kKnee, {0, 0, 0}},
                                            {"Toe", kFoot, {0, 0, 0.2}},
                                            {"Tail", -1, {0, 1, -0.3}},
                                            {"TailEnd", kTail, {0, 1, -0.8}}})
                                 .bones();
  std::vector<BoneRole> roles_;
  EffectiveHierarchy hierarchy_ = file_hierarchy(skeleton());
};

TEST_F(Exemplars, KeepJointsTogetherAndBonesRigid) {
  for (const Exemplar& exemplar : sample()) {
    for (std::size_t j = 0; j < bones_.size(); ++j) {
      const Affine3& own = exemplar.transforms[j];
      EXPECT_LT((own.linear().transpose() * own.linear() - Eigen::Matrix3d::Identity()).norm(),
                1e-14);
      if (hierarchy_.parent[j] < 0) continue;
      const Affine3& carrier = exemplar.transforms[static_cast<std::size_t>(hierarchy_.parent[j])];
      EXPECT_LT((own * bones_[j].head() - carrier * bones_[j].head()).norm(), 1e-14);
    }
  }
}

TEST_F(Exemplars, TheMainRootStaysOthersTurnAboutTheirHeads) {
  double most = 0;
  for (const Exemplar& exemplar : sample()) {
    EXPECT_TRUE(exemplar.transforms[kHip].isApprox(Affine3::Identity(), 0));
    EXPECT_TRUE(exemplar.transforms[kPole].isApprox(exemplar.transforms[kKnee], 0));
    const Vec3 head = bones_[kTail].head();
    EXPECT_LT((exemplar.transforms[kTail] * head - head).norm(), 1e-15);
    most =
        std::max(most, (exemplar.transforms[kTail].linear() - Eigen::Matrix3d::Identity()).norm());
  }
  EXPECT_GT(most, 1);
  // The main root is the one that carries more, wherever it stands in the file.
  std::vector<Bone> two =
      make_skeleton({{"Hat", -1, {0, 3, 0}}, {"Hip", -1, {0, 0, 0}}, {"Head", 1, {0, 2, 0}}})
          .bones();
  const Skeleton skeleton = *Skeleton::create(two);
  for (const Exemplar& exemplar :
       sample_exemplars(skeleton, std::vector<BoneRole>(3), file_hierarchy(skeleton))) {
    EXPECT_TRUE(exemplar.transforms[1].isApprox(Affine3::Identity(), 0));
    EXPECT_FALSE(exemplar.transforms[0].isApprox(Affine3::Identity(), 1e-6));
  }
}

TEST_F(Exemplars, BalancedOnesTurnEveryBoneAsFarTheOtherWayInTurn) {
  bones_[kFoot].limits.twist_deg = {0, 30};
  ExemplarOptions options;
  options.count = 80;
  options.draw = ExemplarOptions::Draw::balanced;
  const std::vector<Exemplar> exemplars = sample(options);
  ASSERT_EQ(exemplars.size(), 80u);
  const Vec3 along = (bones_[kToe].head() - bones_[kFoot].head()).normalized();
  std::vector<double> rolls;
  Eigen::Matrix3d sides = Eigen::Matrix3d::Zero();
  for (std::size_t x = 0; x < exemplars.size(); x += 2) {
    const SwingTwist there = turn(exemplars[x], kFoot, along);
    const SwingTwist back = turn(exemplars[x + 1], kFoot, along);
    EXPECT_LT((there.swing_rad + back.swing_rad).norm(), kRoundingDeg);
    EXPECT_NEAR(there.twist_rad + back.twist_rad, 30, kRoundingDeg);
    for (const double roll : {there.swing_rad.norm(), -there.swing_rad.norm()})
      rolls.push_back(roll);
    sides += there.swing_rad.normalized() * there.swing_rad.normalized().transpose() / 40;
  }
  // One roll in each of 40 equal parts of ±60°, and directions all around the bone.
  std::ranges::sort(rolls);
  for (std::size_t n = 1; n < rolls.size(); ++n) EXPECT_LT(rolls[n] - rolls[n - 1], 2 * 3.0);
  EXPECT_NEAR(sides.eigenvalues().real().maxCoeff(), 0.5, 0.05);
}

TEST_F(Exemplars, BalancedOnesAreAsManyAsAskedFor) {
  ExemplarOptions options;
  options.draw = ExemplarOptions::Draw::balanced;
  for (const int count : {0, 1, 7}) {
    options.count = count;
    EXPECT_EQ(sample(options).size(), static_cast<std::size_t>(count));
  }
}

TEST_F(Exemplars, EveryBoneTurnsWithinItsOwnLimitsAndToThem) {
  bones_[kFoot].limits.roll_deg = {-20, 5};
  bones_[kFoot].limits.twist_deg = {1, 30};
  const Vec3 along = (bones_[kToe].head() - bones_[kFoot].head()).normalized();
  double roll = 0, least_twist = 180, most_twist = -180;
  for (const Exemplar& exemplar : sample({.count = 2000})) {
    const SwingTwist parts = turn(exemplar, kFoot, along);
    roll = std::max(roll, parts.swing_rad.norm());
    least_twist = std::min(least_twist, parts.twist_rad);
    most_twist = std::max(most_twist, parts.twist_rad);
  }
  EXPECT_LE(roll, 20 + kRoundingDeg);
  EXPECT_GT(roll, 19.8);
  EXPECT_GE(least_twist, 1 - kRoundingDeg);
  EXPECT_LT(least_twist, 1.2);
  EXPECT_LE(most_twist, 30 + kRoundingDeg);
  EXPECT_GT(most_twist, 29.8);
}

TEST_F(Exemplars, AHingeTurnsAboutItsAxisAsTheBoneHasIt) {
  const Eigen::AngleAxisd own_axes(0.7, Vec3(1, 2, 3).normalized());
  bones_[kKnee].rest.linear() = 100 * own_axes.toRotationMatrix();
  const Vec3 hinge = Vec3::UnitX();  // model space, across the shin
  bones_[kKnee].limits.roll_axis = own_axes.inverse() * hinge;
  bones_[kKnee].limits.roll_deg = {0, 140};
  bones_[kKnee].limits.twist_deg = {0, 0};
  double most = 0;
  for (const Exemplar& exemplar : sample({.count = 500})) {
    const Eigen::AngleAxisd knee(exemplar.transforms[kKnee].linear());
    const double angle_deg = kDegrees * knee.angle() * knee.axis().dot(hinge);
    EXPECT_NEAR(std::abs(knee.axis().dot(hinge)), 1, 1e-9);
    EXPECT_GE(angle_deg, -kRoundingDeg);
    most = std::max(most, angle_deg);
  }
  EXPECT_LE(most, 140 + kRoundingDeg);
  EXPECT_GT(most, 138);
}

TEST_F(Exemplars, ATailSaysWhereABonePoints) {
  bones_[kToe].tail = Vec3(0.3, 0, 0.2);  // sideways; the foot points forward
  bones_[kToe].limits.roll_deg = {0, 0};
  for (const Exemplar& exemplar : sample({.count = 20}))
    EXPECT_LT(turn(exemplar, kToe, Vec3::UnitX()).swing_rad.norm(), kRoundingDeg);
}

TEST_F(Exemplars, LimitsThatAreGivenReplaceTheBonesOwn) {
  std::vector<BoneLimits> limits(bones_.size());
  limits[kKnee].roll_deg = limits[kKnee].twist_deg = {0, 0};
  for (const Exemplar& exemplar : sample({.count = 5, .limits = limits}))
    EXPECT_TRUE(exemplar.transforms[kKnee].isApprox(Affine3::Identity(), 0));
}

TEST_F(Exemplars, AreTheSameForASeedAndNeverThoseThatJudge) {
  const auto few = sample({.count = 2, .seed = 5});
  const auto many = sample({.count = 9, .seed = 5});
  const auto other = sample({.count = 2, .seed = 6});
  const auto judged = random_poses(skeleton(), roles_, hierarchy_, {.count = 100, .seed = 5});
  for (std::size_t p = 0; p < few.size(); ++p) {
    EXPECT_EQ(few[p].transforms[kToe].matrix(), many[p].transforms[kToe].matrix());
    EXPECT_NE(few[p].transforms[kToe].matrix(), other[p].transforms[kToe].matrix());
    for (const SampledPose& pose : judged)
      EXPECT_GT((few[p].transforms[kKnee].matrix() - pose.transforms[kKnee].matrix()).norm(), 1e-9);
  }
}

TEST_F(Exemplars, HangOnTheEffectiveHierarchy) {
  hierarchy_.parent[kTail] = kToe;
  for (const Exemplar& exemplar : sample({.count = 5})) {
    const Vec3 head = bones_[kTail].head();
    EXPECT_LT((exemplar.transforms[kTail] * head - exemplar.transforms[kToe] * head).norm(), 1e-14);
  }
}

/// A rotation about a fixed axis through these angles, one per second.
Channel turning(int node, const Vec3& axis, const std::vector<double>& angles_deg) {
  Channel channel;
  channel.node = node;
  channel.path = ChannelPath::rotation;
  channel.width = 4;
  for (const double angle_deg : angles_deg) {
    channel.times.push_back(static_cast<double>(channel.times.size()));
    const Quat q(Eigen::AngleAxisd(angle_deg / kDegrees, axis));
    channel.values.insert(channel.values.end(), {q.x(), q.y(), q.z(), q.w()});
  }
  return channel;
}

Character leg_with_clips(const std::vector<Channel>& channels) {
  Character leg = make_boxed_character({{"Hip", -1, {0, 1, 0}},
                                        {"Ctrl", 0, {0, 0.5, 0}},
                                        {"Knee", 1, {0, 0.5, 0}},
                                        {"Foot", 2, {0, 0, 0}}},
                                       {-0.1, 0, -0.1}, {0.1, 1, 0.1});
  for (const Channel& channel : channels) leg.clips.push_back({"clip", {channel}, 0, 1});
  return leg;
}

std::vector<BoneLimits> clip_limits(const Character& character,
                                    const ClipLimitsOptions& options = {}) {
  std::vector<BoneRole> roles(character.skeleton.bone_count());
  if (roles.size() > 1) roles[1].deforms = false;
  return limits_from_clips(character, roles, file_hierarchy(character.skeleton), options);
}

constexpr ClipLimitsOptions kAsSeen{
    .frames_per_clip = 999, .widen_share = 0, .widen_deg = 0, .least_width_deg = 0};

TEST(LimitsFromClips, AKneeIsAHingeWithTheRangeThatItIsSeenIn) {
  const auto limits = clip_limits(leg_with_clips({turning(2, Vec3::UnitX(), {30, 100})}), kAsSeen);
  ASSERT_TRUE(limits[2].roll_axis.has_value());
  EXPECT_LT((*limits[2].roll_axis - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_NEAR(limits[2].roll_deg.min, 30, 0.1);
  EXPECT_NEAR(limits[2].roll_deg.max, 100, 0.1);
  EXPECT_NEAR(limits[2].twist_deg.min, 0, 1e-9);
  EXPECT_NEAR(limits[2].twist_deg.max, 0, 1e-9);
}

TEST(LimitsFromClips, RangesAreWidenedAtBothEnds) {
  const auto limits =
      clip_limits(leg_with_clips({turning(2, Vec3::UnitX(), {30, 100})}), {.frames_per_clip = 999});
  EXPECT_NEAR(limits[2].roll_deg.min, 30 - 7 - 5, 0.2);
  EXPECT_NEAR(limits[2].roll_deg.max, 100 + 7 + 5, 0.2);
  EXPECT_NEAR(limits[3].roll_deg.min, -5, 1e-9) << "no clip turns the foot";
  EXPECT_NEAR(limits[3].twist_deg.max, 5, 1e-9);
  EXPECT_FALSE(limits[3].roll_axis.has_value());
  EXPECT_EQ(limits[0], BoneLimits{}) << "a root's turns say nothing";
}

TEST(LimitsFromClips, ABallJointMaySwingAsFarAnyWay) {
  const auto limits = clip_limits(
      leg_with_clips({turning(2, Vec3::UnitX(), {-10, 40}), turning(2, Vec3::UnitZ(), {0, 50}),
                      turning(2, Vec3::UnitY(), {-15, 25})}),
      kAsSeen);
  EXPECT_FALSE(limits[2].roll_axis.has_value());
  EXPECT_NEAR(limits[2].roll_deg.min, -50, 0.1);
  EXPECT_NEAR(limits[2].roll_deg.max, 50, 0.1);
  EXPECT_NEAR(limits[2].twist_deg.min, -25, 0.1) << "the bone points down: its twist is about -y";
  EXPECT_NEAR(limits[2].twist_deg.max, 15, 0.1);
}

TEST(LimitsFromClips, WhatAControlDoesIsItsBonesDoing) {
  const auto limits = clip_limits(leg_with_clips({turning(1, Vec3::UnitX(), {0, 70})}), kAsSeen);
  EXPECT_NEAR(limits[2].roll_deg.max, 70, 0.1);
  EXPECT_EQ(limits[1], BoneLimits{});
}

TEST(LimitsFromClips, StatedLimitsStayAndNoClipsChangeNothing) {
  Character leg = leg_with_clips({turning(2, Vec3::UnitX(), {30, 100})});
  std::vector<Bone> bones = leg.skeleton.bones();
  bones[2].limits.twist_deg = {-1, 1};
  leg.skeleton = *Skeleton::create(bones);
  EXPECT_EQ(clip_limits(leg)[2], bones[2].limits);
  leg.clips.clear();
  EXPECT_EQ(clip_limits(leg)[3], BoneLimits{});
}

TEST(LimitsFromClips, SampledExemplarsLookLikeTheClip) {
  const Character leg = leg_with_clips({turning(2, Vec3::UnitX(), {30, 100})});
  std::vector<BoneRole> roles(4);
  roles[1].deforms = false;
  const auto exemplars = sample_exemplars(leg.skeleton, roles, file_hierarchy(leg.skeleton),
                                          {.limits = clip_limits(leg)});
  for (const Exemplar& exemplar : exemplars)
    EXPECT_GT((exemplar.transforms[2] * Vec3(0, 0, 0)).y(), -0.01) << "knees bend one way";
  for (const Exemplar& exemplar : exemplars)
    EXPECT_LT((exemplar.transforms[2] * Vec3(0, 0, 0)).z(), 0);
}

TEST(ClipExemplars, AreFramesOfTheClipsThatWereAskedForWithoutTheirTravel) {
  Character character = tiny_character();
  character.clips.assign(3, character.clips[0]);
  Channel walk;
  walk.node = 0;
  walk.times = {0, 1};
  walk.values = {0, 0, 0, 1e4, 0, 0};
  character.clips[1].channels.push_back(walk);
  const std::vector<int> second{1}, none;
  const auto frames = clip_exemplars(character, second, 4);
  const auto poses = clip_poses(character, second, 4);
  ASSERT_EQ(frames.size(), 4u);
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(frames[f].clip, 1);
    EXPECT_DOUBLE_EQ(frames[f].time_s, static_cast<double>(f + 1) / 5);
    EXPECT_LT(frames[f].transforms[0].translation().norm(), 1);
    EXPECT_GT(poses[f].transforms[0].translation().norm(), 1000);
    // One translation for all bones: the pose itself is that of the clip.
    const Affine3 own = frames[f].transforms[0].inverse(Eigen::Affine) * frames[f].transforms[1];
    const Affine3 of_clip = poses[f].transforms[0].inverse(Eigen::Affine) * poses[f].transforms[1];
    EXPECT_LT((own.matrix() - of_clip.matrix()).norm(), 1e-9);
  }
  EXPECT_TRUE(clip_exemplars(character, none, 4).empty());
}

TEST(PoseExemplars, AreForwardKinematicsOfEachPose) {
  const Character leg = leg_with_clips({});
  Pose pose = Pose::rest(leg.skeleton);
  pose.bones[2].rotation = Quat(Eigen::AngleAxisd(1, Vec3::UnitX()));
  const auto exemplars = pose_exemplars(leg.skeleton, std::vector{Pose::rest(leg.skeleton), pose});
  ASSERT_EQ(exemplars.size(), 2u);
  EXPECT_TRUE(exemplars[0].transforms[3].isApprox(Affine3::Identity(), 1e-15));
  const std::vector<Affine3> expected = forward_kinematics(leg.skeleton, pose);
  const auto between = [](const std::vector<Affine3>& transforms) {
    return transforms[0].inverse(Eigen::Isometry) * transforms[3];
  };
  EXPECT_TRUE(between(exemplars[1].transforms).isApprox(between(expected), 1e-12));
  Vec3 travel = Vec3::Zero();
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const Vec3 head = leg.skeleton.bones()[j].head();
    travel += exemplars[1].transforms[j] * head - head;
  }
  EXPECT_LT(travel.norm(), 1e-12) << "joints are on average where they were";
}

}  // namespace
}  // namespace sinew::test
