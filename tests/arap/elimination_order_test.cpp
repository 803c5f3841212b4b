// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "arap/arap_system.h"
#include "support/checked.h"

namespace sinew {
namespace {

constexpr std::size_t kRows = 24;
constexpr std::size_t kColumns = 48;
constexpr std::size_t at(std::size_t row, std::size_t column) { return row * kColumns + column; }

/// A grid of vertices, left and right of a plane between its columns. Which of two that are images
/// of each other has the lower index differs from row to row, as in files.
WeightProblem symmetric_grid() {
  std::vector<std::vector<VertexIndex>> beside(kRows * kColumns);
  const auto place = [](std::size_t row, std::size_t column) {
    return at(row, row % 2 == 0 ? column : kColumns - 1 - column);
  };
  const auto connect = [&](std::size_t a, std::size_t b) {
    beside[a].push_back(static_cast<VertexIndex>(b));
    beside[b].push_back(static_cast<VertexIndex>(a));
  };
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (column + 1 < kColumns) connect(place(row, column), place(row, column + 1));
      if (row + 1 < kRows) connect(place(row, column), place(row + 1, column));
    }
  WeightProblem problem;
  problem.positions.resize(beside.size());
  problem.graph.begin.assign(1, 0);
  for (std::vector<VertexIndex>& of_vertex : beside) {
    std::ranges::sort(of_vertex);
    problem.graph.neighbours.insert(problem.graph.neighbours.end(), of_vertex.begin(),
                                    of_vertex.end());
    problem.graph.begin.push_back(problem.graph.neighbours.size());
  }
  problem.maps.bone_count = 2;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    for (const std::uint32_t bone : {0U, 1U}) problem.maps.bones.push_back(bone);
    problem.maps.weights.insert(problem.maps.weights.end(), 2, 0.5);
    problem.maps.begin.push_back(problem.maps.bones.size());
  }
  problem.mirror.emplace();
  for (std::size_t i = 0; i < beside.size(); ++i)
    problem.mirror->vertex.push_back(
        static_cast<int>(at(i / kColumns, kColumns - 1 - i % kColumns)));
  return problem;
}

/// Entries below the diagonal of the factor of the half that is solved for, eliminated vertex by
/// vertex.
std::size_t fill(const WeightProblem& problem, const std::vector<int>& order) {
  const auto solved_as = [&](std::size_t i) {
    return problem.mirror ? std::min(i, static_cast<std::size_t>(problem.mirror->vertex[i])) : i;
  };
  const auto is_unknown = [&](std::size_t i) { return problem.maps.bones_of(i).size() > 1; };
  std::vector<std::set<std::size_t>> beside(problem.positions.size());
  for (std::size_t i = 0; i < beside.size(); ++i)
    for (const VertexIndex k : problem.graph.neighbours_of(i))
      if (solved_as(i) != solved_as(k) && is_unknown(i) && is_unknown(k))
        beside[solved_as(i)].insert(solved_as(k));
  std::size_t entries = 0;
  for (const int vertex : order) {
    const std::set<std::size_t> met = std::move(beside[static_cast<std::size_t>(vertex)]);
    entries += met.size();
    for (const std::size_t k : met) {
      beside[k].insert(met.begin(), met.end());
      beside[k].erase(k);
      beside[k].erase(static_cast<std::size_t>(vertex));
    }
  }
  return entries;
}

void expect_all_vertices(std::vector<int> order) {
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<int>(i));
}

TEST(EliminationOrder, OfASymmetricMeshIsMadeForTheHalfThatIsSolvedFor) {
  WeightProblem problem = symmetric_grid();
  const std::vector<int> of_half = test::checked(vertex_elimination_order(problem));
  WeightProblem whole = problem;
  whole.mirror.reset();
  const std::vector<int> of_whole = test::checked(vertex_elimination_order(whole));
  EXPECT_LT(2 * fill(problem, of_half), fill(problem, of_whole));
  expect_all_vertices(of_half);
}

TEST(EliminationOrder, IsMadeForVerticesWithMoreThanOneBone) {
  WeightProblem problem = symmetric_grid();
  problem.mirror.reset();
  const std::vector<int> of_all = test::checked(vertex_elimination_order(problem));
  const InfluenceMaps both = std::exchange(problem.maps, {});
  problem.maps.bone_count = both.bone_count;
  for (std::size_t i = 0; i < both.vertex_count(); ++i) {  // two of three, in blocks
    const std::size_t count = (i / 5 + i / kColumns / 5) % 3 == 0 ? 1 : 2;
    for (std::uint32_t bone = 0; bone < count; ++bone) problem.maps.bones.push_back(bone);
    problem.maps.weights.insert(problem.maps.weights.end(), count,
                                1.0 / static_cast<double>(count));
    problem.maps.begin.push_back(problem.maps.bones.size());
  }
  EXPECT_EQ(test::checked(vertex_elimination_order(problem)), of_all) << "unless it is asked for";
  const std::vector<int> order =
      test::checked(vertex_elimination_order(problem, Coupling::edges, Ordered::unknown));
  expect_all_vertices(order);
  EXPECT_LT(fill(problem, order), 0.9 * static_cast<double>(fill(problem, of_all)));
}

}  // namespace
}  // namespace sinew
