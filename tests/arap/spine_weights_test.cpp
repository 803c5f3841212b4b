// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// The solver with parametrised bones, against the paper's own sums with every vertex moved by the
// transform at its own parameter.
#include <numeric>

#include <gtest/gtest.h>

#include "arap/rotation_tables.h"
#include "arap/vertex_clusters.h"
#include "arap/weight_system.h"
#include "math/nearest_rotation.h"
#include "sinew/arap/finish_weights.h"
#include "sinew/core/threads.h"
#include "support/checked.h"
#include "support/literal_araplbs.h"
#include "support/mesh_zoo.h"
#include "support/spine_problems.h"

namespace sinew {
namespace {

using test::checked;
using test::HeldProblem;
using test::largest_difference;
using test::LiteralAraplbs;
using test::made_solver;
using test::plain_solver;
using test::random_spine_problems;
using test::strongest_places;

/// With spines that bend by up to 60°: what mixing eight motions leaves.
constexpr double kAgreeRel = 1e-7;
constexpr double kLeastCertainty = 1e-2;  // below it, a rotation has fewer than five digits

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<std::vector<int>> clusterings(const WeightProblem& problem) {
  const std::size_t count = problem.positions.size();
  std::vector<int> alone(count);
  std::iota(alone.begin(), alone.end(), 0);
  return {alone, cluster_vertices(problem.positions, problem.graph, {.count = 12}),
          test::scattered_clusters(count, 5, 2)};
}

double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

ArapSystem assembled(const WeightProblem& problem) {
  return assemble_arap(problem, WeightUnknowns(problem.maps), BonePairs(problem));
}

TEST(SpineWeights, QuadraticPartIsThePapers) {
  for (const auto& [name, problem] : random_spine_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const Eigen::MatrixXd expected(literal.quadratic());
    const ArapSystem found = assembled(problem);
    EXPECT_LE(
        largest(Eigen::MatrixXd(Eigen::MatrixXd(found.quadratic).selfadjointView<Eigen::Lower>()) -
                expected),
        kAgreeRel * largest(expected))
        << name;
    const LiteralAraplbs::Rotations nothing(
        problem.exemplars.size(),
        std::vector<Eigen::Matrix3d>(problem.positions.size(), Eigen::Matrix3d::Zero()));
    const Eigen::VectorXd pulled = literal.linear(nothing);
    EXPECT_LE(largest(-found.linear - pulled), kAgreeRel * largest(pulled)) << name;
    const Eigen::VectorXd w = literal.unknowns(problem.maps.weights);
    EXPECT_NEAR(w.dot(expected * w) + 2 * found.linear.dot(w) + found.constant,
                literal.energy(problem.maps.weights, nothing), kAgreeRel * literal.rest_energy())
        << name;
  }
}

TEST(SpineWeights, SpinesThatBendFarAgreeBetterThanNeeded) {
  for (const auto& [name, problem] :
       random_spine_problems({.angle_max_rad = 2.6, .stretch_max = 4})) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const Eigen::MatrixXd expected(literal.quadratic());
    const Eigen::MatrixXd found =
        Eigen::MatrixXd(assembled(problem).quadratic).selfadjointView<Eigen::Lower>();
    EXPECT_LE(largest(found - expected), 1e-4 * largest(expected)) << name;
  }
}

TEST(SpineWeights, CovariancesAndWhatFitsThemAreTheLiteralOnes) {
  std::size_t compared = 0;
  std::size_t stretched = 0;
  std::size_t all = 0;
  for (const auto& [name, problem] : random_spine_problems()) {
    const std::vector<double>& weights = problem.maps.weights;
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    for (const std::vector<int>& clusters : clusterings(problem)) {
      const RotationTables tables(problem, clusters, indices(problem.exemplars.size()));
      std::vector<std::vector<std::size_t>> members(tables.cluster_count());
      for (std::size_t i = 0; i < clusters.size(); ++i)
        members[static_cast<std::size_t>(clusters[i])].push_back(i);
      for (std::size_t c = 0; c < tables.cluster_count(); ++c)
        for (std::size_t x = 0; x < problem.exemplars.size(); ++x) {
          const Eigen::Matrix3d expected = literal.covariance(weights, x, members[c]);
          const Eigen::Matrix3d found = tables.covariance(problem, weights, c, x);
          EXPECT_LE(largest(found - expected), kAgreeRel * largest(expected)) << name;
          ++all;
          if (test::rotation_certainty(expected) < kLeastCertainty) continue;
          ++compared;
          const Eigen::Matrix3d fit = tables.fit(problem, weights, c, x, found).transform;
          EXPECT_LE(largest(fit - literal.as_rigid_as_desired(weights, x, members[c])), 1e-5)
              << name << ", cluster " << c << ", exemplar " << x;
          stretched += (fit.transpose() * fit - Eigen::Matrix3d::Identity()).norm() > 0.1 ? 1 : 0;
        }
    }
  }
  EXPECT_GT(compared, all * 8 / 10);
  EXPECT_GT(stretched, all / 10);
}

/// B of Eq. 8 from our tables.
Eigen::VectorXd linear_of(const WeightProblem& problem, const std::vector<double>& beta) {
  const WeightUnknowns unknowns(problem.maps);
  Eigen::VectorXd linear = -assembled(problem).linear;
  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      if (place != unknowns.base_of(i))
        linear[unknowns.unknown_of(i, place)] +=
            beta[problem.maps.begin[i] + place] - beta[problem.maps.begin[i] + unknowns.base_of(i)];
  return linear;
}

TEST(SpineWeights, RightHandSideAndEnergyAreTheLiteralOnesForAnyClustering) {
  for (const auto& [name, problem] : random_spine_problems()) {
    const std::vector<double>& weights = problem.maps.weights;
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    for (const std::vector<int>& clusters : clusterings(problem)) {
      std::vector<double> beta(problem.maps.bones.size(), 0);
      const double stretch = RotationTables(problem, clusters, indices(problem.exemplars.size()))
                                 .add_linear(problem, weights, beta);
      const LiteralAraplbs::Rotations rotations =
          literal.rotations(weights, std::vector(problem.exemplars.size(), clusters));
      const Eigen::VectorXd expected = literal.linear(rotations);
      EXPECT_LE(largest(linear_of(problem, beta) - expected), 1e-5 * largest(expected)) << name;
      EXPECT_NEAR(
          WeightSystem(problem, {.regulariser = 1e-6}).arap(problem, weights, beta) + stretch,
          literal.energy(weights, rotations), 1e-6 * literal.rest_energy())
          << name;
    }
  }
}

TEST(SpineWeights, AreFittedInFullWhateverIsAskedFor) {
  for (const auto& [name, problem] : random_spine_problems()) {
    std::vector<int> own(problem.positions.size());
    std::iota(own.begin(), own.end(), 0);
    std::vector<std::size_t> exemplars(problem.exemplars.size());
    std::iota(exemplars.begin(), exemplars.end(), 0);
    std::vector<std::vector<double>> found;
    for (const RotationPrecision precision : {RotationPrecision::full, RotationPrecision::floats}) {
      found.emplace_back(problem.maps.bones.size(), 0.0);
      RotationTables(problem, own, exemplars, precision)
          .add_linear(problem, problem.maps.weights, found.back());
    }
    EXPECT_EQ(found[0], found[1]) << name;
  }
}

TEST(SpineWeights, SmoothingDisplacesASpineAsAWhole) {
  // What smoothing adds is taken off the distortion again, if it is X τ² Σ a|w_k − w_i|².
  for (const auto& [name, problem] : random_spine_problems()) {
    const std::vector<double> nothing(problem.maps.bones.size(), 0);
    const WeightSystem plain(problem, {.regulariser = 1e-6});
    const WeightSystem smooth(problem, {.regulariser = 1e-6, .smoothing = 0.3});
    const double expected = plain.arap(problem, problem.maps.weights, nothing);
    EXPECT_NEAR(smooth.arap(problem, problem.maps.weights, nothing), expected, 1e-9 * expected)
        << name;
  }
}

TEST(SpineWeights, SpineThatOnlyMovesRigidlyIsARigidBone) {
  const WeightProblem rigid = test::random_problem(test::make_mesh(test::limb_data()));
  const WeightProblem spines =
      test::with_random_spines(rigid, {.angle_max_rad = 0, .stretch_min = 1, .stretch_max = 1});
  ASSERT_EQ(spines.spines.size(), 2u);
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
    WeightSolverOptions options = plain_solver(mode);
    options.clusters = 20;
    WeightSolver expected = made_solver(rigid, {}, options);
    WeightSolver found = made_solver(spines, {}, options);
    EXPECT_NEAR(found.arap(), expected.arap(), 1e-12);
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(expected.step().ok());
      ASSERT_TRUE(found.step().ok());
      EXPECT_NEAR(found.steps().back().arap, expected.steps().back().arap, 1e-12);
    }
    EXPECT_LE(largest_difference(found.weights(), expected.weights()), 1e-9);
  }
}

TEST(SpineWeights, ClustersThatNothingStretchesTurnToTheBitAsEver) {
  WeightProblem problem = test::with_random_spines(
      test::random_problem(test::make_mesh(test::limb_data())),
      {.spines = 1, .angle_max_rad = 0, .stretch_min = 1, .stretch_max = 1});
  for (SpineMotion& motion : problem.spines[0].motions) motion.stretch = 1;
  const RotationTables tables(problem, clusterings(problem)[0], {0});
  for (std::size_t c = 0; c < tables.cluster_count(); ++c) {
    const Eigen::Matrix3d covariance = tables.covariance(problem, problem.maps.weights, c, 0);
    const StretchTables::Fit fit = tables.fit(problem, problem.maps.weights, c, 0, covariance);
    EXPECT_EQ(fit.transform, nearest_rotation(covariance));
    EXPECT_EQ(fit.energy, 0);
  }
}

TEST(SpineWeights, TubeThatIsOnlyStretchedIsNotDistortedUnlikeInThePaper) {
  WeightProblem problem = test::random_problem(test::make_mesh(test::limb_data({8, 21, 0.2, 2})),
                                               {.bones = 1, .most_influences = 1});
  std::vector<SpineMotion> motions;
  for (std::size_t x = 0; x < problem.exemplars.size(); ++x)
    motions.push_back(
        {problem.exemplars[x][0], Vec3::UnitY(), 0, 0.5 + 0.5 * static_cast<double>(x)});
  add_spine(problem, test::attached_to(0, {{0, -1, 0}, {0, 1, 0}}, problem.positions),
            std::move(motions));
  const WeightSolver solver = made_solver(problem);
  EXPECT_NEAR(solver.arap(), 0, 1e-12);
  const LiteralAraplbs paper(problem, strongest_places(problem.maps),
                             LiteralAraplbs::StretchRule::paper);
  EXPECT_GT(paper.energy(solver.weights(), paper.rotations(solver.weights())),
            0.1 * paper.rest_energy())
      << "its singular vectors follow the diagonals of the quads";
}

void expect_to_descend(const HeldProblem& held, const WeightSolverOptions& options, double gain) {
  WeightSolver solver = made_solver(held.problem, held.constraints, options);
  const double start = solver.arap();
  test::solve(solver);
  ASSERT_GE(solver.steps().size(), 3u);
  for (std::size_t s = 1; s < solver.steps().size(); ++s)
    EXPECT_LE(solver.steps()[s].after_weights, 1.01 * solver.steps()[s - 1].after_weights)
        << "step " << s;
  EXPECT_LT(solver.arap(), gain * start);
}

TEST(SpineWeights, TorsoOnASpineLosesMostOfItsDistortion) {
  const HeldProblem torso = test::torso_problem();
  expect_to_descend(torso, plain_solver(), 0.5);
  WeightSolverOptions clustered = plain_solver(RotationMode::clustered);
  clustered.clusters = 80;
  expect_to_descend(torso, clustered, 0.7);
}

TEST(SpineWeights, StretchyArmBesideARigidHandLosesMostOfItsDistortion) {
  const HeldProblem arm = test::stretchy_arm_problem();
  expect_to_descend(arm, plain_solver(), 0.5);
  WeightSolverOptions clustered = plain_solver(RotationMode::clustered);
  clustered.clusters = 80;
  expect_to_descend(arm, clustered, 0.5);
}

TEST(SpineWeights, TorsoIsBetterOnASpineThanOnARigidBone) {
  // The same poses; the rigid bone does what the spine's middle does.
  const HeldProblem torso = test::torso_problem();
  HeldProblem rigid = torso;
  rigid.problem.spines.clear();
  for (std::size_t x = 0; x < rigid.problem.exemplars.size(); ++x) {
    rigid.problem.exemplars[x].resize(rigid.problem.maps.bone_count);
    rigid.problem.exemplars[x][1] = spine_transform(torso.problem.spines[0].attached.rest,
                                                    torso.problem.spines[0].motions[x], 0.5);
  }
  WeightSolver on_spine = made_solver(torso.problem, torso.constraints, plain_solver());
  WeightSolver on_bone = made_solver(rigid.problem, rigid.constraints, plain_solver());
  test::solve(on_spine);
  test::solve(on_bone);
  EXPECT_LT(on_spine.arap(), 0.5 * on_bone.arap());
}

TEST(SpineWeights, StepIsTheMinimumThatDenseAlgebraFinds) {
  const HeldProblem arm = test::stretchy_arm_problem(6);
  WeightSolver solver = made_solver(arm.problem, arm.constraints, plain_solver());
  const std::vector<double> expected = test::dense_step(arm.problem, arm.constraints, 1e-6);
  ASSERT_TRUE(solver.step().ok());
  EXPECT_LE(largest_difference(solver.weights(), expected), 1e-4);
}

TEST(SpineWeights, SameBitsForOneAndTwoThreads) {
  const HeldProblem torso = test::torso_problem(8);
  std::vector<std::vector<double>> weights;
  std::vector<double> arap;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    WeightSolver solver = made_solver(torso.problem, torso.constraints, plain_solver());
    for (int step = 0; step < 3; ++step) ASSERT_TRUE(solver.step().ok());
    weights.push_back(solver.weights());
    arap.push_back(solver.arap());
  }
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(arap[0], arap[1]);
}

double literal_arap(const WeightProblem& problem, const std::vector<double>& weights) {
  const LiteralAraplbs literal(problem, strongest_places(problem.maps));
  return literal.energy(weights, literal.rotations(weights)) / literal.rest_energy();
}

TEST(SpineWeights, ReportedDistortionIsTheLiteralOne) {
  for (const HeldProblem& held : {test::torso_problem(6), test::stretchy_arm_problem(6)}) {
    WeightSolver solver = made_solver(held.problem, held.constraints, plain_solver());
    for (int step = 0; step < 4; ++step) ASSERT_TRUE(solver.step().ok());
    EXPECT_NEAR(solver.arap(), literal_arap(held.problem, solver.weights()), 1e-6 * solver.arap());
  }
}

TEST(SpineWeights, FinishedWeightsAreDeliverableAndCostLittle) {
  for (const HeldProblem& held : {test::torso_problem(8), test::stretchy_arm_problem(8)}) {
    WeightSolver solver = made_solver(held.problem, held.constraints, plain_solver());
    test::solve(solver);
    FinishOptions options;
    options.max_influences = 2;
    const FinishedWeights finished = checked(finish_weights(solver, options));
    for (std::size_t i = 0; i < held.problem.positions.size(); ++i) {
      EXPECT_LE(finished.weights.row(i).size(), 2u);
      for (const Influence& influence : finished.weights.row(i)) EXPECT_GT(influence.weight, 0);
    }
    EXPECT_LT(finished.arap_after, 1.2 * solver.arap());
  }
}

TEST(SpineWeights, SpineThatDoesNotFitIsRefused) {
  const WeightProblem good = test::torso_problem(2).problem;
  const auto refused = [&](const auto& spoil) {
    WeightProblem problem = good;
    spoil(problem);
    const Result<WeightSolver> made = WeightSolver::create(problem, {});
    return !made.ok() && made.error().code == ErrorCode::bad_argument;
  };
  EXPECT_TRUE(WeightSolver::create(good, {}).ok());
  EXPECT_TRUE(refused([](WeightProblem& p) { p.spines[0].attached.bone = 3; }));
  EXPECT_TRUE(refused([](WeightProblem& p) { p.spines[0].attached.parameters.pop_back(); }));
  EXPECT_TRUE(refused([](WeightProblem& p) { p.spines[0].attached.parameters[4] = 1.5; }));
  EXPECT_TRUE(refused([](WeightProblem& p) { p.spines[0].motions.pop_back(); }));
  EXPECT_TRUE(refused([](WeightProblem& p) { p.exemplars[1].pop_back(); }));
  EXPECT_TRUE(refused([](WeightProblem& p) {
    p.spines.push_back(p.spines[0]);
    for (std::vector<Affine3>& exemplar : p.exemplars)
      exemplar.resize(motion_count(p), Affine3::Identity());
  }));
}

}  // namespace
}  // namespace sinew
