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
  const double radius = 0.3;
  std::vector<Vec3> aside(4, Vec3::Zero());
  aside[1] = {0.12, 0, 0};
  aside[2] = {-0.05, 0, 0.12};
  aside[3] = {0, 0, -0.15}; if(getenv("Z"))aside.assign(4,Vec3::Zero());
  character.skeleton = with_joints_moved(character.skeleton, aside);
  const FittedJoints result =
fitted(character, [&]{FitJointsOptions o; if(getenv("SEED"))o.bind.exemplars.seed=(std::uint64_t)atoi(getenv("SEED")); if(getenv("N"))o.bind.exemplars.count=atoi(getenv("N")); if(getenv("T"))o.tolerance_rel=atof(getenv("T")); if(getenv("E2"))o.joints.epsilon2=atof(getenv("E2")); if(getenv("E1"))o.joints.epsilon1=atof(getenv("E1")); if(getenv("R"))o.rebuilds=atoi(getenv("R")); if(getenv("A"))o.alternations=atoi(getenv("A")); if(getenv("S"))o.bind.smoothing=atof(getenv("S")); return o;}());
  printf("%f\n", 1.0);
  double off = 0;
  for (std::size_t j = 1; j < 4; ++j) {
    const Vec3 head = result.skeleton.bones()[j].head();
    off += Vec3(head.x(), 0, head.z()).norm() / 3; printf("%g %g %g\n",head.x(),head.y(),head.z());
  }
  EXPECT_LT(off, 0.05 * radius); for(auto&h:result.history)printf("w %g j %g moved %g step %g off %g\n",h.arap_weights,h.arap_joints,h.moved_rel,h.step_rel,off);
}

/// The largest distance of a joint from the image of its partner, of the bone's length.
double asymmetry(const Skeleton& skeleton, const std::vector<Vec3>& displacements) {
  double worst = 0;
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
    const std::string image = mirrored_name(skeleton.bones()[j].name);
    for (std::size_t k = 0; k < skeleton.bone_count(); ++k) {
      if (skeleton.bones()[k].name != image) continue;
      Vec3 reflected = skeleton.bones()[k].head() + displacements[k];
      reflected.x() = -reflected.x();
      const double diagonal = 1;
      worst = std::max(
          worst, (skeleton.bones()[j].head() + displacements[j] - reflected).norm() / diagonal);
    }
  }
  return worst;
}

TEST(FitJoints, SymmetricCharactersStaySymmetricExactlyWhenTold) {
  const Character character = example("quadruped", 2000);
  FitJointsOptions options = with_poses(20);
  options.rebuilds = 0;
  options.bind.mirror = MirrorChoice::x;
  const FittedJoints told = fitted(character, options);
  const double given =
      asymmetry(character.skeleton, std::vector<Vec3>(told.displacements.size(), Vec3::Zero()));
  EXPECT_LE(asymmetry(character.skeleton, told.displacements), given + 1e-12);
}

TEST(FitJoints, ASkeletonInPiecesBindsNearlyAsWellAsAWholeOne) {
  const Character whole = example("tentacle", 2000);
  BindOptions options;
  options.exemplars.count = 40;
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
