// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/rotation_tables.h"

#include <numeric>

#include <gtest/gtest.h>

#include "arap/vertex_clusters.h"
#include "arap/weight_system.h"
#include "math/nearest_rotation.h"
#include "sinew/core/threads.h"
#include "support/literal_araplbs.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::LiteralAraplbs;
using test::random_problems;
using test::strongest_places;

constexpr double kAgreeRel = 1e-9;
constexpr double kRotationAgree = 1e-8;
constexpr double kFloatsAgreeRel = 1e-5;  // a rotation is off by 1e-6 where it is well defined
constexpr double kLeastCertainty = 1e-4;  // below it, a rotation has fewer than eight digits

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> by_themselves(std::size_t vertices) {
  std::vector<int> clusters(vertices);
  std::iota(clusters.begin(), clusters.end(), 0);
  return clusters;
}

/// Several ways to cluster the vertices of a mesh: alone, in compact pieces, in pieces that are
/// nowhere connected, and all together.
std::vector<std::vector<int>> clusterings(const WeightProblem& problem) {
  const std::size_t count = problem.positions.size();
  return {by_themselves(count), cluster_vertices(problem.positions, problem.graph, {.count = 12}),
          test::scattered_clusters(count, 5, 2), std::vector<int>(count, 0)};
}

std::vector<std::vector<std::size_t>> members_of(const std::vector<int>& clusters,
                                                 std::size_t count) {
  std::vector<std::vector<std::size_t>> members(count);
  for (std::size_t i = 0; i < clusters.size(); ++i)
    members[static_cast<std::size_t>(clusters[i])].push_back(i);
  return members;
}

TEST(RotationTables, CovariancesAndRotationsAreThePapers) {
  std::size_t certain = 0;
  std::size_t all = 0;
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    for (const std::vector<int>& clusters : clusterings(problem)) {
      const RotationTables tables(problem, clusters, indices(problem.exemplars.size()));
      const auto members = members_of(clusters, tables.cluster_count());
      for (std::size_t c = 0; c < tables.cluster_count(); ++c)
        for (std::size_t x = 0; x < problem.exemplars.size(); ++x) {
          const Eigen::Matrix3d expected = literal.covariance(problem.maps.weights, x, members[c]);
          const Eigen::Matrix3d found = tables.covariance(problem, problem.maps.weights, c, x);
          EXPECT_LE((found - expected).cwiseAbs().maxCoeff(),
                    kAgreeRel * expected.cwiseAbs().maxCoeff())
              << name << ", cluster " << c << ", exemplar " << x;
          ++all;
          if (test::rotation_certainty(expected) < kLeastCertainty) continue;
          ++certain;
          EXPECT_LE(
              (nearest_rotation(found) - test::rotation_by_svd(expected)).cwiseAbs().maxCoeff(),
              kRotationAgree)
              << name << ", cluster " << c << ", exemplar " << x;
        }
    }
  }
  EXPECT_GT(certain, all * 9 / 10) << "most rotations were compared";
}

/// B of Eq. 8 from our tables: what rotations pull, less what the exemplars do alone.
Eigen::VectorXd linear_of(const WeightProblem& problem, const std::vector<double>& beta) {
  const WeightUnknowns unknowns(problem.maps);
  const ArapSystem system = assemble_arap(problem, unknowns, BonePairs(problem));
  Eigen::VectorXd linear = -system.linear;
  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      if (place != unknowns.base_of(i))
        linear[unknowns.unknown_of(i, place)] +=
            beta[problem.maps.begin[i] + place] - beta[problem.maps.begin[i] + unknowns.base_of(i)];
  return linear;
}

void expect_step_like_the_paper(const std::string& name, const WeightProblem& problem,
                                const std::vector<double>& beta,
                                const LiteralAraplbs::Rotations& rotations) {
  const LiteralAraplbs literal(problem, strongest_places(problem.maps));
  const Eigen::VectorXd expected = literal.linear(rotations);
  EXPECT_LE((linear_of(problem, beta) - expected).cwiseAbs().maxCoeff(),
            kAgreeRel * expected.cwiseAbs().maxCoeff())
      << name;
  const double energy =
      WeightSystem(problem, {.regulariser = 1e-6}).arap(problem, problem.maps.weights, beta);
  EXPECT_NEAR(energy, literal.energy(problem.maps.weights, rotations),
              kAgreeRel * literal.rest_energy())
      << name;
}

TEST(RotationTables, RightHandSideAndEnergyAreThePapersForAnyClustering) {
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    for (const std::vector<int>& clusters : clusterings(problem)) {
      const RotationTables tables(problem, clusters, indices(problem.exemplars.size()));
      std::vector<double> beta(problem.maps.bones.size(), 0);
      tables.add_linear(problem, problem.maps.weights, beta);
      expect_step_like_the_paper(
          name, problem, beta,
          literal.rotations(problem.maps.weights, std::vector(problem.exemplars.size(), clusters)));
    }
  }
}

TEST(RotationTables, ExemplarsOnDifferentClusteringsAddUp) {
  for (const auto& [name, problem] : random_problems()) {
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const std::vector<std::vector<int>> ways = clusterings(problem);
    std::vector<std::vector<int>> cluster_of;
    std::vector<std::vector<std::size_t>> exemplars_of(ways.size());
    for (std::size_t x = 0; x < problem.exemplars.size(); ++x) {
      cluster_of.push_back(ways[x % ways.size()]);
      exemplars_of[x % ways.size()].push_back(x);
    }
    std::vector<double> beta(problem.maps.bones.size(), 0);
    for (std::size_t way = 0; way < ways.size(); ++way)
      RotationTables(problem, ways[way], exemplars_of[way])
          .add_linear(problem, problem.maps.weights, beta);
    expect_step_like_the_paper(name, problem, beta,
                               literal.rotations(problem.maps.weights, cluster_of));
  }
}

TEST(RotationTables, WiresOfLinkedPartsCountOnlyTheWayTheyPoint) {
  const Character character = test::limb_character(
      test::together(test::limb_data(), test::ball_data({0.22, 0.95, 0}, 0.015)));
  const WeightProblem problem = test::made_problem(character).problem;
  bool one_way = false;
  for (const double measure : problem.graph.edge_measure) one_way = one_way || measure == 0;
  ASSERT_TRUE(one_way) << "the ball is linked to the limb";
  const LiteralAraplbs literal(problem, strongest_places(problem.maps));
  std::vector<double> beta(problem.maps.bones.size(), 0);
  RotationTables(problem, by_themselves(problem.positions.size()),
                 indices(problem.exemplars.size()))
      .add_linear(problem, problem.maps.weights, beta);
  expect_step_like_the_paper("ball", problem, beta, literal.rotations(problem.maps.weights));
}

TEST(RotationTables, FloatsTellTheWeightsWhatDoublesTellThem) {
  for (const auto& [name, problem] : random_problems())
    for (const std::vector<int>& clusters : clusterings(problem)) {
      std::vector<Eigen::VectorXd> found;
      for (const RotationPrecision precision :
           {RotationPrecision::full, RotationPrecision::floats}) {
        std::vector<double> beta(problem.maps.bones.size(), 0);
        RotationTables(problem, clusters, indices(problem.exemplars.size()), precision)
            .add_linear(problem, problem.maps.weights, beta);
        found.push_back(
            Eigen::Map<Eigen::VectorXd>(beta.data(), static_cast<Eigen::Index>(beta.size())));
      }
      EXPECT_LT((found[1] - found[0]).norm(), kFloatsAgreeRel * found[0].norm()) << name;
    }
}

TEST(RotationTables, OtherBonesOnTheSameClustersTellTheWeightsToTheBitWhatTablesMadeAnewDo) {
  for (const auto& [name, problem] : random_problems()) {
    WeightProblem fewer = problem;  // bones: the strongest two
    fewer.maps = with_fewer_bones(problem.maps, problem.graph,
                                  std::vector<std::size_t>(problem.positions.size(), 2), {});
    for (const std::vector<int>& clusters : clusterings(problem))
      for (const auto precision : {RotationPrecision::full, RotationPrecision::floats}) {
        const auto exemplars = indices(problem.exemplars.size());
        const RotationTables before(problem, clusters, exemplars, precision);
        const RotationTables anew(fewer, clusters, exemplars, precision);
        const RotationTables taken_over(fewer, clusters, before);
        std::vector<double> expected(fewer.maps.bones.size(), 0), found = expected;
        anew.add_linear(fewer, fewer.maps.weights, expected);
        taken_over.add_linear(fewer, fewer.maps.weights, found);
        EXPECT_EQ(found, expected) << name;
      }
  }
}

TEST(RotationTables, RevisedOnesAreToTheBitThoseMadeAnew) {
  for (const auto& [name, problem] : random_problems()) {
    WeightProblem changed = problem;
    std::vector<VertexIndex> vertices;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
    for (VertexIndex v = 1; v < problem.positions.size(); v += 5) {
      vertices.push_back(v);
      for (std::uint32_t bone = 0; bone < problem.maps.bone_count; ++bone)
        added.emplace_back(v, bone);
    }
    changed.maps = with_more_bones(problem.maps, added);
    for (const std::vector<int>& clusters : clusterings(problem)) {
      const auto exemplars = indices(problem.exemplars.size());
      RotationTables revised(problem, clusters, exemplars);
      revised.revise(changed, clusters, vertices);
      const RotationTables anew(changed, clusters, exemplars);
      std::vector<double> expected(changed.maps.bones.size(), 0), found = expected;
      anew.add_linear(changed, changed.maps.weights, expected);
      revised.add_linear(changed, changed.maps.weights, found);
      EXPECT_EQ(found, expected) << name;
    }
  }
}

TEST(RotationTables, SameBitsForOneAndTwoThreads) {
  const WeightProblem problem =
      test::random_problem(test::make_mesh(test::limb_data({24, 40, 0.2, 2})));
  const std::vector<int> clusters =
      cluster_vertices(problem.positions, problem.graph, {.count = 100});
  for (const RotationPrecision precision : {RotationPrecision::full, RotationPrecision::floats}) {
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2}) {
      const ThreadLimit limit(threads);
      found.emplace_back(problem.maps.bones.size(), 0.0);
      RotationTables(problem, clusters, indices(problem.exemplars.size()), precision)
          .add_linear(problem, problem.maps.weights, found.back());
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

}  // namespace
}  // namespace sinew
