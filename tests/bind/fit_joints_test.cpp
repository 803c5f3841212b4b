// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/fit_joints.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "characters/characters.h"
#include "math/random.h"
#include "sinew/core/threads.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/quality/weight_judge.h"
#include "support/capsule_arm.h"
#include "support/checked.h"
#include "support/made_skeletons.h"
#include "support/models.h"

namespace sinew {
namespace {

Character unweighted(Character character) {
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  character.clips.clear();
  return character;
}

Character example(std::string_view name, int vertices) {
  ExampleOptions options;
  options.vertices = vertices;
  return unweighted(test::checked(make_example(name, options)).character);
}

FitJointsOptions with_poses(int count) {
  FitJointsOptions options;
  options.bind.exemplars.count = count;
  return options;
}

/// A joint with one bone to each side.
bool is_between_two(const Skeleton& skeleton, std::size_t bone) {
  return skeleton.bones()[bone].parent >= 0 &&
         skeleton.children(static_cast<int>(bone)).size() == 1;
}

/// The part of a displacement that is across the bone.
Vec3 across(const Skeleton& skeleton, std::size_t bone, const Vec3& displacement) {
  const int child = skeleton.children(static_cast<int>(bone)).front();
  const Vec3 along = (skeleton.bone(child).head() - skeleton.bones()[bone].head()).normalized();
  return displacement - along * along.dot(displacement);
}

/// Every joint between two bones put aside, at random, by a part of its bone's length.
std::vector<Vec3> put_aside(const Skeleton& skeleton, double part) {
  Random random(7);
  std::vector<Vec3> displacements(skeleton.bone_count(), Vec3::Zero());
  for (std::size_t j = 0; j < displacements.size(); ++j) {
    if (!is_between_two(skeleton, j)) continue;
    const Vec3 any(random.normal(), random.normal(), random.normal());
    displacements[j] =
        part * skeleton.length(static_cast<int>(j)) * across(skeleton, j, any).normalized();
  }
  return displacements;
}

/// How much nearer joints come to where they were, across their bones, on average.
double recovered(const Skeleton& truth, std::span<const Vec3> aside, std::span<const Vec3> fitted) {
  double before = 0, after = 0;
  for (std::size_t j = 0; j < aside.size(); ++j) {
    if (!is_between_two(truth, j)) continue;
    const double length = truth.length(static_cast<int>(j));
    before += across(truth, j, aside[j]).norm() / length;
    after += across(truth, j, aside[j] + fitted[j]).norm() / length;
  }
  return 1 - after / before;
}

FittedJoints fitted(const Character& character, const FitJointsOptions& options) {
  return test::checked(fit_joints(character, options));
}

void expect_joints_never_raise_the_energy(const FittedJoints& result) {
  for (const FitRound& round : result.history)
    EXPECT_LE(round.arap_joints, round.arap_weights * (1 + 1e-9));
  EXPECT_LE(result.arap_after, result.arap_before);
}

struct Displaced {
  std::string name;
  int vertices;
  double least_recovered;
  MirrorChoice mirror = MirrorChoice::off;
};
class FitJointsOf : public testing::TestWithParam<Displaced> {};

TEST_P(FitJointsOf, PutsDisplacedJointsBackAcrossTheirBones) {
  Character character = example(GetParam().name, GetParam().vertices);
  const Skeleton truth = character.skeleton;
  const std::vector<Vec3> aside = put_aside(truth, 0.15);
  character.skeleton = with_joints_moved(truth, aside);
  FitJointsOptions options;
  options.bind.mirror = GetParam().mirror;
  const FittedJoints result = fitted(character, options);
  const double back = recovered(truth, aside, result.displacements);
  RecordProperty("recovered", std::to_string(back));
  EXPECT_GE(back, GetParam().least_recovered);
  if (GetParam().mirror == MirrorChoice::off)  // to bring sides together may cost energy
    expect_joints_never_raise_the_energy(result);
  EXPECT_LT(result.arap_after, 0.95 * result.arap_before);
  for (const FittedJoint& joint : result.joints)
    EXPECT_LE(joint.moved_rel, FitJointsOptions{}.joints.max_displacement_rel * (1 + 1e-9));
  ASSERT_TRUE(result.others);
  EXPECT_EQ(result.part, 1);
  EXPECT_LT(result.others->arap_after, result.others->arap_before);
}

INSTANTIATE_TEST_SUITE_P(
    Generated, FitJointsOf,
    testing::Values(Displaced{"hand", 2500, 0.6}, Displaced{"tentacle", 2000, 0.75},
                    Displaced{"quadruped", 2500, 0.55},
                    Displaced{"quadruped", 2500, 0.55, MirrorChoice::automatic},
                    Displaced{"biped", 6000, 0.5}),
    [](const auto& each) {
      return each.param.name + (each.param.mirror == MirrorChoice::off ? "" : "WithBothSidesAlike");
    });

TEST(FitJoints, AChainInATubeEndsNearItsAxis) {
  Character character = unweighted(test::make_tube_character(4, 8, 16));
  constexpr double kRadius = 0.3;
  const std::vector<Vec3> aside{Vec3::Zero(), {0.12, 0, 0}, {-0.05, 0, 0.12}, {0, 0, -0.15}};
  character.skeleton = with_joints_moved(character.skeleton, aside);
  const FittedJoints result = fitted(character, {});
  double off = 0;
  for (std::size_t j = 1; j < aside.size(); ++j) {
    const Vec3 head = result.skeleton.bones()[j].head();
    off += Vec3(head.x(), 0, head.z()).norm() / static_cast<double>(aside.size() - 1);
  }
  EXPECT_LT(off, 0.05 * kRadius);
}

/// How far joints are from the images of their partners, of the character's diagonal.
struct Asymmetry {
  double mean_rel = 0;
  double worst_rel = 0;
};
Asymmetry asymmetry(const Character& character, const std::vector<Vec3>& displacements) {
  const std::vector<Bone>& bones = character.skeleton.bones();
  const double diagonal = UnitFrame::of(character.mesh).diagonal;
  Asymmetry result;
  for (std::size_t j = 0; j < bones.size(); ++j)
    for (std::size_t k = 0; k < bones.size(); ++k) {
      if (bones[k].name != mirrored_name(bones[j].name)) continue;
      Vec3 reflected = bones[k].head() + displacements[k];
      reflected.x() = -reflected.x();
      const double off = (bones[j].head() + displacements[j] - reflected).norm() / diagonal;
      result.mean_rel += off / static_cast<double>(bones.size());
      result.worst_rel = std::max(result.worst_rel, off);
    }
  return result;
}

TEST(FitJoints, SymmetricCharactersStayNearlySymmetricUntoldAndExactlySoWhenTold) {
  const Character character = example("quadruped", 2000);
  const std::vector<Vec3> nowhere(character.skeleton.bone_count(), Vec3::Zero());
  ASSERT_LT(asymmetry(character, nowhere).worst_rel, 1e-12);
  FitJointsOptions options;
  options.bind.mirror = MirrorChoice::off;
  const Asymmetry untold = asymmetry(character, fitted(character, options).displacements);
  RecordProperty("asymmetry", std::to_string(untold.worst_rel));
  EXPECT_GT(untold.mean_rel, 0);
  EXPECT_LT(untold.worst_rel, 0.01);
  options.bind.mirror = MirrorChoice::x;
  const FittedJoints told = fitted(character, options);
  EXPECT_LT(asymmetry(character, told.displacements).worst_rel, 1e-9);
  EXPECT_NE(told.displacements, nowhere);
}

TEST(FitJoints, SkinThatIsNotSymmetricHangsOnJointsThatMoveAlike) {
  const Character character = example("biped", 2000);
  ASSERT_FALSE(find_mirror(prepare_mesh(character.mesh), character.skeleton))
      << "its triangles differ from left to right";
  FitJointsOptions options;
  options.bind.exemplars.count = 12;
  const FittedJoints fit = fitted(character, options);
  const std::vector<Vec3> nowhere(character.skeleton.bone_count(), Vec3::Zero());
  EXPECT_NE(fit.displacements, nowhere);
  EXPECT_LT(asymmetry(character, fit.displacements).worst_rel, 1e-9);
}

/// How much more a character distorts, on the poses of its whole skeleton, with weights made for
/// one that lost the parents of these bones.
double cost_of_cutting(const Character& whole, const std::vector<std::size_t>& roots) {
  const Bound of_whole = test::checked(bind(whole));
  Character cut = whole;
  std::vector<Bone> bones = whole.skeleton.bones();
  for (const std::size_t root : roots) bones[root].parent = -1;
  cut.skeleton = test::checked(Skeleton::create(std::move(bones)));
  const Bound of_cut = test::checked(bind(cut));
  const WeightJudge judge(whole, of_whole.report.roles, of_whole.report.hierarchy);
  return test::checked(judge.judge(of_cut.weights)).arap /
         test::checked(judge.judge(of_whole.weights)).arap;
}

TEST(FitJoints, ASkeletonInThreePiecesBindsNearlyAsWellAsAWholeOne) {
  const Character tentacle = example("tentacle", 2000);
  const std::size_t bones = tentacle.skeleton.bone_count();
  const double of_tentacle = cost_of_cutting(tentacle, {bones / 3, 2 * bones / 3});
  RecordProperty("tentacle", std::to_string(of_tentacle));
  EXPECT_LT(of_tentacle, 1.1);
  const Character biped = example("biped", 5000);
  const auto named = [&](std::string_view name) {
    const std::vector<Bone>& all = biped.skeleton.bones();
    return static_cast<std::size_t>(std::ranges::find(all, name, &Bone::name) - all.begin());
  };
  const double of_biped = cost_of_cutting(biped, {named("Shin.L"), named("Forearm.R")});
  RecordProperty("biped", std::to_string(of_biped));
  EXPECT_LT(of_biped, 1.1);
}

/// Its rings of vertices are as far apart as its joint moves: which of them a bone leads changes by
/// leaps, and bind doubles the distortion where the fit sees less.
TEST(FitJoints, WhatHelpsNoOtherPoseIsNotDone) {
  SINEW_REAL_MODEL(file, "khronos/RiggedSimple.glb");
  const Document document = test::checked(read_gltf(file));
  const Character character = test::checked(read_characters(document)).front().character;
  FitJointsOptions options;
  options.joints.max_displacement_rel = 0.2;
  const FittedJoints result = fitted(character, options);
  EXPECT_LT(result.history.back().arap_joints, result.arap_before);
  ASSERT_TRUE(result.others);
  EXPECT_LE(result.others->arap_after, result.others->arap_before);
  EXPECT_EQ(result.part, 0);
  for (const Vec3& displacement : result.displacements) EXPECT_EQ(displacement, Vec3::Zero());
}

TEST(FitJoints, LeavesKeepWithinTheLengthGuessedForThem) {
  Character character = unweighted(test::capsule_arm());
  std::vector<Bone> bones = character.skeleton.bones();
  for (Bone& bone : bones) bone.tail.reset();
  character.skeleton = test::checked(Skeleton::create(std::move(bones)));
  FitJointsOptions options = with_poses(10);
  options.rebuilds = 0;
  options.joints.max_displacement_rel = 0.01;
  for (const FittedJoint& joint : fitted(character, options).joints)
    EXPECT_LE(joint.moved_rel, 0.01 * (1 + 1e-9));
}

TEST(FitJoints, BonesThatBendDoSoWhileJointsMove) {
  Character character = unweighted(test::make_tube_character(4, 8, 16));
  const std::vector<Vec3> aside{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), {0.1, 0, 0.05}};
  character.skeleton = with_joints_moved(character.skeleton, aside);
  FitJointsOptions options = with_poses(30);
  SpineRequest spine;
  spine.bone = 1;
  spine.kind = BoneKind::spine;
  options.bind.spines = {spine};
  const FittedJoints result = fitted(character, options);
  EXPECT_LT(result.arap_after, result.arap_before);
  const Vec3 head = result.skeleton.bones()[3].head();
  EXPECT_LT(Vec3(head.x(), 0, head.z()).norm(), 0.4 * aside[3].norm());
}

TEST(FitJoints, LockedJointsStay) {
  Character character = unweighted(test::capsule_arm());
  FitJointsOptions options = with_poses(20);
  options.rebuilds = 0;
  options.joints.locked = {false, true, false};
  const FittedJoints result = fitted(character, options);
  EXPECT_EQ(result.displacements[test::kForeArm], Vec3::Zero());
  EXPECT_EQ(result.joints[test::kForeArm].gained, 0);
}

TEST(FitJoints, RefusesWhatDoesNotOptimise) {
  const Character character = unweighted(test::capsule_arm());
  FitJointsOptions options;
  options.bind.method = BindMethod::heat;
  EXPECT_EQ(fit_joints(character, options).error().place, "method");
  options = {};
  options.joints.locked = {true};
  EXPECT_EQ(fit_joints(character, options).error().place, "locked");
}

TEST(FitJoints, TheSameCharacterGivesTheSameBitsForAnyNumberOfThreads) {
  const Character character = unweighted(test::capsule_arm());
  FitJointsOptions options = with_poses(20);
  options.rebuilds = 0;
  options.alternations = 2;
  const FittedJoints many = fitted(character, options);
  const ThreadLimit one(1);
  const FittedJoints alone = fitted(character, options);
  EXPECT_EQ(many.displacements, alone.displacements);
  EXPECT_EQ(many.arap_after, alone.arap_after);
}

}  // namespace
}  // namespace sinew
