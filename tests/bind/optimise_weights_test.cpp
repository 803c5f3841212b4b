// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "characters/characters.h"
#include "sinew/bind/bind.h"
#include "sinew/core/threads.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/quality/weight_judge.h"
#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/models.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::bound;
using test::example;
using test::load;

void expect_deliverable(const Bound& bound, std::size_t cap, const std::string& name) {
  EXPECT_EQ(bound.weights.unweighted_count(), 0u) << name;
  EXPECT_LE(bound.weights.max_influences(), cap) << name;
  for (std::size_t v = 0; v < bound.weights.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : bound.weights.row(v)) {
      EXPECT_GT(influence.weight, 0) << name;
      sum += influence.weight;
    }
    EXPECT_NEAR(sum, 1, 1e-15 * 4) << name;
  }
}

TEST(OptimisedBind, EveryMeshOfTheZooTellsHowItsSolveWent) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Bound result = bound(test::limb_character(zoo.mesh.data()));
    expect_deliverable(result, 4, zoo.name);
    ASSERT_TRUE(result.report.solve) << zoo.name;
    const SolveReport& solve = *result.report.solve;
    EXPECT_EQ(solve.exemplars, 80u);
    EXPECT_EQ(solve.steps.empty(), solve.unknowns == 0) << zoo.name;
    const bool is_at_one_end = zoo.name == "tiny" || zoo.name == "huge";  // of the bones
    EXPECT_TRUE(solve.unknowns > 0 || is_at_one_end) << zoo.name;
    EXPECT_EQ(solve.rotations, result.report.plan.rotations->mode) << zoo.name;
    for (const double arap : {solve.arap_start, solve.arap_free, solve.arap_finished}) {
      EXPECT_GE(arap, -1e-10) << zoo.name << ": no less than rounding";
      EXPECT_LT(arap, 1) << zoo.name;
    }
  }
}

TEST(OptimisedBind, MethodsThatDoNotOptimiseHaveNoSolve) {
  BindOptions options;
  options.method = BindMethod::heat;
  EXPECT_FALSE(bound(test::limb_character(test::limb_data()), options).report.solve);
}

TEST(OptimisedBind, TetrahedraAreBoundWithTheirInside) {
  for (const Character& character :
       {test::limb_character(test::tetrahedral_data()), test::tetrahedral_cube()})
    expect_deliverable(bound(character), 4, "tetrahedra");
}

TEST(OptimisedBind, WithoutAnyPoseIsRefused) {
  BindOptions options;
  options.exemplars.count = 0;
  const auto result = bind(test::limb_character(test::limb_data()), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(result.error().place, "exemplars");
}

TEST(OptimisedBind, StopsAtItsOwnStages) {
  const Character character = test::limb_character(test::limb_data());
  std::set<std::string> stages;
  ASSERT_TRUE(
      bind(character, {}, Progress([&](std::string_view stage, double) { stages.emplace(stage); }))
          .ok());
  for (const std::string wanted :
       {"poses", "sparsify", "tables", "clusters", "factor", "solve", "finish"}) {
    EXPECT_TRUE(stages.contains(wanted)) << wanted;
    std::atomic<bool> cancel = false;
    const auto result =
        bind(character, {},
             Progress([&](std::string_view stage, double) { cancel = cancel || stage == wanted; },
                      &cancel));
    ASSERT_FALSE(result.ok()) << wanted;
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  }
}

/// Both sets of weights are judged with exact rotations, on the same poses.
void expect_clusters_to_be_as_good(const Character& character) {
  BindOptions options;
  options.exemplars.count = 40;  // as telling as eighty, in half the time
  std::vector<double> arap;
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
    options.rotations = mode;
    const Bound result = bound(character, options);
    EXPECT_EQ(result.report.solve->rotations, mode);
    arap.push_back(WeightJudge(character, result.report.roles, {.clip_frames = 0})
                       .judge(result.weights)
                       ->arap);
  }
  EXPECT_NEAR(arap[1], arap[0], 0.02 * arap[0]);
  ::testing::Test::RecordProperty("exact", std::to_string(arap[0]));
  ::testing::Test::RecordProperty("clustered", std::to_string(arap[1]));
}

TEST(OptimisedBind, EndsEarlyWhereTheLimitOfInfluencesTakesWhatMoreStepsGain) {
  const auto steps_of = [](int vertices, int max_influences, double tolerance_before_cap) {
    BindOptions options;
    options.max_influences = max_influences;
    options.steps_before_cap = options.solver.max_iterations;
    options.tolerance_before_cap = tolerance_before_cap;
    return bound(example("tentacle", vertices), options).report.solve->steps.size();
  };
  constexpr double kEarly = 0.5;  // of the distortion: few steps change more
  EXPECT_LT(steps_of(2200, 4, kEarly), steps_of(2200, 4, 0));
  EXPECT_EQ(steps_of(2200, 32, kEarly), steps_of(2200, 32, 0)) << "nothing is taken away";
  BindOptions kept;
  kept.tolerance_before_cap = kEarly;
  kept.init = BindInit::existing;
  BindOptions kept_exactly = kept;
  kept_exactly.tolerance_before_cap = 0;
  const Character tentacle = example("tentacle", 2200);
  EXPECT_EQ(bound(tentacle, kept).report.solve->steps.size(),
            bound(tentacle, kept_exactly).report.solve->steps.size())
      << "what is made better is solved to the end";
  BindOptions two_steps;
  two_steps.steps_before_cap = 2;
  two_steps.tolerance_before_cap = 0;
  EXPECT_EQ(bound(tentacle, two_steps).report.solve->steps.size(), 2u);
  two_steps.solver.max_iterations = 1;
  EXPECT_EQ(bound(tentacle, two_steps).report.solve->steps.size(), 1u) << "who asks for fewer";
  BindOptions none;
  none.steps_before_cap = 0;
  none.obedience = 0;  // nor any for lost bones
  const SolveReport unsolved = *bound(tentacle, none).report.solve;
  EXPECT_TRUE(unsolved.steps.empty());
  EXPECT_EQ(unsolved.arap_free, unsolved.arap_start);
  EXPECT_EQ(bound(tentacle).report.solve->steps.size(), 3u) << "by itself";
  BindOptions paper;
  paper.constraints = ConstraintSet::paper;
  EXPECT_GT(bound(tentacle, paper).report.solve->steps.size(), 3u);
  const Character coarse = test::limb_character(test::limb_data({6, 5, 0.3, 2}));
  EXPECT_GT(bound(coarse).report.solve->steps.size(), 3u) << "edges are as long as bones";
}

TEST(OptimisedBind, VerticesTurnInGroupsWhereEdgesAreShortBesideBones) {
  const auto rotations_of = [](const Character& character, BindOptions options = {}) {
    options.exemplars.count = 10;
    return bound(character, options).report.solve->rotations;
  };
  EXPECT_EQ(rotations_of(example("tentacle", 2200)), RotationMode::clustered);
  EXPECT_EQ(rotations_of(test::limb_character(test::limb_data({6, 5, 0.3, 2}))),
            RotationMode::exact);
  BindOptions exact;
  exact.rotations = RotationMode::exact;
  EXPECT_EQ(rotations_of(example("tentacle", 2200), exact), RotationMode::exact) << "who asks";
}

TEST(OptimisedBind, SameBitsForOneAndTwoThreadsWhereRotationsAreClustered) {
  const Character quadruped = example("quadruped", 6000);
  std::vector<SkinWeights> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const Bound result = bound(quadruped);
    EXPECT_EQ(result.report.solve->rotations, RotationMode::clustered);
    found.push_back(result.weights);
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(OptimisedBind, ClusteredRotationsAreAsGoodAsExactOnes) {
  Character biped = example("biped", 11'000);
  std::vector<Bone> bones = biped.skeleton.bones();
  for (Bone& bone : bones) bone.limits = {};  // the judge's poses, for which weights are then made
  biped.skeleton = *Skeleton::create(std::move(bones));
  ASSERT_GT(biped.mesh.vertex_count(), 10'000u);
  expect_clusters_to_be_as_good(biped);
}

struct Aim {
  const char* file;
  double arap_to_artist;  // on the judge's poses
  double follow;
};

class OptimisedReal : public ::testing::TestWithParam<Aim> {};

TEST_P(OptimisedReal, DistortsLessThanTheArtist) {
  SINEW_REAL_MODEL(path, GetParam().file);
  const Character character = load(path).at(0).character;
  const Bound result = bound(character);
  expect_deliverable(result, 4, GetParam().file);
  EXPECT_GT(result.report.solve->attached, 0u);
  const WeightJudge judge(character, result.report.roles);
  const WeightQuality ours = *judge.judge(result.weights);
  const WeightQuality artist = *judge.judge(character.weights);
  EXPECT_LE(ours.arap / artist.arap, GetParam().arap_to_artist);
  EXPECT_GE(ours.follow, GetParam().follow);
  RecordProperty("ratio", std::to_string(ours.arap / artist.arap));
  RecordProperty("follow", std::to_string(ours.follow));
}

// What was measured on 24 other poses, and a tenth more to lose.
INSTANTIATE_TEST_SUITE_P(Each, OptimisedReal,
                         ::testing::Values(Aim{"khronos/CesiumMan.glb", 0.39, 0.93},
                                           Aim{"khronos/Fox.glb", 0.54, 0.80},
                                           Aim{"khronos/RiggedFigure.glb", 0.40, 0.80},
                                           Aim{"quaternius/modular_men_King.glb", 0.41, 0.83},
                                           Aim{"quaternius/dinosaurs_Trex.glb", 0.85, 0.76},
                                           Aim{"quaternius/animals_Horse.glb", 0.84, 0.83},
                                           Aim{"quaternius/dinosaurs_Stegosaurus.glb", 0.66, 0.75}),
                         [](const auto& aim) {
                           return std::filesystem::path(aim.param.file).stem().string();
                         });

TEST(OptimisedBind, ACoarseFigureIsFinishedUntilItsClipsSettle) {
  SINEW_REAL_MODEL(path, "khronos/RiggedFigure.glb");
  const Character character = load(path).at(0).character;
  const Bound result = bound(character);
  const WeightJudge judge(character, result.report.roles);
  const double artist = judge.judge(character.weights)->clips.value();
  EXPECT_LT(judge.judge(result.weights)->clips.value(), 0.34 * artist) << "0.39 after three rounds";
}

class PaperReal : public ::testing::TestWithParam<Aim> {};

TEST_P(PaperReal, DistortsLessThanTheArtist) {
  SINEW_REAL_MODEL(path, GetParam().file);
  const Character character = load(path).at(0).character;
  BindOptions options;
  options.constraints = ConstraintSet::paper;
  const Bound result = bound(character, options);
  expect_deliverable(result, 4, GetParam().file);
  EXPECT_GT(result.report.solve->attached, 0u);
  EXPECT_GT(result.report.solve->fading, 0u);
  const WeightJudge judge(character, result.report.roles);
  const WeightQuality ours = *judge.judge(result.weights);
  EXPECT_LE(ours.arap / judge.judge(character.weights)->arap, GetParam().arap_to_artist);
  EXPECT_GE(ours.follow, GetParam().follow);
}

INSTANTIATE_TEST_SUITE_P(Each, PaperReal,
                         ::testing::Values(Aim{"khronos/CesiumMan.glb", 0.36, 0.88},
                                           Aim{"khronos/Fox.glb", 0.52, 0},
                                           Aim{"khronos/RiggedFigure.glb", 0.62, 0},
                                           Aim{"quaternius/modular_men_King.glb", 0.256, 0.69}),
                         [](const auto& aim) {
                           return std::filesystem::path(aim.param.file).stem().string();
                         });

}  // namespace
}  // namespace sinew
