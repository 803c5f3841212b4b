// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/clusterings.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

constexpr int kSide = 20;

/// A square grid of so many vertices a side, beside others at x = 2, 4, ...
void add_grid(MeshData& mesh, int side, double x) {
  const auto first = static_cast<VertexIndex>(mesh.positions.size());
  const auto stride = static_cast<VertexIndex>(side);
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      mesh.positions.emplace_back(x + column / (side - 1.0), row / (side - 1.0), 0);
  for (VertexIndex row = 0; row + 1 < stride; ++row)
    for (VertexIndex column = 0; column + 1 < stride; ++column) {
      const VertexIndex at = first + row * stride + column;
      mesh.triangles.push_back({at, at + 1, at + stride});
      mesh.triangles.push_back({at + 1, at + stride + 1, at + stride});
    }
}

/// Two grids, the second with so many vertices a side.
WeightProblem two_grids(int second, std::vector<int> clusters) {
  MeshData mesh;
  add_grid(mesh, kSide, 0);
  add_grid(mesh, second, 2);
  WeightProblem problem = test::random_problem(*Mesh::create(std::move(mesh)));
  std::vector<int> part(problem.positions.size(), 1);
  std::fill_n(part.begin(), kSide * kSide, 0);
  problem.turning = {std::move(part), std::move(clusters)};
  return problem;
}

std::vector<Clustering> clustered(const WeightProblem& problem, double clusterings = 1) {
  return make_clusterings(problem, {.mode = RotationMode::clustered, .clusterings = clusterings});
}

TEST(Clusterings, OfAPartDoNotDependOnOtherParts) {
  const auto of_first = [](int second, int its_clusters) {
    std::vector<int> cluster = clustered(two_grids(second, {40, its_clusters}))[0].cluster;
    cluster.resize(kSide * kSide);
    return cluster;
  };
  const std::vector<int> expected = of_first(5, 3);
  EXPECT_EQ(1 + *std::ranges::max_element(expected), 40);
  EXPECT_EQ(of_first(30, 3), expected);
  EXPECT_EQ(of_first(30, 90), expected);
}

TEST(Clusterings, NeverReachIntoAnotherPart) {
  WeightProblem problem = two_grids(kSide, {8, 8});
  std::vector<Edge> wires;  // between every vertex and its like
  for (VertexIndex v = 0; v < kSide * kSide; ++v) wires.push_back({v, v + kSide * kSide});
  problem.graph = with_wires(problem.graph, wires);
  const std::vector<int> cluster = clustered(problem)[0].cluster;
  std::set<int> of_first(cluster.begin(), cluster.begin() + kSide * kSide);
  for (std::size_t i = kSide * kSide; i < cluster.size(); ++i)
    EXPECT_FALSE(of_first.contains(cluster[i])) << i;
}

TEST(Clusterings, AreVerticesWhereAPartHasAsManyAndWhereThereIsNoPart) {
  WeightProblem problem = two_grids(5, {kSide * kSide, 2});
  problem.turning->part.back() = -1;
  const std::vector<int> cluster = clustered(problem)[0].cluster;
  std::vector<int> first(cluster.begin(), cluster.begin() + kSide * kSide);
  std::ranges::sort(first);
  EXPECT_EQ(std::ranges::unique(first).begin(), first.end());
  EXPECT_EQ(std::ranges::count(cluster, cluster.back()), 1);
}

TEST(Clusterings, AreNumberedWithoutGapsOnAnyMesh) {
  for (const auto& [name, made] : test::random_problems()) {
    WeightProblem problem = made;
    problem.turning = {std::vector<int>(problem.positions.size(), 0), {3}};
    for (const Clustering& each : clustered(problem, 2)) {
      const std::set<int> used(each.cluster.begin(), each.cluster.end());
      EXPECT_EQ(*used.begin(), 0) << name;
      EXPECT_EQ(*used.rbegin() + 1, static_cast<int>(used.size())) << name;
    }
  }
}

TEST(Clusterings, ExemplarsAreDealtOutInTurnAndOneMoreMovesNone) {
  WeightProblem problem = two_grids(5, {9, 2});
  const std::vector<Affine3> pose = problem.exemplars.front();
  for (const double clusterings : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    std::vector<std::size_t> before;  // clustering of each exemplar
    for (std::size_t exemplars = 1; exemplars < 30; ++exemplars) {
      problem.exemplars.assign(exemplars, pose);
      std::vector<std::size_t> now(exemplars, 99);
      const std::vector<Clustering> all = clustered(problem, clusterings);
      for (std::size_t c = 0; c < all.size(); ++c)
        for (const std::size_t x : all[c].exemplars) now[x] = c;
      EXPECT_EQ(std::ranges::count(now, 99u), 0) << "every exemplar turns by one of them";
      EXPECT_TRUE(std::equal(before.begin(), before.end(), now.begin())) << exemplars;
      before = now;
    }
    // The last of 1.25 has a quarter as many as the first: 24 and 5 of 29 are 23.2 and 5.8.
    const double share = (clusterings - std::ceil(clusterings) + 1) / clusterings;
    const auto last = static_cast<std::size_t>(std::ceil(clusterings)) - 1;
    EXPECT_NEAR(static_cast<double>(std::ranges::count(before, last)), 29 * share, 1);
  }
}

TEST(Clusterings, AreTheSameForAnyNumberOfThreads) {
  const WeightProblem problem = two_grids(30, {40, 90});
  std::vector<std::vector<int>> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    found.push_back(clustered(problem)[0].cluster);
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(Clusterings, APartThatIsNotThereIsRefused) {
  for (const PartClusters& wrong :
       {PartClusters{{0, 0}, {3}}, PartClusters{std::vector<int>(425, 1), {3}},
        PartClusters{std::vector<int>(425, 0), {0}}}) {
    WeightProblem problem = two_grids(5, {3, 3});
    problem.turning = wrong;
    const auto solver = WeightSolver::create(std::move(problem), {}, {});
    ASSERT_FALSE(solver.ok());
    EXPECT_EQ(solver.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(solver.error().place, "problem.turning");
  }
}

}  // namespace
}  // namespace sinew
