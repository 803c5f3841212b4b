// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "math/cholesky_factor.h"
#include "sinew/core/threads.h"
#include "sinew/geometry/laplacian.h"
#include "support/columns.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr Eigen::Index kUnknowns = 5;  // of each vertex, as weights have

/// A Laplacian whose every entry is a full block.
SparseMatrix matrix_of_blocks(const test::LimbOptions& shape = {12, 30, 0.2, 2}) {
  const SparseMatrix laplacian = make_laplacian(test::make_mesh(test::limb_data(shape)));
  Triplets entries;
  for (Eigen::Index c = 0; c < laplacian.outerSize(); ++c)
    for (SparseMatrix::InnerIterator entry(laplacian, c); entry; ++entry)
      for (Eigen::Index a = 0; a < kUnknowns; ++a)
        for (Eigen::Index b = 0; b < kUnknowns; ++b)
          entries.emplace_back(entry.row() * kUnknowns + a, entry.col() * kUnknowns + b,
                               entry.value() * (a == b ? 1.0 : 0.2) +
                                   (entry.row() == entry.col() && a == b ? 0.05 : 0.0));
  SparseMatrix matrix(laplacian.rows() * kUnknowns, laplacian.cols() * kUnknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// One unknown each, and every third of them two that are far apart.
SparseMatrix constraints(Eigen::Index rows, Eigen::Index first, Eigen::Index count) {
  Triplets entries;
  for (Eigen::Index c = 0; c < count; ++c) {
    entries.emplace_back((first + 7 * c) % rows, c, 0.5 + 0.01 * static_cast<double>(c % 50));
    if (c % 3 == 0) entries.emplace_back((first + 7 * c + rows / 2) % rows, c, -0.4);
  }
  SparseMatrix columns(rows, count);
  columns.setFromTriplets(entries.begin(), entries.end());
  return columns;
}

/// Of blocks of rows: vertices in an order that is good, or none at all.
std::vector<int> order_of_blocks(const SparseMatrix& matrix) {
  const Eigen::Index vertices = matrix.rows() / kUnknowns;
  Triplets entries;
  for (Eigen::Index c = 0; c < matrix.outerSize(); ++c)
    for (SparseMatrix::InnerIterator entry(matrix, c); entry; ++entry)
      if (entry.row() >= entry.col())
        entries.emplace_back(entry.row() / kUnknowns, entry.col() / kUnknowns, 1);
  SparseMatrix of_vertices(vertices, vertices);
  of_vertices.setFromTriplets(entries.begin(), entries.end());
  std::vector<int> order;
  const Result<std::vector<int>> vertex_order = elimination_order(of_vertices);
  for (const int vertex : *vertex_order)
    for (Eigen::Index p = 0; p < kUnknowns; ++p)
      order.push_back(static_cast<int>(vertex * kUnknowns + p));
  return order;
}

/// A solution, made better with what the matrix leaves of the right-hand side.
Eigen::MatrixXd refined(const CholeskyFactor& factor, const auto& matrix,
                        const Eigen::MatrixXd& right) {
  Eigen::MatrixXd solution = Eigen::MatrixXd::Zero(right.rows(), right.cols());
  const int rounds = factor.precision() == CholeskyPrecision::single ? 6 : 1;
  for (int round = 0; round < rounds; ++round) {
    const Eigen::MatrixXd left = right - matrix * solution;
    Eigen::MatrixXd missing(right.rows(), right.cols());
    factor.solve(left.data(), missing.data(), static_cast<int>(right.cols()));
    solution += missing;
  }
  return solution;
}

/// A factor, and beside it the matrix that it ought to be of.
class ChangingFactor {
 public:
  explicit ChangingFactor(CholeskyPrecision precision)
      : factor_(precision), dense_(matrix_of_blocks()) {
    const SparseMatrix matrix = matrix_of_blocks();
    EXPECT_TRUE(factor_.analyse(matrix, {}).ok());
    EXPECT_TRUE(factor_.factorise(matrix).ok());
    EXPECT_EQ(factor_.precision(), precision);
  }

  Status change(const SparseMatrix& columns, FactorChange direction) {
    const Eigen::MatrixXd dense = columns;
    dense_ += (direction == FactorChange::update ? 1 : -1) * dense * dense.transpose();
    return factor_.change(columns, direction);
  }

  void expect_solutions(const std::string& what) const {
    const Eigen::LLT<Eigen::MatrixXd> expected(dense_);
    ASSERT_EQ(expected.info(), Eigen::Success) << what;
    for (const int columns : {1, 3, 8, 11}) {
      const Eigen::MatrixXd right = test::some_columns(dense_.rows(), columns);
      const Eigen::MatrixXd found = refined(factor_, dense_, right);
      const Eigen::MatrixXd wanted = expected.solve(right);
      EXPECT_LT((found - wanted).norm(), 1e-10 * wanted.norm()) << what << ", " << columns;
    }
  }

  [[nodiscard]] Eigen::Index size() const { return dense_.rows(); }

 private:
  CholeskyFactor factor_;
  Eigen::MatrixXd dense_;
};

class Supernodal : public testing::TestWithParam<CholeskyPrecision> {};
INSTANTIATE_TEST_SUITE_P(InDoublesAndFloats, Supernodal,
                         testing::Values(CholeskyPrecision::full, CholeskyPrecision::single),
                         [](const auto& each) { return each.index == 0 ? "Doubles" : "Floats"; });

TEST_P(Supernodal, SolvesAsADenseFactorisationDoes) {
  ChangingFactor(GetParam()).expect_solutions("new");
}

TEST_P(Supernodal, BlocksThatAreEliminatedAsOneAreSolvedAlike) {
  const SparseMatrix matrix = matrix_of_blocks();
  CholeskyFactor factor(GetParam());
  ASSERT_TRUE(factor.analyse(matrix, order_of_blocks(matrix)).ok());
  ASSERT_TRUE(factor.factorise(matrix).ok());
  EXPECT_EQ(factor.precision(), GetParam());
  const Eigen::MatrixXd right = test::some_columns(matrix.rows(), 3);
  const Eigen::MatrixXd found = refined(factor, matrix, right);
  EXPECT_LT((matrix * found - right).norm(), 1e-11 * right.norm());
}

TEST(SupernodalInFloats, FloatsLeaveSomethingToRefine) {
  const SparseMatrix matrix = matrix_of_blocks();
  CholeskyFactor factor(CholeskyPrecision::single);
  ASSERT_TRUE(factor.analyse(matrix, order_of_blocks(matrix)).ok());
  ASSERT_TRUE(factor.factorise(matrix).ok());
  const Eigen::MatrixXd right = test::some_columns(matrix.rows(), 1);
  Eigen::MatrixXd found(right.rows(), 1);
  factor.solve(right.data(), found.data(), 1);
  const double left = (matrix * found - right).norm() / right.norm();
  EXPECT_LT(left, 1e-4);
  EXPECT_GT(left, 1e-9);  // else they were doubles
}

TEST(SupernodalInFloats, WhatFloatsCannotHoldIsKeptInDoubles) {
  const SparseMatrix matrix = 1e60 * matrix_of_blocks();
  CholeskyFactor factor(CholeskyPrecision::single);
  ASSERT_TRUE(factor.analyse(matrix, order_of_blocks(matrix)).ok());
  ASSERT_TRUE(factor.factorise(matrix).ok());
  EXPECT_EQ(factor.precision(), CholeskyPrecision::full);
  const Eigen::MatrixXd right = test::some_columns(matrix.rows(), 1);
  const Eigen::MatrixXd found = refined(factor, matrix, right);
  EXPECT_LT((matrix * found - right).norm(), 1e-11 * right.norm());
}

TEST(SupernodalInFloats, RightHandSidesMayBeOfAnySize) {
  const SparseMatrix matrix = matrix_of_blocks();
  CholeskyFactor factor(CholeskyPrecision::single);
  ASSERT_TRUE(factor.analyse(matrix, {}).ok());
  ASSERT_TRUE(factor.factorise(matrix).ok());
  for (const double size : {0.0, 1e-60, 1e60}) {
    const Eigen::MatrixXd right = size * test::some_columns(matrix.rows(), 2);
    const Eigen::MatrixXd found = refined(factor, matrix, right);
    EXPECT_LE((matrix * found - right).norm(), 1e-11 * right.norm()) << size;
  }
}

TEST_P(Supernodal, ColumnsComeAndGo) {
  ChangingFactor changing(GetParam());
  const SparseMatrix first = constraints(changing.size(), 0, 61);
  const SparseMatrix second = constraints(changing.size(), 3, 9);
  ASSERT_TRUE(changing.change(first, FactorChange::update).ok());
  changing.expect_solutions("61 more");
  ASSERT_TRUE(changing.change(second, FactorChange::update).ok());
  changing.expect_solutions("70 more");
  ASSERT_TRUE(changing.change(first.leftCols(20), FactorChange::downdate).ok());
  changing.expect_solutions("20 less");
  ASSERT_TRUE(changing.change(first.leftCols(7), FactorChange::update).ok());
  ASSERT_TRUE(changing.change(second, FactorChange::downdate).ok());
  changing.expect_solutions("there and back");
}

TEST_P(Supernodal, ColumnsMayBeMoreThanRows) {
  ChangingFactor changing(GetParam());
  const SparseMatrix many = constraints(changing.size(), 1, 700);
  ASSERT_TRUE(changing.change(many, FactorChange::update).ok());
  changing.expect_solutions("700");
  ASSERT_TRUE(changing.change(many.leftCols(150), FactorChange::downdate).ok());
  changing.expect_solutions("150 less");
  ASSERT_TRUE(changing.change(many, FactorChange::update).ok());
  ASSERT_TRUE(changing.change(many, FactorChange::update).ok());
  changing.expect_solutions("2,250 in all");
  ASSERT_TRUE(changing.change(many.rightCols(300), FactorChange::downdate).ok());
  changing.expect_solutions("and 300 less");
}

TEST_P(Supernodal, NothingPositiveDefiniteIsLeft) {
  ChangingFactor changing(GetParam());
  const SparseMatrix too_much = 100 * constraints(changing.size(), 5, 4);
  const Status status = changing.change(too_much, FactorChange::downdate);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::bad_argument);
}

TEST_P(Supernodal, WhatIsNoNumberIsRefused) {
  ChangingFactor changing(GetParam());
  const SparseMatrix huge = 1e200 * constraints(changing.size(), 5, 1);
  EXPECT_FALSE(changing.change(huge, FactorChange::update).ok());
}

TEST_P(Supernodal, StiffColumnsHold) {
  ChangingFactor changing(GetParam());
  ASSERT_TRUE(
      changing.change(1e3 * constraints(changing.size(), 5, 20), FactorChange::update).ok());
  changing.expect_solutions("a million times as stiff as the rest");
}

TEST_P(Supernodal, MatrixThatIsCutIntoPiecesAndStripsIsSolved) {
  const SparseMatrix matrix = matrix_of_blocks({100, 160, 0.2, 2});
  CholeskyFactor factor(GetParam());
  ASSERT_TRUE(factor.analyse(matrix, order_of_blocks(matrix)).ok());
  ASSERT_TRUE(factor.factorise(matrix).ok());
  const Eigen::MatrixXd right = test::some_columns(matrix.rows(), 1);
  const Eigen::MatrixXd found = refined(factor, matrix, right);
  EXPECT_LT((matrix * found - right).norm(), 1e-11 * right.norm());
}

TEST_P(Supernodal, SameBitsForOneAndTwoThreads) {
  // Large enough for pieces side by side, and for supernodes that are cut into strips.
  const SparseMatrix matrix = matrix_of_blocks({100, 160, 0.2, 2});
  const auto solve = [&](int threads) {
    const ThreadLimit limit(threads);
    CholeskyFactor factor(GetParam());
    EXPECT_TRUE(factor.analyse(matrix, {}).ok());
    EXPECT_TRUE(factor.factorise(matrix).ok());
    EXPECT_TRUE(factor.change(constraints(matrix.rows(), 0, 61), FactorChange::update).ok());
    const Eigen::MatrixXd right = test::some_columns(matrix.rows(), 1);
    Eigen::MatrixXd found(right.rows(), 1);
    factor.solve(right.data(), found.data(), 1);
    return found;
  };
  EXPECT_EQ(solve(1), solve(2));
}

}  // namespace
}  // namespace sinew
