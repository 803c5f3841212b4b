// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skeleton.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "sinew/model/pose.h"
#include "support/gltf_samples.h"

namespace sinew {
namespace {

Bone bone_at(std::string name, int parent, const Vec3& head) {
  Bone bone;
  bone.name = std::move(name);
  bone.parent = parent;
  bone.rest.translation() = head;
  return bone;
}

/// Children before parents, a fork, and a second tree.
Skeleton forest() {
  return *Skeleton::create({bone_at("hand", 1, {2, 0, 0}), bone_at("arm", 2, {1, 0, 0}),
                            bone_at("chest", -1, {0, 0, 0}), bone_at("head", 2, {0, 1, 0}),
                            bone_at("hat", -1, {0, 5, 0})});
}

TEST(Skeleton, ParentsComeBeforeChildrenInItsOrder) {
  const Skeleton skeleton = forest();
  std::vector<int> seen_at(skeleton.bone_count(), -1);
  for (std::size_t i = 0; i < skeleton.order().size(); ++i)
    seen_at[static_cast<std::size_t>(skeleton.order()[i])] = static_cast<int>(i);
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
    ASSERT_GE(seen_at[j], 0);
    if (const int parent = skeleton.bones()[j].parent; parent >= 0) {
      EXPECT_LT(seen_at[static_cast<std::size_t>(parent)], seen_at[j]);
    }
  }
  EXPECT_EQ(skeleton.roots(), (std::vector<int>{2, 4}));
  EXPECT_EQ(std::vector<int>(skeleton.children(2).begin(), skeleton.children(2).end()),
            (std::vector<int>{1, 3}));
}

TEST(Skeleton, CyclesAndStraysAreRefusedWithTheirPlace) {
  EXPECT_TRUE(Skeleton::create({bone_at("a", 1, Vec3::Zero()), bone_at("b", 0, Vec3::Zero())})
                  .error()
                  .place.starts_with("bones["));
  EXPECT_EQ(Skeleton::create({bone_at("a", 0, Vec3::Zero())}).error().message,
            "is its own ancestor");
  EXPECT_EQ(Skeleton::create({bone_at("a", -1, Vec3::Zero()), bone_at("b", 7, Vec3::Zero())})
                .error()
                .place,
            "bones[1]");
  EXPECT_FALSE(
      Skeleton::create({bone_at("a", -1, Vec3(std::numeric_limits<double>::infinity(), 0, 0))})
          .ok());
  EXPECT_TRUE(Skeleton::create({}).ok());
}

TEST(Skeleton, AForkOwnsASegmentToEachChild) {
  const Skeleton skeleton = forest();
  int of_chest = 0;
  for (const Segment& segment : skeleton.segments()) {
    EXPECT_FALSE(segment.is_virtual);
    if (segment.bone != 2) continue;
    ++of_chest;
    EXPECT_EQ(segment.head, Vec3(0, 0, 0));
    EXPECT_EQ(segment.tail, skeleton.bone(segment.child).head());
  }
  EXPECT_EQ(of_chest, 2);
}

TEST(Skeleton, ATailIsRealAndWhatBridgesAGapIsVirtual) {
  std::vector<Bone> bones = forest().bones();
  bones[1].tail = Vec3(1.5, 0, 0);  // the hand starts half a unit further on
  bones[2].deforms = false;
  const Skeleton skeleton = *Skeleton::create(std::move(bones));
  int virtual_segments = 0;
  for (const Segment& segment : skeleton.segments()) {
    if (segment.bone == 1) {
      EXPECT_EQ(segment.is_virtual, segment.child == 0);
    }
    if (segment.bone == 2) {
      EXPECT_TRUE(segment.is_virtual);
    }
    virtual_segments += segment.is_virtual;
  }
  EXPECT_EQ(virtual_segments, 3);
}

TEST(ForwardKinematics, TheRestPoseIsTheIdentity) {
  const Skeleton skeleton = forest();
  for (const Affine3& transform : forward_kinematics(skeleton, Pose::rest(skeleton)))
    EXPECT_TRUE(transform.isApprox(Affine3::Identity(), 1e-15));
}

TEST(ForwardKinematics, ChildrenStayAttachedAndBonesKeepTheirLength) {
  const Skeleton skeleton = forest();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int repeat = 0; repeat < 100; ++repeat) {
    Pose pose = Pose::rest(skeleton);
    for (BonePose& bone : pose.bones)
      bone.rotation =
          Quat(uniform(random), uniform(random), uniform(random), uniform(random)).normalized();
    const std::vector<Affine3> moved = forward_kinematics(skeleton, pose);
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
      const Vec3 head = skeleton.bones()[j].head();
      const int parent = skeleton.bones()[j].parent;
      if (parent < 0) {
        EXPECT_LT((moved[j] * head - head).norm(), 1e-12) << "a root turns in place";
      } else {
        EXPECT_LT((moved[j] * head - moved[static_cast<std::size_t>(parent)] * head).norm(), 1e-12);
      }
      EXPECT_LT(
          (moved[j].linear().transpose() * moved[j].linear() - Eigen::Matrix3d::Identity()).norm(),
          1e-12);
    }
  }
}

TEST(ForwardKinematics, TurningTheRootTurnsEverythingBelowItRigidly) {
  const Skeleton skeleton = forest();
  Pose pose = Pose::rest(skeleton);
  pose.bones[2].rotation = Quat(Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()));
  pose.bones[2].translation = Vec3(4, 5, 6);
  const std::vector<Affine3> moved = forward_kinematics(skeleton, pose);
  for (const std::size_t j : {0U, 1U, 3U}) EXPECT_TRUE(moved[j].isApprox(moved[2], 1e-12));
  EXPECT_TRUE(moved[4].isApprox(Affine3::Identity(), 1e-15)) << "the other tree is not touched";
}

TEST(LeafTails, ALeafReachesTheEndOfWhatItDominates) {
  const Character tube = test::make_tube();
  const GuessedTails guessed = guess_leaf_tails(tube.skeleton, tube.mesh, tube.weights);
  EXPECT_EQ(guessed.guessed, (std::vector<int>{1}));
  ASSERT_TRUE(guessed.skeleton.bone(1).tail.has_value());
  EXPECT_LT((*guessed.skeleton.bone(1).tail - Vec3(0, 2, 0)).norm(), 1e-12);
}

TEST(LeafTails, WithoutWeightsTheNearestPartOfTheMeshDecides) {
  const Character tube = test::make_tube();
  const GuessedTails guessed =
      guess_leaf_tails(tube.skeleton, tube.mesh, SkinWeights(tube.mesh.vertex_count(), 2));
  EXPECT_LT((*guessed.skeleton.bone(1).tail - Vec3(0, 2, 0)).norm(), 1e-12);
}

TEST(LeafTails, LeavesThatServeNothingStillGetSomeLength) {
  const Skeleton skeleton = forest();
  const GuessedTails guessed = guess_leaf_tails(skeleton, Mesh(), SkinWeights(0, 5));
  EXPECT_EQ(guessed.guessed, (std::vector<int>{0, 3, 4}));
  EXPECT_LT((*guessed.skeleton.bone(0).tail - Vec3(2.5, 0, 0)).norm(), 1e-12)
      << "half of the parent's length";
  for (const int leaf : guessed.guessed) EXPECT_GT(guessed.skeleton.length(leaf), 0);
}

TEST(LeafTails, TwoJointsAtOnePlaceAreNoTrouble) {
  const Skeleton skeleton = *Skeleton::create(
      {bone_at("a", -1, {0, 0, 0}), bone_at("b", 0, {0, 1, 0}), bone_at("c", 1, {0, 1, 0})});
  const Character tube = test::make_tube();
  const GuessedTails guessed = guess_leaf_tails(skeleton, tube.mesh, SkinWeights());
  EXPECT_GT(guessed.skeleton.length(2), 0);
  EXPECT_GT((*guessed.skeleton.bone(2).tail - Vec3(0, 1, 0)).normalized().y(), 0.999);
}

TEST(LeafTails, JointsThatFloatsPutApartAreAtOnePlace) {
  const Skeleton skeleton = *Skeleton::create(
      {bone_at("a", -1, {0, 0, 0}), bone_at("b", 0, {0, 1, 0}), bone_at("c", 1, {6e-8, 1, 0})});
  const Character tube = test::make_tube();
  const GuessedTails guessed = guess_leaf_tails(skeleton, tube.mesh, SkinWeights());
  EXPECT_GT((*guessed.skeleton.bone(2).tail - Vec3(0, 1, 0)).normalized().y(), 0.999)
      << "the way from b to c is rounding";
}

}  // namespace
}  // namespace sinew
