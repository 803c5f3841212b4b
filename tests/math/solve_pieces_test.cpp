// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/solve_pieces.h"

#include <cmath>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// The five-point Laplacian of a square, a little above singular.
SparseMatrix square_grid(int side) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto at = [&](int x, int y) { return y * side + x; };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      entries.emplace_back(at(x, y), at(x, y), 4.01);
      if (x + 1 < side) entries.emplace_back(at(x + 1, y), at(x, y), -1);
      if (y + 1 < side) entries.emplace_back(at(x, y + 1), at(x, y), -1);
    }
  SparseMatrix matrix(side * side, side * side);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::VectorXd wave(Eigen::Index size) {
  Eigen::VectorXd values(size);
  for (Eigen::Index i = 0; i < size; ++i) values[i] = std::sin(0.3 * static_cast<double>(i));
  return values;
}

TEST(SolvePieces, CoverEveryColumnOnceAndKnowNothingOfEachOther) {
  // A binary tree in postorder: subtrees of 2^n - 1 columns.
  std::vector<int> parents;
  const auto add = [&](const auto& self, int depth) -> int {
    std::vector<int> children;
    if (depth > 0) children = {self(self, depth - 1), self(self, depth - 1)};
    const int own = static_cast<int>(parents.size());
    parents.push_back(-1);
    for (const int child : children) parents[static_cast<std::size_t>(child)] = own;
    return own;
  };
  add(add, 13);
  const std::vector<int> counts(parents.size(), 20);
  const SolvePieces pieces = SolvePieces::of(parents, counts);
  EXPECT_GT(pieces.pieces.size(), 16u);
  std::vector<int> owner(parents.size(), -1);
  std::size_t covered = pieces.top.size();
  for (std::size_t p = 0; p < pieces.pieces.size(); ++p)
    for (std::size_t j = pieces.pieces[p].begin; j < pieces.pieces[p].end; ++j, ++covered) {
      EXPECT_EQ(pieces.place_in_top[j], -1);
      owner[j] = static_cast<int>(p);
    }
  EXPECT_EQ(covered, parents.size());
  for (std::size_t j = 0; j < parents.size(); ++j) {
    const int above = parents[j] < 0 ? -1 : owner[static_cast<std::size_t>(parents[j])];
    EXPECT_TRUE(above < 0 || above == owner[j]) << "column " << j;
  }
}

TEST(SolvePieces, OfATreeInNoOrderAreAllTop) {
  std::vector<int> parents(30'000, -1);
  for (std::size_t j = 0; j + 3 < parents.size(); ++j)
    parents[j] = static_cast<int>(j % 2 == 0 ? j + 2 : j + 3);
  const SolvePieces pieces = SolvePieces::of(parents, std::vector<int>(parents.size(), 5));
  EXPECT_TRUE(pieces.pieces.empty());
  EXPECT_EQ(pieces.top.size(), parents.size());
}

TEST(SolvePieces, AgreesWithEigenOnALargeGridBeforeAndAfterUpdates) {
  SparseMatrix matrix = square_grid(160);
  Result<SparseCholesky> cholesky = SparseCholesky::factor(matrix);
  ASSERT_TRUE(cholesky.ok());
  const Eigen::VectorXd right = wave(matrix.rows());
  const auto expect_solved = [&] {
    const Eigen::SimplicialLDLT<SparseMatrix> reference(matrix);
    const Eigen::VectorXd expected = reference.solve(right);
    EXPECT_LT((cholesky->solve(right) - expected).norm(), 1e-11 * expected.norm());
  };
  expect_solved();
  // Columns that join places far from each other, so that the tree itself is another one.
  SparseMatrix columns(matrix.rows(), 3);
  columns.insert(5, 0) = 1;
  columns.insert(20'000, 0) = -1;
  columns.insert(160, 1) = 2;
  columns.insert(25'599, 1) = 0.5;
  columns.insert(12'800, 2) = 1;
  columns.makeCompressed();
  ASSERT_TRUE(cholesky->update(columns).ok());
  const SparseMatrix added = columns * SparseMatrix(columns.transpose());
  matrix = matrix + SparseMatrix(added.triangularView<Eigen::Lower>());
  expect_solved();
}

TEST(SolvePieces, SameBitsForOneAndTwoThreads) {
  const Result<SparseCholesky> cholesky = SparseCholesky::factor(square_grid(160));
  ASSERT_TRUE(cholesky.ok());
  const Eigen::VectorXd right = wave(160 * 160);
  std::vector<Eigen::MatrixXd> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    found.push_back(cholesky->solve(right));
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace sinew
