// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/driven_spines.h"

#include <numbers>

#include <gtest/gtest.h>

#include "math/random.h"
#include "math/swing_twist.h"
#include "model/spine_driver.h"
#include "sinew/model/pose.h"
#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

constexpr double kRounding = 1e-13;  // skeletons here are two units tall

enum : int { kHips, kSpine, kChest, kNeck, kArm, kHand };

std::vector<Bone> torso() {
  return make_skeleton({{"Hips", -1, {0, 1, 0}},
                        {"Spine", kHips, {0, 1.1, 0}},
                        {"Chest", kSpine, {0.05, 1.6, 0.1}},
                        {"Neck", kChest, {0, 1.9, 0.1}},
                        {"Arm", kSpine, {0.3, 1.55, 0}},
                        {"Hand", kArm, {0.8, 1.5, 0.1}}})
      .bones();
}

Skeleton with_kinds(std::vector<Bone> bones,
                    std::initializer_list<std::pair<int, BoneKind>> kinds) {
  for (const auto& [bone, kind] : kinds) bones[static_cast<std::size_t>(bone)].kind = kind;
  return *Skeleton::create(std::move(bones));
}

Quat random_turn(Random& random) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  return Quat(Eigen::AngleAxisd(random.uniform(-2, 2), Vec3(x, y, z).normalized()));
}

Pose random_pose(const Skeleton& skeleton, Random& random) {
  Pose pose = Pose::rest(skeleton);
  for (BonePose& bone : pose.bones) bone.rotation = random_turn(random);
  return pose;
}

/// What plain forward kinematics of rigid bones gives: what a clip would hold.
std::vector<Affine3> rigid_transforms(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Bone> bones = skeleton.bones();
  for (Bone& bone : bones) bone.kind = BoneKind::rigid;
  return forward_kinematics(*Skeleton::create(std::move(bones)), pose);
}

Vec3 tail_of(const Skeleton& skeleton, const PosedBones& posed, int bone) {
  const SpineSegment segment = *spine_segment(skeleton, bone);
  return spine_transform(segment.rest, posed.spines[static_cast<std::size_t>(bone)], 1) *
         segment.rest.tail;
}

Vec3 head_of(const Skeleton& skeleton, const PosedBones& posed, int bone) {
  return posed.transforms[static_cast<std::size_t>(bone)] * skeleton.bone(bone).head();
}

TEST(SpineSegment, GoesStraightOnWhereABoneForks) {
  std::vector<Bone> bones = torso();
  bones.push_back(bones[kHand]);
  bones.back().parent = kHand;  // the arm carries more, and leads aside
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kChest);
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->rest.tail, bones[kChest].head());
  bones[kSpine].tail = Vec3(0, 1.7, 0);  // where nothing starts
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kChest);
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->rest.tail, Vec3(0, 1.7, 0));
  bones[kSpine].tail = bones[kArm].head();
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kArm);
}

TEST(SpineSegment, OfChildrenAboutAsStraightTheOneThatCarriesMostIsMeant) {
  std::vector<Bone> bones = torso();
  bones[kArm].rest.translation() = Vec3(0.15, 1.6, 0);
  // Chest and arm carry a bone each: the first of equals.
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kChest);
  bones.push_back(bones[kHand]);
  bones.back().parent = kHand;
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kArm);
  // Joints of a row hang on it and carry nothing.
  bones.back().part_of = RowPlace{BoneKind::stretch_twist, 0.5};
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->child, kChest);
}

TEST(SpineSegment, BesideItsChildAreThoseAtItsEndThatCarryBones) {
  std::vector<Bone> bones = torso();
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->beside, std::vector<int>{kArm});
  EXPECT_TRUE(spine_segment(*Skeleton::create(bones), kHips)->beside.empty());
  bones.push_back(bones[kHand]);  // a quiver at the end, with nothing on it
  bones.back().parent = kSpine;
  bones.back().rest.translation() = Vec3(0, 1.5, -0.1);
  EXPECT_EQ(spine_segment(*Skeleton::create(bones), kSpine)->beside, std::vector<int>{kArm});
  bones[kArm].rest.translation() = Vec3(0.3, 1.2, 0);  // starts near the base
  EXPECT_TRUE(spine_segment(*Skeleton::create(bones), kSpine)->beside.empty());
}

TEST(SpineSegment, FollowsWhatBonesHangOn) {
  const Skeleton skeleton = *Skeleton::create(torso());
  const std::vector<int> hangs_on{-1, kHips, kArm, kArm, kSpine, kArm};
  EXPECT_EQ(spine_segment(skeleton, kSpine, hangs_on)->child, kArm);
  EXPECT_FALSE(spine_segment(skeleton, kChest, hangs_on).ok());
}

TEST(SpineSegment, ABoneWithoutLengthIsRefusedWithItsPlace) {
  const Skeleton leaf = with_kinds(torso(), {{kHand, BoneKind::spine}});
  ASSERT_FALSE(spine_segment(leaf, kHand).ok());
  EXPECT_EQ(with_spine_tails(leaf).error().to_string(),
            "bones[5]: 'Hand' is a spine bone and ends nowhere; give it a tail");
  EXPECT_FALSE(spine_segments(leaf)[kHand].has_value());

  std::vector<Bone> bones = torso();
  bones[kChest].rest = bones[kSpine].rest;
  const Skeleton flat = with_kinds(bones, {{kSpine, BoneKind::stretch_twist}});
  EXPECT_EQ(with_spine_tails(flat).error().to_string(),
            "bones[1]: 'Spine' is a stretch-twist bone and has no length; give it a tail");
}

TEST(SpineSegment, TailsOnceStatedStay) {
  const Skeleton skeleton =
      with_kinds(torso(), {{kSpine, BoneKind::spine}, {kArm, BoneKind::stretch_twist}});
  const Skeleton stated = *with_spine_tails(skeleton);
  EXPECT_EQ(stated.bone(kSpine).tail, skeleton.bone(kChest).head());
  EXPECT_EQ(stated.bone(kArm).tail, skeleton.bone(kHand).head());
  EXPECT_FALSE(stated.bone(kHips).tail.has_value());
  for (const int bone : {int{kSpine}, int{kArm}})
    EXPECT_EQ(spine_segment(stated, bone)->child, spine_segment(skeleton, bone)->child);
}

TEST(PoseBones, WhatHangsOnABentSpineStaysOnItsEnd) {
  // Two spines in a row, and a fork.
  const Skeleton skeleton =
      with_kinds(torso(), {{kSpine, BoneKind::spine}, {kChest, BoneKind::spine}});
  Random random(1);
  for (int p = 0; p < 50; ++p) {
    Pose pose = random_pose(skeleton, random);
    for (const int spine : {int{kSpine}, int{kChest}}) {
      const double x = random.normal(), y = random.normal(), z = random.normal();
      pose.bones[static_cast<std::size_t>(spine)].bend =
          SpineBend{Vec3(x, y, z).normalized(), random.uniform(-2, 2), random.uniform(0.7, 1.5)};
    }
    const PosedBones posed = pose_bones(skeleton, pose);
    EXPECT_LT((tail_of(skeleton, posed, kSpine) - head_of(skeleton, posed, kChest)).norm(),
              kRounding);
    EXPECT_LT((tail_of(skeleton, posed, kChest) - head_of(skeleton, posed, kNeck)).norm(),
              kRounding);
    // The arm starts beside the end and is carried by it.
    const Affine3 end = carried_by(spine_segment(skeleton, kSpine).value(), posed.spines[kSpine]);
    EXPECT_LT((end * skeleton.bone(kArm).head() - head_of(skeleton, posed, kArm)).norm(),
              kRounding);
    for (std::size_t j = 0; j < posed.transforms.size(); ++j)
      EXPECT_EQ(posed.spines[j].base.matrix(), posed.transforms[j].matrix());
  }
}

TEST(PoseBones, ASpineThatDoesNotBendIsARigidBoneToTheBit) {
  const Skeleton skeleton =
      with_kinds(torso(), {{kSpine, BoneKind::spine}, {kArm, BoneKind::stretch_twist}});
  Random random(2);
  Pose pose = random_pose(skeleton, random);
  pose.bones[kSpine].bend = SpineBend{};
  pose.bones[kArm].bend = SpineBend{};
  const PosedBones posed = pose_bones(skeleton, pose);
  const std::vector<Affine3> rigid = rigid_transforms(skeleton, pose);
  for (std::size_t j = 0; j < rigid.size(); ++j)
    EXPECT_EQ(posed.transforms[j].matrix(), rigid[j].matrix());
}

TEST(PoseBones, AStretchTwistBoneTurnsAboutItself) {
  const Skeleton skeleton = with_kinds(torso(), {{kArm, BoneKind::stretch_twist}});
  Pose pose = Pose::rest(skeleton);
  pose.bones[kArm].bend = SpineBend{Vec3::UnitY(), 1.0, 1.5};
  const PosedBones posed = pose_bones(skeleton, pose);
  const Vec3 arm = skeleton.bone(kArm).head();
  const Vec3 along = skeleton.bone(kHand).head() - arm;
  EXPECT_LT((head_of(skeleton, posed, kHand) - arm - 1.5 * along).norm(), kRounding);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.0, along.normalized()).toRotationMatrix();
  EXPECT_LT((posed.transforms[kHand].linear() - turn).norm(), kRounding);
}

/// A torso whose arm starts on the lower half of its spine: the spine does not fork.
std::vector<Bone> torso_without_a_fork() {
  std::vector<Bone> bones = torso();
  bones[kArm].rest.translation() = Vec3(0.3, 1.3, 0);
  return bones;
}

TEST(DriveSpines, ANeckThatNodsAloneBendsNoChestAndTurnsNoShoulders) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  Random random(8);
  for (const int nods : {int{kChest}, int{kArm}}) {
    Pose pose = Pose::rest(skeleton);
    pose.bones[kHips].rotation = random_turn(random);
    pose.bones[static_cast<std::size_t>(nods)].rotation = random_turn(random);
    const std::vector<Affine3> clip = rigid_transforms(skeleton, pose);
    const PosedBones posed = drive_spines(skeleton, clip);
    EXPECT_LT(posed.spines[kSpine].angle_rad, 1e-12);
    for (std::size_t j = 0; j < clip.size(); ++j)
      EXPECT_LT((posed.transforms[j].matrix() - clip[j].matrix()).norm(), kRounding) << j;
  }
}

TEST(DriveSpines, NeckAndShouldersThatTurnAlikeBendTheChestAndKeepTheirTurns) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  Random random(9);
  for (int p = 0; p < 20; ++p) {
    const Quat turn = random_turn(random);
    Pose pose = Pose::rest(skeleton);
    pose.bones[kHips].rotation = random_turn(random);
    pose.bones[kChest].rotation = turn;
    pose.bones[kArm].rotation = turn;
    const std::vector<Affine3> clip = rigid_transforms(skeleton, pose);
    const PosedBones posed = drive_spines(skeleton, clip);
    const Affine3 end = carried_by(spine_segment(skeleton, kSpine).value(), posed.spines[kSpine]);
    for (const int child : {int{kChest}, int{kArm}}) {
      const auto c = static_cast<std::size_t>(child);
      EXPECT_EQ(posed.transforms[c].linear(), clip[c].linear());
      EXPECT_LT((posed.transforms[c].matrix() - end.matrix()).norm(), 1e-11);
    }
  }
}

TEST(DriveSpines, AForkBendsByWhatItsProngsHaveInCommonAndNeverJumps) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  const auto turn_for = [&](const Vec3& chest_rad, const Vec3& arm_rad) {
    const auto quat = [](const Vec3& turn) {
      return Quat(Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()));
    };
    Pose pose = Pose::rest(skeleton);
    pose.bones[kChest].rotation = quat(chest_rad);
    pose.bones[kArm].rotation = quat(arm_rad);
    const PosedBones posed = drive_spines(skeleton, rigid_transforms(skeleton, pose));
    return Vec3(posed.spines[kSpine].angle_rad * posed.spines[kSpine].axis);
  };
  EXPECT_LT((turn_for({1, 0, 0}, {0.4, 0, 0}) - Vec3(0.4, 0, 0)).norm(), 1e-12);
  EXPECT_LT(turn_for({1, 0, 0}, {-0.4, 0, 0}).norm(), 1e-12);
  EXPECT_LT(turn_for({0, 0.7, 0}, {0, -0.7, 0}).norm(), 1e-12);
  constexpr double kStep = 1e-4;
  Random random(10);
  Vec3 chest(1, 0.2, 0), arm(0.5, -0.3, 0.1);
  for (int p = 0; p < 200; ++p) {
    const Vec3 before = turn_for(chest, arm);
    for (Vec3* each : {&chest, &arm}) {
      const double x = random.normal(), y = random.normal(), z = random.normal();
      const Vec3 step = kStep * Vec3(x, y, z).normalized();
      EXPECT_LT((turn_for(chest + (each == &chest ? step : Vec3(Vec3::Zero())),
                          arm + (each == &arm ? step : Vec3(Vec3::Zero()))) -
                 before)
                    .norm(),
                30 * kStep);
    }
    const double x = random.normal(), y = random.normal(), z = random.normal();
    chest = Vec3(x, y, z);
    arm = p % 2 == 0 ? Vec3(random.uniform(-1, 1) * chest) : Vec3(z, x, y);
  }
}

TEST(DriveSpines, AForkStretchesByWhatItsProngsSlideTogether) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  const Vec3 along = skeleton.bone(kChest).head() - skeleton.bone(kSpine).head();
  const auto posed_by = [&](double chest, double arm) {
    Pose pose = Pose::rest(skeleton);
    pose.bones[kChest].translation = chest * along;
    pose.bones[kArm].translation = arm * along;
    return drive_spines(skeleton, rigid_transforms(skeleton, pose));
  };
  EXPECT_NEAR(posed_by(0.25, 0.25).spines[kSpine].stretch, 1.25, 1e-12);
  EXPECT_NEAR(posed_by(0.25, 0.1).spines[kSpine].stretch, 1.1, 1e-12);
  EXPECT_NEAR(posed_by(0.25, 0).spines[kSpine].stretch, 1, 1e-12);
  EXPECT_NEAR(posed_by(0.25, -0.1).spines[kSpine].stretch, 1, 1e-12);
  const Vec3 moved = head_of(skeleton, posed_by(0.25, 0.1), kArm) - skeleton.bone(kArm).head();
  EXPECT_LT((moved - 0.1 * along).norm(), kRounding);
}

TEST(DriveSpines, WhatASpineEndsInKeepsItsTurnToTheBitAndTheRestIsCarried) {
  const Skeleton skeleton = with_kinds(
      torso_without_a_fork(),
      {{kSpine, BoneKind::spine}, {kChest, BoneKind::spine}, {kArm, BoneKind::stretch_twist}});
  Random random(3);
  for (int p = 0; p < 50; ++p) {
    const std::vector<Affine3> clip = rigid_transforms(skeleton, random_pose(skeleton, random));
    const PosedBones posed = drive_spines(skeleton, clip);
    for (const int j : {int{kHips}, int{kSpine}, int{kChest}, int{kNeck}}) {
      const auto i = static_cast<std::size_t>(j);
      EXPECT_EQ(posed.transforms[i].linear(), clip[i].linear());
    }
    // What the end of a spine does is what its child does.
    for (const auto& [spine, child] : {std::pair<int, int>{kSpine, kChest}, {kChest, kNeck}}) {
      const Affine3 end = carried_by(spine_segment(skeleton, spine).value(),
                                     posed.spines[static_cast<std::size_t>(spine)]);
      const Affine3& own = posed.transforms[static_cast<std::size_t>(child)];
      EXPECT_LT((end.matrix() - own.matrix()).norm(), kRounding);
    }
    // The arm does on that end what it does on the bone in the clip, and so does the hand on it.
    const Affine3 spine_end =
        carried_by(spine_segment(skeleton, kSpine).value(), posed.spines[kSpine]);
    const Affine3 arm_on_end = spine_end * clip[kSpine].inverse(Eigen::Affine) * clip[kArm];
    EXPECT_LT((posed.transforms[kArm].matrix() - arm_on_end.matrix()).norm(), kRounding);
    const Eigen::Matrix3d hand_in_clip = clip[kArm].linear().transpose() * clip[kHand].linear();
    const Eigen::Matrix3d hand =
        posed.transforms[kArm].linear().transpose() * posed.transforms[kHand].linear();
    EXPECT_LT((hand - hand_in_clip).norm(), kRounding);
    // A stretch-twist bone takes the twist: what is left at the joint is a swing.
    const SpineSegment arm = *spine_segment(skeleton, kArm);
    const Affine3 end = carried_by(arm, posed.spines[kArm]);
    const Vec3 axis = (arm.rest.tail - arm.rest.head).normalized();
    const Quat left(Eigen::Matrix3d(posed.transforms[kHand].linear() * end.linear().transpose()));
    const Vec3 axis_now = end.linear() * axis;
    EXPECT_NEAR(swing_twist(left, axis_now).twist_rad, 0, 1e-12);
    EXPECT_LT((tail_of(skeleton, posed, kArm) - head_of(skeleton, posed, kHand)).norm(), kRounding);
  }
}

TEST(DriveSpines, BesideTheHandOfALimbOrientationsStayAsInTheClip) {
  std::vector<Bone> bones = torso();
  bones.push_back(bones[kHand]);  // a helper half way down the arm, off its axis
  bones.back().parent = kArm;
  bones.back().rest.translation() = Vec3(0.55, 1.55, 0.05);
  const Skeleton skeleton = with_kinds(bones, {{kArm, BoneKind::stretch_twist}});
  Random random(7);
  const std::vector<Affine3> clip = rigid_transforms(skeleton, random_pose(skeleton, random));
  const PosedBones posed = drive_spines(skeleton, clip);
  EXPECT_EQ(posed.transforms.back().linear(), clip.back().linear());
}

TEST(DriveSpines, WhereNothingTurnsOnASpineBonesAreWhereTheClipHasThem) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  Random random(4);
  Pose pose = Pose::rest(skeleton);
  pose.bones[kHips].rotation = random_turn(random);
  pose.bones[kSpine].rotation = random_turn(random);
  pose.bones[kArm].rotation = random_turn(random);
  pose.bones[kArm].translation = Vec3(0.1, -0.2, 0.3);  // slides by itself
  const std::vector<Affine3> clip = rigid_transforms(skeleton, pose);
  const PosedBones posed = drive_spines(skeleton, clip);
  EXPECT_NEAR(posed.spines[kSpine].angle_rad, 0, 1e-12);
  for (std::size_t j = 0; j < clip.size(); ++j)
    EXPECT_LT((posed.transforms[j].matrix() - clip[j].matrix()).norm(), kRounding);
}

TEST(DriveSpines, AStretchTakesAlongWhatHangsOnTheSpine) {
  const Skeleton skeleton = with_kinds(torso_without_a_fork(), {{kSpine, BoneKind::spine}});
  Pose pose = Pose::rest(skeleton);
  const Vec3 along = skeleton.bone(kChest).head() - skeleton.bone(kSpine).head();
  pose.bones[kChest].translation = 0.25 * along;
  const PosedBones posed = drive_spines(skeleton, rigid_transforms(skeleton, pose));
  EXPECT_NEAR(posed.spines[kSpine].stretch, 1.25, 1e-12);
  EXPECT_LT((tail_of(skeleton, posed, kSpine) - head_of(skeleton, posed, kChest)).norm(),
            kRounding);
  const Vec3 moved = head_of(skeleton, posed, kArm) - skeleton.bone(kArm).head();
  EXPECT_LT((moved - 0.25 * along).norm(), kRounding);
}

TEST(DriveSpines, FollowedFromMomentToMomentATurnGoesOnPastHalfATurn) {
  const Skeleton skeleton = with_kinds(
      make_skeleton({{"Root", -1, {0, 0, 0}}, {"End", 0, {0, 1, 0}}, {"Tip", 1, {0, 2, 0}}})
          .bones(),
      {{0, BoneKind::stretch_twist}});
  const SpineSegments segments = spine_segments(skeleton);
  const std::vector<bool> all(3, true);
  std::vector<Vec3> turns(3, Vec3::Zero());
  double angle_rad = 0;
  for (int step = 0; step <= 50; ++step) {
    Pose pose = Pose::rest(skeleton);
    pose.bones[1].rotation = Quat(Eigen::AngleAxisd(-0.2 * step, Vec3::UnitY()));
    PosedBones posed{rigid_transforms(skeleton, pose), std::vector<SpineMotion>(3)};
    drive_spines(skeleton, {}, segments, all, posed, &turns);
    angle_rad = posed.spines[0].angle_rad;
    EXPECT_NEAR(angle_rad, -0.2 * step, 1e-9);
  }
  EXPECT_LT(angle_rad, -3 * std::numbers::pi);
}

TEST(DriveSpines, ASpineThatComesToAWholeTurnKeepsItsAxis) {
  const Skeleton skeleton = with_kinds(
      make_skeleton({{"Root", -1, {0, 0, 0}}, {"End", 0, {0, 1, 0}}, {"Tip", 1, {0, 2, 0}}})
          .bones(),
      {{0, BoneKind::spine}});
  const SpineSegments segments = spine_segments(skeleton);
  const std::vector<bool> all(3, true);
  std::vector<Vec3> turns(3, Vec3::Zero());
  for (int step = 0; step <= 20; ++step) {
    const double angle_rad = step * std::numbers::pi / 8;  // step 16 is a whole turn
    Pose pose = Pose::rest(skeleton);
    pose.bones[1].rotation = Quat(Eigen::AngleAxisd(angle_rad, Vec3::UnitZ()));
    PosedBones posed{rigid_transforms(skeleton, pose), std::vector<SpineMotion>(3)};
    drive_spines(skeleton, {}, segments, all, posed, &turns);
    const Vec3 turn = posed.spines[0].angle_rad * posed.spines[0].axis;
    EXPECT_LT((turn - angle_rad * Vec3::UnitZ()).norm(), 1e-9) << step;
  }
}

TEST(DriveSpines, AHelperAtTheHeadOfASpineDoesNotDriveIt) {
  const Skeleton skeleton = with_kinds(make_skeleton({{"Spine", -1, {0, 0, 0}},
                                                      {"Helper", 0, {0, 0, 0}},
                                                      {"Chest", 0, {0.6, 0.8, 0}},
                                                      {"Neck", 2, {0.6, 1.5, 0}}})
                                           .bones(),
                                       {{0, BoneKind::spine}});
  const SpineSegments segments = spine_segments(skeleton);
  ASSERT_TRUE(segments[0]);
  EXPECT_EQ(segments[0]->child, 2);
}

TEST(DriveSpines, AQuarterTurnPutsTheChildOnAQuarterOfACircle) {
  std::vector<Bone> bones =
      make_skeleton({{"Root", -1, {0, 0, 0}}, {"End", 0, {0, 1, 0}}, {"Tip", 1, {0, 2, 0}}})
          .bones();
  const Skeleton skeleton = with_kinds(bones, {{0, BoneKind::spine}});
  Pose pose = Pose::rest(skeleton);
  pose.bones[1].rotation = Quat(Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3::UnitZ()));
  const PosedBones posed = drive_spines(skeleton, rigid_transforms(skeleton, pose));
  const double radius = 2 / std::numbers::pi;
  EXPECT_LT((head_of(skeleton, posed, 1) - Vec3(radius, radius, 0)).norm(), kRounding);
  EXPECT_LT((head_of(skeleton, posed, 2) - Vec3(radius + 1, radius, 0)).norm(), kRounding);
  EXPECT_NEAR(posed.spines[0].stretch, 1, 1e-12);
  // A pose that states no bend is driven in the same way.
  const PosedBones same = pose_bones(skeleton, pose);
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_LT((same.transforms[j].matrix() - posed.transforms[j].matrix()).norm(), kRounding);
}

TEST(DriveSpines, ScaledCharactersBendAlike) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  Random random(5);
  const std::vector<Affine3> clip = rigid_transforms(skeleton, random_pose(skeleton, random));
  Affine3 larger = Affine3::Identity();
  larger.linear() *= 3;
  larger.translation() = Vec3(5, 0, 0);
  std::vector<Affine3> scaled;
  for (const Affine3& transform : clip) scaled.push_back(larger * transform);
  const PosedBones posed = drive_spines(skeleton, clip);
  const PosedBones also = drive_spines(skeleton, scaled);
  for (std::size_t j = 0; j < clip.size(); ++j) {
    const Affine3 expected = larger * posed.transforms[j];
    EXPECT_LT((also.transforms[j].matrix() - expected.matrix()).norm(), 10 * kRounding);
  }
}

TEST(DriveSpines, ABoneScaledToNothingIsNotDriven) {
  const Skeleton skeleton = with_kinds(torso(), {{kSpine, BoneKind::spine}});
  std::vector<Affine3> clip(skeleton.bone_count(), Affine3::Identity());
  clip[kChest].linear().setZero();
  const PosedBones posed = drive_spines(skeleton, clip);
  EXPECT_EQ(posed.spines[kSpine].angle_rad, 0);
  for (std::size_t j = 0; j < clip.size(); ++j)
    EXPECT_EQ(posed.transforms[j].matrix(), clip[j].matrix());
}

TEST(DriveSpines, MomentsUpToATimeAreCountedAsTheyAreMade) {
  for (const double start_s : {0.0, 0.3, -2.0, 1e6})
    for (const double length_s : {-1.0, 0.0, 1e-9, 0.01, 0.5, 1.0 / 3, 7.0, 99.99})
      for (const double off_s : {-1e-12, 0.0, 1e-12}) {
        const double time_s = start_s + length_s + off_s;
        std::size_t count = 0;
        while (start_s + static_cast<double>(count) * kTurnStepS < time_s) ++count;
        EXPECT_EQ(count_turn_times(start_s, time_s), count) << start_s << " " << time_s;
        const std::vector<double> times = turn_times(start_s, time_s);
        ASSERT_EQ(times.size(), count);
        for (std::size_t k = 0; k < count; ++k)
          EXPECT_EQ(times[k], start_s + static_cast<double>(k) * kTurnStepS);
      }
  EXPECT_EQ(count_turn_times(0, 1e9), static_cast<std::size_t>(kMostTurnSteps));
}

TEST(DriveSpines, RigidSkeletonsPassUnchanged) {
  const Skeleton skeleton = *Skeleton::create(torso());
  Random random(6);
  const std::vector<Affine3> clip = rigid_transforms(skeleton, random_pose(skeleton, random));
  const PosedBones posed = drive_spines(skeleton, clip);
  EXPECT_TRUE(posed.spines.empty());
  for (std::size_t j = 0; j < clip.size(); ++j)
    EXPECT_EQ(posed.transforms[j].matrix(), clip[j].matrix());
}

}  // namespace
}  // namespace sinew::test
