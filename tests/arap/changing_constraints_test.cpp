// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/arap/weight_solver.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::largest_difference;
using test::made_problem;
using test::made_solver;
using test::MadeProblem;
using test::plain_solver;

constexpr double kAgree = 1e-8;

const MadeProblem& chain() {
  static const MadeProblem made = made_problem(test::chain_character());
  return made;
}

WeightSolver chain_solver(const std::vector<WeightConstraint>& constraints = chain().constraints) {
  return made_solver(chain().problem, constraints, plain_solver());
}

/// Constraints that are not there yet, on bases and others, strong and weak.
std::vector<WeightConstraint> painted(std::size_t count) {
  const InfluenceMaps& maps = chain().problem.maps;
  std::vector<WeightConstraint> result;
  for (std::uint32_t i = 5; i < maps.vertex_count() && result.size() < count; i += 3)
    for (const std::uint32_t bone : maps.bones_of(i))
      if (maps.bones_of(i).size() > 1 && result.size() < count)
        result.push_back(
            {i, bone, 0.6, paper_stiffness(chain().problem, i) * (bone % 2 == 0 ? 1 : 0.01)});
  return result;
}

double weight_of(const WeightSolver& solver, const WeightConstraint& at) {
  const auto bones = solver.problem().maps.bones_of(at.vertex);
  const auto place = std::ranges::lower_bound(bones, at.bone) - bones.begin();
  return solver.weights()[solver.problem().maps.begin[at.vertex] + static_cast<std::size_t>(place)];
}

TEST(ChangingConstraints, AddedOnesActAsIfTheyHadAlwaysBeenThere) {
  for (const std::size_t count : {1u, 4u, 60u}) {  // updates of the factor, and a new one
    const std::vector<WeightConstraint> added = painted(count);
    ASSERT_EQ(added.size(), count);
    std::vector<WeightConstraint> all = chain().constraints;
    all.insert(all.end(), added.begin(), added.end());
    WeightSolver fresh = chain_solver(all);
    WeightSolver changed = chain_solver();
    ASSERT_TRUE(changed.add_constraints(added).ok());
    EXPECT_EQ(changed.constraints(), all);
    ASSERT_TRUE(fresh.step().ok());
    ASSERT_TRUE(changed.step().ok());
    EXPECT_LE(largest_difference(fresh.weights(), changed.weights()), kAgree) << count;
    EXPECT_NEAR(fresh.steps()[0].after_weights, changed.steps()[0].after_weights, 1e-10);
  }
}

TEST(ChangingConstraints, AddingAndRemovingRestoresTheNextStep) {
  for (const std::size_t count : {1u, 4u, 60u}) {
    WeightSolver untouched = chain_solver();
    WeightSolver changed = chain_solver();
    const std::vector<WeightConstraint> passing = painted(count);
    ASSERT_TRUE(changed.add_constraints(passing).ok());
    ASSERT_TRUE(changed.remove_constraints(passing).ok());
    EXPECT_EQ(changed.constraints(), untouched.constraints());
    ASSERT_TRUE(untouched.step().ok());
    ASSERT_TRUE(changed.step().ok());
    EXPECT_LE(largest_difference(untouched.weights(), changed.weights()), kAgree) << count;
    EXPECT_NEAR(untouched.steps()[0].after_weights, changed.steps()[0].after_weights, 1e-10);
  }
}

TEST(ChangingConstraints, ReleasedOneTakesEffectInTheNextStep) {
  WeightSolver solver = chain_solver({});
  std::vector<WeightConstraint> held = painted(1);
  ASSERT_TRUE(solver.step().ok());
  const double free = weight_of(solver, held[0]);
  held[0].target = free > 0.5 ? 0 : 1;
  ASSERT_TRUE(solver.add_constraints(held).ok());
  ASSERT_TRUE(solver.step().ok());
  EXPECT_NEAR(weight_of(solver, held[0]), held[0].target, 0.05);
  ASSERT_TRUE(solver.remove_constraints(held).ok());
  ASSERT_TRUE(solver.step().ok());
  EXPECT_GT(std::abs(weight_of(solver, held[0]) - held[0].target), 0.5)
      << "on its way back to " << free;
}

TEST(ChangingConstraints, ConstraintsOfTheStartCanBeReleased) {
  std::vector<WeightConstraint> fewer = chain().constraints;
  const std::vector<WeightConstraint> released(fewer.begin(), fewer.begin() + 3);
  fewer.erase(fewer.begin(), fewer.begin() + 3);
  WeightSolver fresh = chain_solver(fewer);
  WeightSolver changed = chain_solver();
  ASSERT_TRUE(changed.remove_constraints(released).ok());
  ASSERT_TRUE(fresh.step().ok());
  ASSERT_TRUE(changed.step().ok());
  EXPECT_LE(largest_difference(fresh.weights(), changed.weights()), kAgree);
}

TEST(ChangingConstraints, UnknownOneIsRefusedAndNothingChanges) {
  WeightSolver solver = chain_solver();
  WeightSolver untouched = chain_solver();
  std::vector<WeightConstraint> unknown = painted(1);
  const std::vector<WeightConstraint> mixed = {chain().constraints[0], unknown[0]};
  for (const std::vector<WeightConstraint>& wrong : {unknown, mixed}) {
    const Status status = solver.remove_constraints(wrong);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(status.error().place, "removed");
  }
  EXPECT_EQ(solver.constraints(), untouched.constraints());
  ASSERT_TRUE(solver.step().ok());
  ASSERT_TRUE(untouched.step().ok());
  EXPECT_EQ(solver.weights(), untouched.weights());
}

TEST(ChangingConstraints, OneThatWasAddedTwiceIsRemovedOnce) {
  WeightSolver once = chain_solver();
  WeightSolver twice = chain_solver();
  const std::vector<WeightConstraint> one = painted(1);
  ASSERT_TRUE(once.add_constraints(one).ok());
  ASSERT_TRUE(twice.add_constraints(one).ok());
  ASSERT_TRUE(twice.add_constraints(one).ok());
  ASSERT_TRUE(twice.remove_constraints(one).ok());
  ASSERT_TRUE(once.step().ok());
  ASSERT_TRUE(twice.step().ok());
  EXPECT_LE(largest_difference(once.weights(), twice.weights()), kAgree);
}

/// Every way a problem can be wrong, and where the error says it is.
class BadProblem : public ::testing::Test {
 protected:
  WeightProblem problem = test::random_problem(test::make_mesh(test::limb_data()));
  std::vector<WeightConstraint> constraints;
  WeightSolverOptions options;

  void expect_refused(const std::string& place) const {
    const auto result = WeightSolver::create(problem, constraints, options);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(result.error().place, place);
    EXPECT_FALSE(result.error().message.empty());
  }
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
};

TEST_F(BadProblem, PositionsOfAnotherMesh) {
  problem.positions.pop_back();
  expect_refused("problem");
}

TEST_F(BadProblem, MapsOfAnotherMesh) {
  problem.maps.begin.push_back(problem.maps.begin.back());
  expect_refused("problem");
}

TEST_F(BadProblem, NoExemplars) {
  problem.exemplars.clear();
  expect_refused("problem.exemplars");
}

TEST_F(BadProblem, ExemplarOfTooFewBones) {
  problem.exemplars[2].pop_back();
  expect_refused("problem.exemplars[2]");
}

TEST_F(BadProblem, TransformThatIsNotFinite) {
  problem.exemplars[3][1].translation().x() = kNan;
  expect_refused("problem.exemplars[3]");
}

TEST_F(BadProblem, VertexWithoutBones) {
  problem.maps = {};
  problem.maps.bone_count = 5;
  problem.maps.begin.assign(problem.positions.size() + 1, 0);
  expect_refused("problem.maps[0]");
}

TEST_F(BadProblem, BoneThatDoesNotExist) {
  problem.maps.bones[problem.maps.begin[8] - 1] = 5;
  expect_refused("problem.maps[7]");
}

TEST_F(BadProblem, BonesOutOfOrder) {
  std::size_t vertex = 0;
  while (problem.maps.bones_of(vertex).size() < 2) ++vertex;
  std::swap(problem.maps.bones[problem.maps.begin[vertex]],
            problem.maps.bones[problem.maps.begin[vertex] + 1]);
  expect_refused("problem.maps[" + std::to_string(vertex) + "]");
}

TEST_F(BadProblem, StartingWeightThatIsNotFinite) {
  problem.maps.weights[problem.maps.begin[7]] = kNan;
  expect_refused("problem.maps[7]");
}

TEST_F(BadProblem, ConstraintOnAVertexThatDoesNotExist) {
  constraints = {{static_cast<std::uint32_t>(problem.positions.size()), 0, 0, 1}};
  expect_refused("constraints[0]");
}

TEST_F(BadProblem, ConstraintOnABoneThatDoesNotInfluenceTheVertex) {
  std::uint32_t absent = 0;
  while (std::ranges::binary_search(problem.maps.bones_of(3), absent)) ++absent;
  constraints = {{3, problem.maps.bones_of(3)[0], 0, 1}, {3, absent, 0, 1}};
  expect_refused("constraints[1]");
}

TEST_F(BadProblem, ConstraintWithoutAFiniteTargetOrStiffness) {
  const std::uint32_t bone = problem.maps.bones_of(3)[0];
  const double infinity = std::numeric_limits<double>::infinity();
  for (const WeightConstraint& wrong :
       {WeightConstraint{3, bone, kNan, 1}, WeightConstraint{3, bone, infinity, 1},
        WeightConstraint{3, bone, 0, -1}, WeightConstraint{3, bone, 0, kNan},
        WeightConstraint{3, bone, 0, infinity}}) {
    constraints = {wrong};
    expect_refused("constraints[0]");
  }
}

TEST_F(BadProblem, WrongConstraintIsRefusedLaterToo) {
  WeightSolver solver = made_solver(problem);
  const std::vector<WeightConstraint> wrong = {{3, 77, 0, 1}};
  const Status status = solver.add_constraints(wrong);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().place, "constraints[0]");
  EXPECT_TRUE(solver.constraints().empty());
}

TEST_F(BadProblem, OptionsThatMakeNoSense) {
  options.clusterings = 0;
  expect_refused("options");
  options = {};
  options.clusters = 0;
  expect_refused("options");
  options = {};
  options.max_iterations = -1;
  expect_refused("options");
  for (const double regulariser : {0.0, -1.0, kNan}) {
    options = {};
    options.regulariser = regulariser;
    expect_refused("options");
  }
  for (const double harmonic : {-1.0, kNan}) {
    options = {};
    options.harmonic = harmonic;
    expect_refused("options");
  }
}

TEST_F(BadProblem, HarmonicTermWithoutALaplacian) {
  problem.laplacian = {};
  EXPECT_TRUE(WeightSolver::create(problem, constraints, options).ok());
  options.harmonic = 1e-3;
  expect_refused("problem.laplacian");
}

}  // namespace
}  // namespace sinew
