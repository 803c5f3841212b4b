// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/pipeline/fit_joints.h"

#include <gtest/gtest.h>

#include "characters/characters.h"
#include "sinew/core/parallel.h"
#include "sinew/math/random.h"
#include "sinew/quality/weight_judge.h"
#include "support/capsule_arm.h"
#include "support/checked.h"
#include "support/made_skeletons.h"

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
};
class FitJointsOf : public testing::TestWithParam<Displaced> {};

TEST_P(FitJointsOf, PutsDisplacedJointsBackAcrossTheirBones) {
  Character character = example(GetParam().name, GetParam().vertices);
  const Skeleton truth = character.skeleton;
  const std::vector<Vec3> aside = put_aside(truth, 0.15);
  character.skeleton = with_joints_moved(truth, aside);
  const FittedJoints result = fitted(character, {});
  EXPECT_GE(recovered(truth, aside, result.displacements), 0.6);
  expect_joints_never_raise_the_energy(result);
  EXPECT_LT(result.arap_after, 0.95 * result.arap_before);
  for (const FittedJoint& joint : result.joints) EXPECT_LE(joint.moved_rel, 1);
}

INSTANTIATE_TEST_SUITE_P(Generated, FitJointsOf,
                         testing::Values(Displaced{"hand", 2500}, Displaced{"tentacle", 2000},
                                         Displaced{"quadruped", 2500}),
                         [](const auto& each) { return each.param.name; });

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
  RecordProperty("asymmetry", std::to_string(untold.mean_rel));
  EXPECT_GT(untold.mean_rel, 0);
  EXPECT_LT(untold.mean_rel, 0.01);
  EXPECT_LT(untold.worst_rel, 0.02);  // poses are random, and as many as they are
  options.bind.mirror = MirrorChoice::x;
  const FittedJoints told = fitted(character, options);
  EXPECT_LT(asymmetry(character, told.displacements).worst_rel, 1e-9);
  EXPECT_NE(told.displacements, nowhere);
}

TEST(FitJoints, ASkeletonInPiecesBindsNearlyAsWellAsAWholeOne) {
  const Character whole = example("tentacle", 2000);
  const BindOptions options;
  const Bound of_whole = test::checked(bind(whole, options));
  Character cut = whole;
  std::vector<Bone> bones = whole.skeleton.bones();
  bones[bones.size() / 3].parent = -1;
  bones[2 * bones.size() / 3].parent = -1;
  cut.skeleton = test::checked(Skeleton::create(std::move(bones)));
  const Bound of_cut = test::checked(bind(cut, options));
  const WeightJudge judge(whole, of_whole.report.roles, of_whole.report.hierarchy);
  const double arap_whole = test::checked(judge.judge(of_whole.weights)).arap;
  const double arap_cut = test::checked(judge.judge(of_cut.weights)).arap;
  RecordProperty("cut", std::to_string(arap_cut / arap_whole));
  EXPECT_LT(arap_cut, 1.1 * arap_whole);
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
