// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/spine_rows.h"

#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "sinew/poses/exemplars.h"
#include "sinew/poses/judging_poses.h"
#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

enum : int { kHips, kBack, kNeck, kHead, kLeg };
constexpr double kRounding = 1e-12;

Skeleton before_the_row() {
  return make_skeleton({{"Hips", -1, {0, 1, 0}},
                        {"Back", kHips, {0, 1, 0.2}},
                        {"Neck", kBack, {0, 1, 1}},
                        {"Head", kNeck, {0, 1.3, 1.2}},
                        {"Leg", kBack, {0.2, 0.9, 0.9}}});
}

/// The same with three joints for the back, in no order.
Skeleton with_a_row() {
  std::vector<Bone> bones = before_the_row().bones();
  for (const double u : {0.5, 1.0 / 6, 5.0 / 6}) {
    Bone joint;
    joint.parent = kBack;
    joint.rest = bones[kBack].rest;
    joint.rest.translation().z() += u * 0.8;
    joint.part_of = RowPlace{BoneKind::spine, u};
    bones.push_back(std::move(joint));
  }
  return *Skeleton::create(std::move(bones));
}

EffectiveHierarchy as_in_file(const Skeleton& skeleton) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  return hierarchy;
}

TEST(SpineRows, AreFoundByWhatTheirJointsHangOn) {
  const Skeleton skeleton = with_a_row();
  const std::vector<SpineRow> rows = find_spine_rows(skeleton);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].bone, kBack);
  EXPECT_EQ(rows[0].joints, (std::vector<int>{6, 5, 7}));
  EXPECT_EQ(rows[0].segment.child, kNeck);
  EXPECT_EQ(rows[0].segment.rest.tail, Vec3(0, 1, 1));
  EXPECT_EQ(bones_stood_for(skeleton), (std::vector<int>{0, 1, 2, 3, 4, 1, 1, 1}));
  EXPECT_EQ(with_rows_as_spines(skeleton).bone(kBack).kind, BoneKind::spine);
  EXPECT_TRUE(find_spine_rows(before_the_row()).empty());
}

TEST(SpineRows, DoNotChangeHowOtherBonesTurnInRandomPoses) {
  const Skeleton plain = before_the_row();
  const Skeleton rows = with_a_row();
  const auto of_plain = random_poses(plain, std::vector<BoneRole>(5), as_in_file(plain));
  const auto of_rows = random_poses(rows, std::vector<BoneRole>(8), as_in_file(rows));
  for (std::size_t p = 0; p < of_plain.size(); ++p)
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_EQ(of_plain[p].transforms[j].matrix(), of_rows[p].transforms[j].matrix());
}

TEST(SpineRows, BendAsTheSpineDoesThatTheyStandFor) {
  const Skeleton plain = with_rows_as_spines(with_a_row());
  std::vector<Bone> bones(plain.bones().begin(), plain.bones().begin() + 5);
  const Skeleton spine = *Skeleton::create(std::move(bones));
  const Skeleton rows = with_a_row();
  auto exact = random_poses(spine, std::vector<BoneRole>(5), as_in_file(spine));
  auto followed = random_poses(rows, std::vector<BoneRole>(8), as_in_file(rows));
  bend_spines(spine, exact);
  bend_spines_and_rows(rows, followed);
  const SpineRest rest = spine_segment(spine, kBack)->rest;
  for (std::size_t p = 0; p < exact.size(); ++p) {
    EXPECT_TRUE(followed[p].spines.empty());
    for (std::size_t j = 0; j < 5; ++j)
      EXPECT_LT((exact[p].transforms[j].matrix() - followed[p].transforms[j].matrix()).norm(),
                kRounding);
    for (std::size_t j = 5; j < 8; ++j) {
      const Affine3 expected =
          spine_transform(rest, exact[p].spines[kBack], rows.bones()[j].part_of->u);
      EXPECT_LT((expected.matrix() - followed[p].transforms[j].matrix()).norm(), kRounding);
    }
  }
}

TEST(SpineRows, FollowTheirBoneInExemplarsToo) {
  const Skeleton rows = with_a_row();
  const auto exemplars = sample_exemplars(rows, std::vector<BoneRole>(8), as_in_file(rows));
  const SpineRest rest = find_spine_rows(rows)[0].segment.rest;
  double most = 0, furthest = 0;
  for (const Exemplar& exemplar : exemplars) {
    EXPECT_TRUE(exemplar.spines.empty());
    // The joints of an evenly bent row turn by equal steps.
    const Eigen::Matrix3d first =
        exemplar.transforms[6].linear().transpose() * exemplar.transforms[5].linear();
    const Eigen::Matrix3d second =
        exemplar.transforms[5].linear().transpose() * exemplar.transforms[7].linear();
    EXPECT_LT((first - second).norm(), 1e-9);
    most = std::max(most, Eigen::AngleAxisd(first).angle());
    // And stay on the arc that the turn of the first, a sixth of the way, tells of.
    const Affine3& base = exemplar.transforms[kBack];
    const Eigen::AngleAxisd sixth(base.linear().transpose() * exemplar.transforms[6].linear());
    SpineMotion motion;
    motion.base = base;
    motion.axis = sixth.axis();
    motion.angle_rad = 6 * sixth.angle();
    for (const int j : {5, 6, 7}) {
      const Affine3 expected = spine_transform(rest, motion, rows.bone(j).part_of->u);
      EXPECT_LT(
          (exemplar.transforms[static_cast<std::size_t>(j)].matrix() - expected.matrix()).norm(),
          1e-9);
    }
    furthest = std::max(
        furthest,
        (exemplar.transforms[7] * rows.bone(7).head() - base * rows.bone(7).head()).norm());
  }
  EXPECT_GT(furthest, 0.1);  // of a back that is 0.8 long
  EXPECT_GT(most, 0.2);      // radians: up to 60 degrees over three joints
}

TEST(SpineRows, EndWhereTheNextPartOfTheirBoneBeginsAndGuessNothing) {
  const Skeleton rows = with_a_row();
  const GuessedTails tails = guess_leaf_tails(with_row_tails(rows), Mesh(), SkinWeights());
  EXPECT_EQ(tails.guessed, (std::vector<int>{kHead, kLeg}));
  for (const int j : {5, 6, 7}) {
    const Vec3 expected = rows.bone(j).head() + Vec3(0, 0, 0.8 / 6);
    ASSERT_TRUE(tails.skeleton.bone(j).tail.has_value());
    EXPECT_LT((*tails.skeleton.bone(j).tail - expected).norm(), kRounding);
  }
}

}  // namespace
}  // namespace sinew::test
