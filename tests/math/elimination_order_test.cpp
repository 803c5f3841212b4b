// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/elimination_order.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "math/random.h"
#include "sinew/core/threads.h"

namespace sinew {
namespace {

SparseMatrix matrix_of(Eigen::Index size, const std::vector<std::pair<int, int>>& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < size; ++i) entries.emplace_back(i, i, 4);
  for (const auto& [a, b] : edges) entries.emplace_back(std::max(a, b), std::min(a, b), -1);
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseMatrix grid(int side) {
  std::vector<std::pair<int, int>> edges;
  for (int v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.emplace_back(v, v + 1);
    if (v + side < side * side) edges.emplace_back(v, v + side);
  }
  return matrix_of(side * side, edges);
}

std::vector<SparseMatrix> samples() {
  Random random(9);
  std::vector<std::pair<int, int>> scattered, star;
  for (int e = 0; e < 500; ++e)
    if (const int a = static_cast<int>(random.uniform(0, 300)),
        b = static_cast<int>(random.uniform(0, 300));
        a != b)
      scattered.emplace_back(a, b);
  for (int v = 1; v < 50; ++v) star.emplace_back(0, v);
  return {matrix_of(0, {}), matrix_of(1, {}), matrix_of(7, {}),          matrix_of(9, {{2, 7}}),
          grid(30),         grid(2),          matrix_of(300, scattered), matrix_of(50, star)};
}

bool names_every_row_once(std::vector<int> order, Eigen::Index rows) {
  std::vector<int> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(order);
  return order == all;
}

TEST(EliminationOrder, BothWaysNameEveryRowOnce) {
  for (const SparseMatrix& matrix : samples())
    for (const auto& find : {minimum_degree_order, dissection_order}) {
      const Result<AnalysedOrder> found = find(matrix);
      ASSERT_TRUE(found.ok());
      EXPECT_TRUE(names_every_row_once(found->rows, matrix.rows())) << matrix.rows();
      EXPECT_TRUE(names_every_row_once(found->postordered(), matrix.rows())) << matrix.rows();
    }
}

TEST(EliminationOrder, BothTakeFarFewerProductsThanTheOrderOfRows) {
  const SparseMatrix matrix = grid(60);
  std::vector<int> as_it_is(static_cast<std::size_t>(matrix.rows()));
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  const double products = AnalysedOrder::of(matrix, as_it_is).columns.products();
  EXPECT_LT(minimum_degree_order(matrix)->columns.products(), products / 5);
  EXPECT_LT(dissection_order(matrix)->columns.products(), products / 5);
}

TEST(EliminationOrder, PostorderingKeepsTheProducts) {
  for (const SparseMatrix& matrix : samples()) {
    const AnalysedOrder found = *minimum_degree_order(matrix);
    EXPECT_EQ(AnalysedOrder::of(matrix, found.postordered()).columns.products(),
              found.columns.products());
  }
}

TEST(EliminationOrder, OnlyPlacesInTheLowerTriangleMatter) {
  const SparseMatrix lower = grid(25);
  SparseMatrix whole = -3 * lower + SparseMatrix(lower.transpose());
  const std::vector<int> expected = *elimination_order(lower);
  EXPECT_EQ(*elimination_order(whole), expected);
  whole.uncompress();
  EXPECT_EQ(*elimination_order(whole), expected);
}

TEST(EliminationOrder, MatrixThatIsNotSquareIsRefused) {
  const Result<std::vector<int>> found = elimination_order(SparseMatrix(3, 2));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message, "the matrix is not square");
}

TEST(EliminationOrder, DissectionsAtTheSameTimeGiveWhatEachGivesAlone) {
  const SparseMatrix matrix = grid(40);
  const std::vector<int> expected = dissection_order(matrix)->rows;
  const ThreadLimit limit(2);
  std::vector<std::vector<int>> found(8);
  parallel_for(
      found.size(), [&](std::size_t n) { found[n] = dissection_order(matrix)->rows; }, 1);
  for (const std::vector<int>& each : found) EXPECT_EQ(each, expected);
}

}  // namespace
}  // namespace sinew
