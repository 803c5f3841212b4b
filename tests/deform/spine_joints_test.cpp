// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/spine_joints.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double kDegree = 0.017453292519943295;

const SpineRest kRest{{1, 2, 3}, {1, 4, 3}};

/// Where a row of joints puts a point, and where the spine does.
double distance(const SpineMotion& motion, int joints, StretchBy way, double u, const Vec3& point) {
  Vec3 converted = Vec3::Zero();
  const std::vector<double> middles = spine_joint_parameters(joints);
  for (const JointShare& share : spine_joint_shares(joints, u))
    converted +=
        share.share *
        (spine_joint_transform(kRest, motion, middles[static_cast<std::size_t>(share.joint)], way) *
         point);
  return (converted - spine_transform(kRest, motion, u) * point).norm();
}

/// The largest distance over a tube around the segment, from one u to another.
double largest(const SpineMotion& motion, int joints, StretchBy way, double from, double to) {
  double worst = 0;
  for (int s = 0; s <= 400; ++s)
    for (int a = 0; a < 8; ++a) {
      const double u = from + (to - from) * s / 400;
      const Vec3 point = kRest.head + u * (kRest.tail - kRest.head) +
                         0.4 * Vec3(std::cos(a * 45 * kDegree), 0, std::sin(a * 45 * kDegree));
      worst = std::max(worst, distance(motion, joints, way, u, point));
    }
  return worst;
}

SpineMotion bent() {
  SpineMotion motion;
  motion.axis = Vec3(1, 0.3, -0.5).normalized();
  motion.angle_rad = 80 * kDegree;
  motion.stretch = 1.2;
  motion.base.linear() = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  motion.base.translation() = Vec3(-3, 1, 0.5);
  return motion;
}

TEST(SpineJoints, SharesSumToOneAndAMiddleIsOfItsBoneAlone) {
  for (const int joints : {1, 2, 3, 8, 64}) {
    for (int s = 0; s <= 100; ++s) {
      const auto shares = spine_joint_shares(joints, s / 100.0);
      EXPECT_DOUBLE_EQ(shares[0].share + shares[1].share, 1);
      for (const JointShare& share : shares) {
        EXPECT_GE(share.share, 0);
        EXPECT_GE(share.joint, 0);
        EXPECT_LT(share.joint, joints);
      }
    }
    const std::vector<double> middles = spine_joint_parameters(joints);
    ASSERT_EQ(middles.size(), static_cast<std::size_t>(joints));
    for (int k = 0; k < joints; ++k) {
      double own = 0;
      for (const JointShare& share :
           spine_joint_shares(joints, middles[static_cast<std::size_t>(k)]))
        if (share.joint == k) own += share.share;
      EXPECT_NEAR(own, 1, 1e-12);
    }
  }
}

TEST(SpineJoints, HalfABoneAtEachEndIsOfOneBoneAlone) {
  EXPECT_EQ(spine_joint_shares(4, 0.05)[0].joint, 0);
  EXPECT_EQ(spine_joint_shares(4, 0.05)[0].share, 1);
  EXPECT_EQ(spine_joint_shares(4, 0.97)[0].joint, 3);
  EXPECT_EQ(spine_joint_shares(4, 0.97)[0].share, 1);
}

TEST(SpineJoints, BetweenTheMiddlesTheDeviationFallsWithTheSquareOfTheirNumber) {
  double last = 0;
  for (const int joints : {4, 8, 16, 32}) {
    const double end = 0.5 / 4;  // the outer middles of the fewest joints
    const double now = largest(bent(), joints, StretchBy::translations, end, 1 - end);
    if (last > 0) {
      EXPECT_LT(now, last / 3.5) << joints;
    }
    last = now;
  }
}

TEST(SpineJoints, OverTheWholeSpineTheDeviationFallsWithTheirNumber) {
  double last = 0;
  for (const int joints : {4, 8, 16, 32}) {
    const double now = largest(bent(), joints, StretchBy::translations, 0, 1);
    if (last > 0) {
      EXPECT_LT(now, last / 1.8) << joints;
    }
    last = now;
  }
}

TEST(SpineJoints, ScaleKeysFollowAStretchExactlyBesideTheBone) {
  SpineMotion motion = bent();
  motion.axis = Vec3::UnitY();
  motion.angle_rad = 0;
  motion.stretch = 1.5;
  EXPECT_LT(largest(motion, 3, StretchBy::scale_keys, 0, 1), 1e-12);
  EXPECT_GT(largest(motion, 3, StretchBy::translations, 0, 1), 0.1);
  EXPECT_LT(largest(motion, 3, StretchBy::translations, 0.5 / 3, 1 - 0.5 / 3), 1e-12);
}

TEST(SpineJoints, ScaleKeysStretchWhatSticksOutAtTheTailToo) {
  SpineMotion motion;
  motion.axis = Vec3::UnitY();
  motion.stretch = 1.5;
  const Vec3 beyond = kRest.tail + Vec3(0.2, 1.5, 0);
  EXPECT_GT(distance(motion, 8, StretchBy::scale_keys, 1, beyond),
            5 * distance(motion, 8, StretchBy::translations, 1, beyond));
}

TEST(SpineJoints, TheWeightOfTheSpineGoesToItsRowAndNoRowGrowsByMoreThanOne) {
  SpineBone spine;
  spine.bone = 1;
  spine.rest = kRest;
  spine.parameters = {0, 0.3, 0.5, 0.8, 1};
  const std::vector<std::vector<Influence>> rows = {
      {{0, 0.5}, {1, 0.5}}, {{1, 1}}, {{0, 0.2}, {1, 0.7}, {2, 0.1}}, {{2, 1}}, {{1, 1}}};
  const SkinWeights before = SkinWeights::from_rows(3, rows);
  const SplitSpine split{&spine, 3, 4};
  const SkinWeights after = split_spine_weights(before, 7, std::span(&split, 1));
  ASSERT_EQ(after.bone_count(), 7U);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    double moved = 0, old = 0;
    for (const Influence& influence : after.row(v)) {
      EXPECT_NE(influence.bone, 1U);
      if (influence.bone >= 3) moved += influence.weight;
    }
    for (const Influence& influence : before.row(v))
      if (influence.bone == 1) old += influence.weight;
    EXPECT_NEAR(moved, old, 1e-12);
    EXPECT_LE(after.row(v).size(), before.row(v).size() + 1);
  }
  EXPECT_EQ(after.row(0).size(), 2U);  // u = 0 is of the first bone alone
  EXPECT_EQ(after.row(1).size(), 2U);
}

TEST(SpineJoints, DroppingTheWeakestKeepsTheStrongestAndSumsToOne) {
  const std::vector<std::vector<Influence>> rows = {{{0, 0.4}, {1, 0.1}, {2, 0.5}}, {{1, 1}}};
  const SkinWeights capped = drop_weakest(SkinWeights::from_rows(3, rows), 2);
  ASSERT_EQ(capped.row(0).size(), 2U);
  EXPECT_EQ(capped.row(0)[0].bone, 0U);
  EXPECT_NEAR(capped.row(0)[0].weight, 4.0 / 9, 1e-12);
  EXPECT_EQ(capped.row(1).size(), 1U);
}

}  // namespace
}  // namespace sinew
