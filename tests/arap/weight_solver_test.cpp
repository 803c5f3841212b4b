// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_solver.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/literal_araplbs.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::largest_difference;
using test::LiteralAraplbs;
using test::made_problem;
using test::made_solver;
using test::MadeProblem;
using test::plain_solver;
using test::random_problem;
using test::solve;
using test::strongest_places;

using Filter = WeightSolverOptions::Filter;
using Positivity = WeightSolverOptions::Positivity;

/// A half step may raise the energy by its rounding, relative to X Σ a|e|².
constexpr double kRise = 1e-10;

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void expect_rows_sum_to_one(const WeightSolver& solver, const std::string& name) {
  const InfluenceMaps& maps = solver.problem().maps;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    double sum = 0;
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) sum += solver.weights()[b];
    EXPECT_NEAR(sum, 1, 1e-12) << name << ", vertex " << i;
  }
}

WeightSolver stepped(WeightSolver solver, int steps) {
  for (int step = 0; step < steps; ++step)
    if (const Status status = solver.step(); !status.ok())
      throw std::runtime_error(status.error().to_string());
  return solver;
}

TEST(WeightSolver, StepsSayWhatDistortionTheyStartedFrom) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
  for (int step = 0; step < 3; ++step) {
    const double before = solver.arap();
    ASSERT_TRUE(solver.step().ok());
    EXPECT_GT(before, 0);
    EXPECT_NEAR(solver.steps().back().arap_before, before, 1e-9 * before);
  }
}

TEST(WeightSolver, OneStepIsTheMinimumThatDenseAlgebraFinds) {
  const std::vector<Character> characters = {test::limb_character(test::limb_data()),
                                             test::tetrahedral_cube(), test::chain_character()};
  for (const Character& character : characters) {
    const MadeProblem made = made_problem(character);
    const WeightSolver solver =
        stepped(made_solver(made.problem, made.constraints, plain_solver()), 1);
    EXPECT_LE(largest_difference(solver.weights(),
                                 test::dense_step(made.problem, made.constraints, 1e-6)),
              1e-7);
  }
  const WeightProblem random = random_problem(test::make_mesh(test::limb_data()));
  EXPECT_LE(largest_difference(stepped(made_solver(random, {}, plain_solver()), 1).weights(),
                               test::dense_step(random, {}, 1e-6)),
            1e-7);
}

TEST(WeightSolver, StepThatReachesFartherGainsWhatAQuadraticSays) {
  const Character limb = test::limb_character(test::limb_data());
  for (const MadeProblem& made : {made_problem(limb), made_problem(test::chain_character())})
    for (const CholeskyPrecision precision : {CholeskyPrecision::full, CholeskyPrecision::single}) {
      WeightSolverOptions options = plain_solver();
      options.cholesky.precision = precision;
      const auto step_energy = [&](double reach) {
        WeightSolver solver = made_solver(made.problem, made.constraints, options);
        EXPECT_TRUE(solver.step({.reach = reach}).ok());
        return solver.steps().back();
      };
      const StepEnergy whole = step_energy(1);
      const double most = whole.after_rotations - whole.after_weights;
      ASSERT_GT(most, 0);
      for (const double reach : {0.25, 0.9, 1.2, 1.7}) {
        const StepEnergy part = step_energy(reach);
        EXPECT_EQ(part.after_rotations, whole.after_rotations);
        EXPECT_NEAR(part.after_rotations - part.after_weights,
                    (1 - (1 - reach) * (1 - reach)) * most, 1e-6 * most)
            << reach;
      }
    }
}

TEST(WeightSolver, StepThatWouldRaiseTheEnergyIsRefused) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
  const std::vector<double> before = solver.weights();
  for (const double reach : {-1.0, 0.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    const Status status = solver.step({.reach = reach});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(status.error().place, "reach");
  }
  EXPECT_EQ(solver.weights(), before);
}

TEST(WeightSolver, StepThatIsNotMeasuredFindsTheSameWeights) {
  const MadeProblem made = made_problem(test::chain_character());
  for (const Filter filter : {Filter::off, Filter::laplacian}) {
    WeightSolverOptions options = plain_solver();
    options.filter = filter;
    WeightSolver measured = made_solver(made.problem, made.constraints, options);
    WeightSolver quick = made_solver(made.problem, made.constraints, options);
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(measured.step().ok());
      ASSERT_TRUE(quick.step({.is_measured = false}).ok());
      EXPECT_EQ(quick.weights(), measured.weights());
    }
    EXPECT_TRUE(quick.steps().empty());
    EXPECT_FALSE(quick.converged());
  }
}

TEST(WeightSolver, OneThatWasNarrowedDownGoesOnAsBefore) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
  WeightSolver untouched = made_solver(made.problem, made.constraints, plain_solver());
  ASSERT_TRUE(solver.step().ok());
  ASSERT_TRUE(untouched.step().ok());
  ASSERT_TRUE(solver.restricted_to(solver.problem().maps, solver.options()).ok());
  EXPECT_FALSE(solver.converged());
  ASSERT_TRUE(solver.step().ok());
  ASSERT_TRUE(untouched.step().ok());
  EXPECT_EQ(solver.weights(), untouched.weights());
}

TEST(WeightSolver, FactorsInFloatsTakeTheSameStepsAsThoseInDoubles) {
  const MadeProblem made = made_problem(test::limb_character(test::limb_data({40, 60, 0.2, 2})));
  struct Case {
    std::string name;
    double regulariser;
    double stiffness;  // of constraints, beside the paper's
  };
  // Floats have no digit of some unknowns in the last two, and doubles have to help.
  for (const auto& [name, regulariser, stiffness] :
       {Case{"soft", 1e-6, 1e-6}, Case{"stiff", 1e-6, 1}, Case{"hardly regular", 1e-13, 1}}) {
    std::vector<WeightConstraint> constraints = made.constraints;
    for (WeightConstraint& each : constraints) each.stiffness *= stiffness;
    const auto steps = [&](CholeskyPrecision precision) {
      WeightSolverOptions options = plain_solver(RotationMode::clustered);
      options.regulariser = regulariser;
      options.cholesky.precision = precision;
      return stepped(made_solver(made.problem, constraints, options), 6);
    };
    const WeightSolver in_doubles = steps(CholeskyPrecision::full);
    const WeightSolver in_floats = steps(CholeskyPrecision::single);
    for (std::size_t s = 0; s < 6; ++s)
      EXPECT_NEAR(in_floats.steps()[s].after_weights, in_doubles.steps()[s].after_weights,
                  1e-7 * in_doubles.steps()[s].after_weights)
          << name << ", step " << s;
    EXPECT_LT(largest_difference(in_floats.weights(), in_doubles.weights()),
              name == "hardly regular" ? 1e-2 : 1e-4)
        << name;
  }
}

TEST(WeightSolver, RotationsInFloatsTakeTheSameStepsAsThoseInDoubles) {
  const MadeProblem made = made_problem(test::limb_character(test::limb_data({40, 60, 0.2, 2})));
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
    WeightSolverOptions options = plain_solver(mode);
    const WeightSolver in_doubles =
        stepped(made_solver(made.problem, made.constraints, options), 6);
    options.rotation_precision = RotationPrecision::floats;
    const WeightSolver in_floats = stepped(made_solver(made.problem, made.constraints, options), 6);
    for (std::size_t s = 0; s < 6; ++s)
      EXPECT_NEAR(in_floats.steps()[s].arap, in_doubles.steps()[s].arap,
                  1e-4 * in_doubles.steps()[s].arap)
          << "step " << s;
    EXPECT_NE(in_floats.weights(), in_doubles.weights()) << "or these are no floats";
    EXPECT_LT(largest_difference(in_floats.weights(), in_doubles.weights()), 1e-3);
  }
}

TEST(WeightSolver, RotationsInFloatsConvergeWhereNothingDistorts) {
  WeightProblem problem = random_problem(test::make_mesh(test::limb_data({24, 40, 0.2, 2})));
  for (std::vector<Affine3>& exemplar : problem.exemplars)
    std::fill(exemplar.begin(), exemplar.end(), exemplar[0]);
  WeightSolverOptions options = plain_solver(RotationMode::exact);
  options.rotation_precision = RotationPrecision::floats;
  WeightSolver solver = made_solver(problem, {}, options);
  while (!solver.converged()) ASSERT_TRUE(solver.step().ok());
  EXPECT_LE(solver.steps().size(), 3u);
  EXPECT_NEAR(solver.arap(), 0, 1e-6);
}

TEST(WeightSolver, ArapIsThatOfItsWeights) {
  const MadeProblem made = made_problem(test::limb_character(test::limb_data()));
  WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
  EXPECT_NEAR(solver.arap(), solver.arap_of(solver.weights()), 1e-12);
  solver = stepped(std::move(solver), 2);
  EXPECT_NEAR(solver.arap(), solver.arap_of(solver.weights()), 1e-12);
  ASSERT_TRUE(solver.set_weights(made.problem.maps.weights).ok());
  EXPECT_NEAR(solver.arap(), solver.arap_of(made.problem.maps.weights), 1e-12);
}

TEST(WeightSolver, StepsGoOnWhereNothingIsLeftToGain) {
  const MadeProblem made = made_problem(test::limb_character(test::limb_data({40, 60, 0.2, 2})));
  std::vector<WeightConstraint> soft = made.constraints;
  for (WeightConstraint& each : soft) each.stiffness *= 1e-6;
  WeightSolverOptions options = plain_solver(RotationMode::clustered);
  options.cholesky.precision = CholeskyPrecision::single;
  const WeightSolver solver = stepped(made_solver(made.problem, soft, options), 60);
  EXPECT_NEAR(solver.steps().back().after_weights, solver.steps()[58].after_weights, 1e-9);
  expect_rows_sum_to_one(solver, "limb");
}

TEST(WeightSolver, EnergyOfEveryStepIsTheLiteralSum) {
  for (const Character& character : {test::tetrahedral_cube(), test::chain_character()}) {
    const MadeProblem made = made_problem(character);
    WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
    const LiteralAraplbs literal(made.problem, strongest_places(made.problem.maps));
    for (int step = 0; step < 3; ++step) {
      const std::vector<double> before = solver.weights();
      EXPECT_NEAR(solver.arap(),
                  literal.energy(before, literal.rotations(before)) / literal.rest_energy(), 1e-9);
      ASSERT_TRUE(solver.step().ok());
      EXPECT_NEAR(
          solver.steps().back().arap,
          literal.energy(solver.weights(), literal.rotations(before)) / literal.rest_energy(),
          1e-9);
    }
  }
}

/// Two half steps of every step, in their order.
void expect_no_rise(const WeightSolver& solver, const std::string& name) {
  double before = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < solver.steps().size(); ++s)
    for (const double energy :
         {solver.steps()[s].after_rotations, solver.steps()[s].after_weights}) {
      EXPECT_LE(energy, before + kRise) << name << ", step " << s;
      before = energy;
    }
}

TEST(WeightSolver, EnergyNeverRisesOnAnyCharacterOfTheZoo) {
  for (const test::ZooMesh& zoo : test::mesh_zoo())
    for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
      const MadeProblem made = made_problem(test::limb_character(zoo.mesh.data()));
      WeightSolverOptions options = plain_solver(mode);
      options.clusters = 12;
      options.clusterings = 3;
      const WeightSolver solver = stepped(made_solver(made.problem, made.constraints, options), 15);
      expect_no_rise(solver, zoo.name);
      expect_rows_sum_to_one(solver, zoo.name);
    }
}

TEST(WeightSolver, EnergyNeverRisesOnRandomProblemsAndWithTheHarmonicTerm) {
  for (const auto& [name, problem] : test::random_problems())
    for (const double harmonic : {0.0, 1e-3}) {
      WeightSolverOptions options = plain_solver();
      options.harmonic = harmonic;
      expect_no_rise(stepped(made_solver(problem, {}, options), 10), name);
    }
}

TEST(WeightSolver, EqualSharesAreSolvedToWhereHeatIs) {
  WeightProblem problem = made_problem(test::chain_character(), 40).problem;
  WeightSolver from_heat = made_solver(problem, {}, plain_solver());
  const double heat = from_heat.arap();
  solve(from_heat);
  EXPECT_LT(from_heat.arap(), 0.97 * heat);

  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    for (std::size_t b = problem.maps.begin[i]; b < problem.maps.begin[i + 1]; ++b)
      problem.maps.weights[b] = 1 / static_cast<double>(problem.maps.bones_of(i).size());
  WeightSolver from_equal = made_solver(problem, {}, plain_solver());
  EXPECT_GT(from_equal.arap(), 1.5 * heat);
  solve(from_equal);
  EXPECT_LT(from_equal.arap(), 1.05 * from_heat.arap());
}

TEST(WeightSolver, RigidMotionOfAllBonesCostsNothing) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    WeightProblem problem = random_problem(zoo.mesh);
    for (std::vector<Affine3>& exemplar : problem.exemplars)
      std::fill(exemplar.begin(), exemplar.end(), exemplar[0]);
    for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
      WeightSolverOptions options = plain_solver(mode);
      options.clusters = 9;
      const WeightSolver solver = stepped(made_solver(problem, {}, options), 2);
      for (const StepEnergy& step : solver.steps()) {
        EXPECT_NEAR(step.arap, 0, 1e-10) << zoo.name;
        EXPECT_NEAR(step.after_weights, 0, 1e-10) << zoo.name;
      }
      EXPECT_NEAR(solver.arap(), 0, 1e-10) << zoo.name;
      EXPECT_LE(largest_difference(solver.weights(), problem.maps.weights), 1e-6)
          << zoo.name << ": where all weights are equally good, they stay";
    }
  }
}

TEST(WeightSolver, OneBoneHasWeightOneEverywhere) {
  const WeightProblem problem =
      random_problem(test::make_mesh(test::limb_data()), {.bones = 1, .most_influences = 1});
  WeightSolver solver = made_solver(problem);
  EXPECT_EQ(solver.unknown_count(), 0);
  solve(solver);
  for (const double weight : solver.weights()) EXPECT_EQ(weight, 1);
  EXPECT_NEAR(solver.arap(), 0, 1e-10);
}

TEST(WeightSolver, VertexOnAJointHasFiniteWeights) {
  // All bones move the joint alike: the data say nothing about their shares there.
  MeshData data = test::limb_data();
  const auto on_joint = static_cast<VertexIndex>(data.positions.size());
  data.positions.emplace_back(0, 1, 0);
  data.triangles.push_back({on_joint, 32, 33});
  const MadeProblem made = made_problem(test::limb_character(std::move(data)));
  WeightSolver solver = made_solver(made.problem, made.constraints, {});
  solve(solver);
  ASSERT_TRUE(all_finite(solver.weights()));
  for (const double weight : solver.weights()) EXPECT_LT(std::abs(weight), 2);
}

TEST(WeightSolver, BonesThatMoveAlikeShareAsTheyDidAtTheStart) {
  WeightProblem problem = random_problem(test::make_mesh(test::limb_data()));
  for (std::vector<Affine3>& exemplar : problem.exemplars) exemplar[1] = exemplar[0];
  WeightSolver solver = stepped(made_solver(problem, {}, plain_solver()), 5);
  ASSERT_TRUE(all_finite(solver.weights()));
  expect_rows_sum_to_one(solver, "twins");
  for (const double weight : solver.weights()) EXPECT_LT(std::abs(weight), 10);
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    const auto bones = problem.maps.bones_of(i);
    if (bones.size() != 2 || bones[0] != 0 || bones[1] != 1) continue;
    const std::size_t first = problem.maps.begin[i];
    EXPECT_NEAR(solver.weights()[first], problem.maps.weights[first], 1e-5)
        << "only the regulariser sees these two";
  }
}

TEST(WeightSolver, VertexThatNothingRefersToKeepsItsWeights) {
  MeshData data = test::limb_data();
  data.positions.emplace_back(0.5, 1.7, 0);
  const Mesh mesh = test::make_mesh(std::move(data));
  const WeightProblem problem = random_problem(mesh);
  const std::size_t loose = problem.positions.size() - 1;
  ASSERT_TRUE(problem.graph.neighbours_of(loose).empty());
  const WeightSolver solver = stepped(made_solver(problem, {}, plain_solver()), 3);
  for (std::size_t b = problem.maps.begin[loose]; b < problem.maps.begin[loose + 1]; ++b)
    EXPECT_NEAR(solver.weights()[b], problem.maps.weights[b], 1e-9);
}

TEST(WeightSolver, AttachedVerticesComeCloseToOneAndFadingOnesToZero) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolver solver = made_solver(made.problem, made.constraints, plain_solver());
  solve(solver);
  for (const WeightConstraint& each : made.constraints) {
    const auto bones = made.problem.maps.bones_of(each.vertex);
    const auto place = std::ranges::lower_bound(bones, each.bone) - bones.begin();
    EXPECT_NEAR(
        solver.weights()[made.problem.maps.begin[each.vertex] + static_cast<std::size_t>(place)],
        each.target, 0.05);
  }
}

TEST(WeightSolver, PositivityTakesAwayMostOfWhatIsBelowZero) {
  // Random weights and no constraints: plenty of the solution is negative.
  const WeightProblem problem =
      random_problem(test::make_mesh(test::limb_data()), {.exemplars = 3});
  WeightSolverOptions options = plain_solver();
  const auto below_zero = [](const WeightSolver& solver) {
    double sum = 0;
    for (const double weight : solver.weights()) sum += std::max(0.0, -weight);
    return sum;
  };
  const WeightSolver free = stepped(made_solver(problem, {}, options), 8);
  options.positivity = Positivity::constrain;
  const WeightSolver held = stepped(made_solver(problem, {}, options), 8);
  ASSERT_GT(below_zero(free), 1);
  EXPECT_LT(below_zero(held), 0.5 * below_zero(free));
  std::size_t added = 0;
  for (const StepEnergy& step : held.steps()) added += step.constraints;
  EXPECT_EQ(added, held.constraints().size()) << "each is added once and counted";
}

TEST(WeightSolver, FilterKeepsSumsAndTellsWhatItCosts) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const MadeProblem made = made_problem(test::limb_character(zoo.mesh.data()));
    WeightSolverOptions options = plain_solver();
    options.filter = Filter::laplacian;
    const WeightSolver solver = stepped(made_solver(made.problem, made.constraints, options), 4);
    expect_rows_sum_to_one(solver, zoo.name);
    ASSERT_TRUE(all_finite(solver.weights())) << zoo.name;
    for (const StepEnergy& step : solver.steps())
      EXPECT_GE(step.after_filter, step.after_weights - kRise)
          << zoo.name << ": the global step had found the minimum";
  }
}

TEST(WeightSolver, ConvergesByTheEnergyAndNeverPassesTheCap) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolverOptions options;
  options.max_iterations = 3;
  options.tolerance_rel = 0;
  WeightSolver capped = made_solver(made.problem, made.constraints, options);
  solve(capped);
  EXPECT_EQ(capped.steps().size(), 3u);
  options.max_iterations = 0;
  EXPECT_TRUE(made_solver(made.problem, made.constraints, options).converged());
  options.max_iterations = 1000;
  options.tolerance_rel = 1e-3;
  WeightSolver converging = made_solver(made.problem, made.constraints, options);
  solve(converging);
  const auto steps = converging.steps();
  ASSERT_GE(steps.size(), 2u);
  ASSERT_LT(steps.size(), 1000u);
  EXPECT_LT(std::abs(steps[steps.size() - 2].arap - steps.back().arap), 1e-3 * steps.back().arap);
}

TEST(WeightSolver, RotationsAreExactUnlessAskedOtherwise) {
  const WeightProblem problem = random_problem(test::make_mesh(test::limb_data()));
  EXPECT_EQ(made_solver(problem).rotation_mode(), RotationMode::exact);
  WeightSolverOptions options;
  options.rotations = RotationMode::clustered;
  EXPECT_EQ(made_solver(problem, {}, options).rotation_mode(), RotationMode::clustered);
}

TEST(WeightSolver, AsManyClustersAsVerticesAreExact) {
  const MadeProblem made = made_problem(test::chain_character());
  WeightSolverOptions options = plain_solver(RotationMode::clustered);
  options.clusters = static_cast<int>(made.problem.positions.size());
  const WeightSolver clustered = stepped(made_solver(made.problem, made.constraints, options), 1);
  const WeightSolver exact =
      stepped(made_solver(made.problem, made.constraints, plain_solver()), 1);
  EXPECT_LE(largest_difference(clustered.weights(), exact.weights()), 1e-8);
}

TEST(WeightSolver, SameBitsForOneAndTwoThreads) {
  const MadeProblem made =
      made_problem(test::limb_character(test::limb_data({32, 60, 0.2, 2})), 20);
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
    std::vector<std::vector<double>> weights;
    for (const int threads : {1, 2}) {
      const ThreadLimit limit(threads);
      WeightSolverOptions options;
      options.rotations = mode;
      options.filter = Filter::laplacian;
      options.harmonic = 1e-4;
      options.max_iterations = 5;
      WeightSolver solver = made_solver(made.problem, made.constraints, options);
      solve(solver);
      weights.push_back(solver.weights());
    }
    EXPECT_EQ(weights[0], weights[1]) << to_string(mode);
  }
}

TEST(WeightSolver, NamesOfRotationModesLeadBack) {
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered})
    EXPECT_EQ(rotation_mode_from(to_string(mode)), mode);
  EXPECT_EQ(rotation_mode_from("sometimes"), std::nullopt);
}

TEST(WeightSolver, CanBeStoppedAtEveryStageOfItsMaking) {
  const MadeProblem made = made_problem(test::chain_character());
  std::vector<std::string> stages;
  ASSERT_TRUE(WeightSolver::create(
                  made.problem, {}, {},
                  Progress([&](std::string_view stage, double) { stages.emplace_back(stage); }))
                  .ok());
  ASSERT_EQ(stages, (std::vector<std::string>{"tables", "clusters", "factor"}));
  for (const std::string& wanted : stages) {
    std::atomic<bool> cancel = false;
    const auto result = WeightSolver::create(
        made.problem, {}, {},
        Progress([&](std::string_view stage, double) { cancel = cancel || stage == wanted; },
                 &cancel));
    ASSERT_FALSE(result.ok()) << wanted;
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace sinew
