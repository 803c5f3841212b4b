// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/arap_system.h"

#include <gtest/gtest.h>

#include "arap/weight_system.h"
#include "math/random.h"
#include "support/literal_araplbs.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::LiteralAraplbs;
using test::NamedProblem;
using test::random_problem;
using test::random_problems;
using test::strongest_places;

constexpr double kAgreeRel = 1e-9;

Eigen::MatrixXd both_triangles(const SparseMatrix& lower) {
  return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

ArapSystem assembled(const WeightProblem& problem) {
  return assemble_arap(problem, WeightUnknowns(problem.maps), BonePairs(problem));
}

/// Rows of weights that sum to one, some of them below zero.
std::vector<double> any_weights(const InfluenceMaps& maps, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    double rest = 1;
    for (std::size_t b = 1; b < maps.bones_of(i).size(); ++b) {
      weights.push_back(random.uniform(-0.2, 0.8));
      rest -= weights.back();
    }
    weights.push_back(rest);
  }
  return weights;
}

TEST(ArapSystem, QuadraticPartIsThePapers) {
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const Eigen::MatrixXd expected(literal.quadratic());
    const Eigen::MatrixXd found = both_triangles(assembled(problem).quadratic);
    ASSERT_EQ(found.rows(), expected.rows()) << name;
    EXPECT_LE(largest(found - expected), kAgreeRel * largest(expected)) << name;
  }
}

TEST(ArapSystem, LinearPartIsThePapersWhereNothingRotates) {
  // With rotations of zero, Eq. 8 has only the part of B that the exemplars make: −c.
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const LiteralAraplbs::Rotations nothing(
        problem.exemplars.size(),
        std::vector<Eigen::Matrix3d>(problem.positions.size(), Eigen::Matrix3d::Zero()));
    const Eigen::VectorXd expected = literal.linear(nothing);
    EXPECT_LE(largest(-assembled(problem).linear - expected), kAgreeRel * largest(expected))
        << name;
  }
}

TEST(ArapSystem, QuadraticAtAnyWeightsIsTheSumOfSquaresOfDeformedEdges) {
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const LiteralAraplbs::Rotations nothing(
        problem.exemplars.size(),
        std::vector<Eigen::Matrix3d>(problem.positions.size(), Eigen::Matrix3d::Zero()));
    const ArapSystem system = assembled(problem);
    EXPECT_NEAR(system.rest_energy, literal.rest_energy(), 1e-12 * literal.rest_energy()) << name;
    for (const std::uint64_t seed : {1, 2}) {
      const std::vector<double> weights = any_weights(problem.maps, seed);
      const Eigen::VectorXd w = WeightUnknowns(problem.maps).reduce(problem.maps, weights);
      const double found =
          w.dot(both_triangles(system.quadratic) * w) + 2 * system.linear.dot(w) + system.constant;
      const double expected = literal.energy(weights, nothing);
      EXPECT_NEAR(found, expected, kAgreeRel * expected) << name;
    }
  }
}

TEST(ArapSystem, ManyBonesOnEveryVertexAgreeWithThePaper) {
  const WeightProblem problem = random_problem(test::make_mesh(test::limb_data()),
                                               {.bones = 9, .most_influences = 9, .exemplars = 5});
  const LiteralAraplbs literal(problem, strongest_places(problem.maps));
  const Eigen::MatrixXd expected(literal.quadratic());
  EXPECT_LE(largest(both_triangles(assembled(problem).quadratic) - expected),
            kAgreeRel * largest(expected));
}

TEST(WeightUnknowns, ExpandingWhatWasReducedGivesTheWeightsBack) {
  for (const auto& [name, problem] : random_problems()) {
    const WeightUnknowns unknowns(problem.maps);
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    ASSERT_EQ(unknowns.count(), literal.unknown_count()) << name;
    const std::vector<double> weights = any_weights(problem.maps, 3);
    const Eigen::VectorXd reduced = unknowns.reduce(problem.maps, weights);
    EXPECT_EQ(reduced, literal.unknowns(weights)) << name;
    const std::vector<double> back = unknowns.expand(problem.maps, reduced);
    for (std::size_t b = 0; b < weights.size(); ++b) EXPECT_NEAR(back[b], weights[b], 1e-15);
  }
}

TEST(WeightUnknowns, StrongestBoneIsTheBaseAndTheFirstOfEquals) {
  InfluenceMaps maps;
  maps.bone_count = 3;
  maps.begin = {0, 3, 5, 6};
  maps.bones = {0, 1, 2, 0, 2, 1};
  maps.weights = {0.2, 0.5, 0.3, 0.5, 0.5, 1};
  const WeightUnknowns unknowns(maps);
  EXPECT_EQ(unknowns.base_of(0), 1u);
  EXPECT_EQ(unknowns.base_of(1), 0u);
  EXPECT_EQ(unknowns.count(), 3);
  EXPECT_EQ(unknowns.unknown_of(0, 0), 0);
  EXPECT_EQ(unknowns.unknown_of(0, 1), -1);
  EXPECT_EQ(unknowns.unknown_of(0, 2), 1);
  EXPECT_EQ(unknowns.unknown_of(1, 1), 2);
  EXPECT_EQ(unknowns.count_of(2), 0) << "a vertex with one bone has nothing to decide";
}

/// Adds stiffness (w_ij − target)² to a dense quadratic, as algebra has it.
void add_dense(const LiteralAraplbs& literal, std::size_t vertex, std::uint32_t bone, double target,
               double stiffness, Eigen::MatrixXd& quadratic, Eigen::VectorXd& linear) {
  const LiteralAraplbs::WeightRow row = literal.row(vertex, bone);
  quadratic += stiffness * row.factors * row.factors.transpose();
  linear += stiffness * (target - row.constant) * row.factors;
}

class WeightSystemTerms : public ::testing::Test {
 protected:
  static constexpr double kTinyRegulariser = 1e-300;  // nothing, but allowed

  WeightProblem problem = random_problem(test::make_mesh(test::limb_data()), {.seed = 5});
  LiteralAraplbs literal{problem, strongest_places(problem.maps)};
  std::vector<double> no_rotations = std::vector<double>(problem.maps.bones.size(), 0);
  WeightSystem system{problem, {.regulariser = kTinyRegulariser}};
  Eigen::MatrixXd quadratic = both_triangles(system.matrix());
  Eigen::VectorXd linear = system.right_hand_side(problem.maps, no_rotations);

  void add_term(WeightSystem& to, std::size_t vertex, std::size_t place, double target,
                double stiffness) const {
    const WeightConstraint term{static_cast<std::uint32_t>(vertex),
                                problem.maps.bones_of(vertex)[place], target, stiffness};
    to.add_constraints(problem.maps, {&term, 1}, 1);
  }

  void expect_equal_to_dense(const WeightSystem& found) const {
    EXPECT_LE(largest(both_triangles(found.matrix()) - quadratic), 1e-12 * largest(quadratic));
    EXPECT_LE(largest(found.right_hand_side(problem.maps, no_rotations) - linear),
              1e-12 * largest(linear));
  }
};

TEST_F(WeightSystemTerms, TermOnAnyBoneIsWhatDenseAlgebraSays) {
  // The base is among the places: there the row is −1s over the unknowns of the vertex.
  for (const std::size_t vertex : {3u, 17u, 40u}) {
    const auto bones = problem.maps.bones_of(vertex);
    for (std::size_t place = 0; place < bones.size(); ++place) {
      const double stiffness = 0.1 + static_cast<double>(place);
      add_term(system, vertex, place, 0.7, stiffness);
      add_dense(literal, vertex, bones[place], 0.7, stiffness, quadratic, linear);
    }
  }
  expect_equal_to_dense(system);
}

TEST_F(WeightSystemTerms, EnergyOfATermIsItsStiffnessTimesTheSquare) {
  const std::vector<double> weights = any_weights(problem.maps, 4);
  for (const std::size_t vertex : {3u, 17u, 40u})
    for (std::size_t place = 0; place < problem.maps.bones_of(vertex).size(); ++place) {
      const double before = system.energy(problem.maps, weights, no_rotations);
      add_term(system, vertex, place, 0.7, 2.5);
      const double off = weights[problem.maps.begin[vertex] + place] - 0.7;
      EXPECT_NEAR(system.energy(problem.maps, weights, no_rotations) - before, 2.5 * off * off,
                  1e-10 * before);
    }
}

TEST_F(WeightSystemTerms, ColumnsOfConstraintsAreWhatTheTermsAdd) {
  std::vector<WeightConstraint> constraints;
  for (const std::uint32_t vertex : {3u, 17u, 40u})
    for (const std::uint32_t bone : problem.maps.bones_of(vertex))
      constraints.push_back({vertex, bone, 0.2, 1.5});
  const Eigen::MatrixXd columns(system.columns(problem.maps, constraints));
  for (const WeightConstraint& each : constraints)
    add_dense(literal, each.vertex, each.bone, each.target, each.stiffness, quadratic, linear);
  EXPECT_LE(largest(both_triangles(system.matrix()) + columns * columns.transpose() - quadratic),
            1e-12 * largest(quadratic));
}

TEST_F(WeightSystemTerms, RegulariserPullsEveryWeightToItsStart) {
  constexpr double kRegulariser = 1e-2;
  double mean_measure = 0;
  for (const double measure : problem.graph.vertex_measure)
    mean_measure += measure / static_cast<double>(problem.positions.size());
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    ASSERT_GT(problem.graph.vertex_measure[i], 1e-3 * mean_measure) << "no vertex is at the floor";
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      add_dense(literal, i, problem.maps.bones_of(i)[place], problem.maps.weights_of(i)[place],
                kRegulariser * problem.graph.vertex_measure[i] *
                    static_cast<double>(problem.exemplars.size()),
                quadratic, linear);
  }
  expect_equal_to_dense(WeightSystem(problem, {.regulariser = kRegulariser}));
}

TEST_F(WeightSystemTerms, HarmonicTermIsTheSumOfSquaredDifferencesFromTheNeighbours) {
  constexpr double kHarmonic = 0.01;
  const Eigen::MatrixXd laplacian(problem.laplacian);
  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    for (std::uint32_t bone = 0; bone < problem.maps.bone_count; ++bone) {
      const auto at = static_cast<Eigen::Index>(i);
      LiteralAraplbs::WeightRow difference{Eigen::VectorXd::Zero(literal.unknown_count()), 0};
      for (Eigen::Index k = 0; k < laplacian.cols(); ++k) {
        if (laplacian(at, k) == 0) continue;
        const LiteralAraplbs::WeightRow row = literal.row(static_cast<std::size_t>(k), bone);
        difference.factors += laplacian(at, k) / laplacian(at, at) * row.factors;
        difference.constant += laplacian(at, k) / laplacian(at, at) * row.constant;
      }
      const double stiffness = kHarmonic * paper_stiffness(problem, i);
      quadratic += stiffness * difference.factors * difference.factors.transpose();
      linear -= stiffness * difference.constant * difference.factors;
    }
  WeightSystem harmonic(problem, {.regulariser = kTinyRegulariser, .harmonic = kHarmonic});
  expect_equal_to_dense(harmonic);

  add_term(harmonic, 17, 0, 0.7, 3);
  add_dense(literal, 17, problem.maps.bones_of(17)[0], 0.7, 3, quadratic, linear);
  expect_equal_to_dense(harmonic);
}

}  // namespace
}  // namespace sinew
