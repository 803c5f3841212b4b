// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Unknowns of one vertex, as the weights of the bones that reach it.
constexpr int kBlock = 3;

SparseMatrix from(Eigen::Index rows, Eigen::Index columns, const Triplets& entries) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// A grid of vertices with several unknowns each, all of which meet along an edge. Without the
/// edges from one row to the next, two parts remain.
SparseMatrix grid_matrix(int side, int cut_row = -1) {
  Triplets entries;
  const auto add_block = [&](int v, int w, double diagonal, double other) {
    for (int a = 0; a < kBlock; ++a)
      for (int b = 0; b < kBlock; ++b)
        entries.emplace_back(v * kBlock + a, w * kBlock + b, a == b ? diagonal : other);
  };
  const auto add_edge = [&](int v, int w) {
    for (const int end : {v, w}) add_block(end, end, 1, 0.3);
    add_block(v, w, -1, -0.3);
    add_block(w, v, -1, -0.3);
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int v = y * side + x;
      add_block(v, v, 0.05, 0.01);
      if (x + 1 < side) add_edge(v, v + 1);
      if (y + 1 < side && y != cut_row) add_edge(v, v + side);
    }
  const int size = side * side * kBlock;
  return from(size, size, entries);
}

Eigen::MatrixXd product(const SparseMatrix& columns) {
  return Eigen::MatrixXd(columns) * Eigen::MatrixXd(columns).transpose();
}

Eigen::MatrixXd right_hand_sides(Eigen::Index rows) {
  Random random(3);
  return Eigen::MatrixXd::NullaryExpr(rows, 4, [&] { return random.normal(); });
}

double error_against(const SparseCholesky& factor, const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd right = right_hand_sides(matrix.rows());
  const Eigen::MatrixXd expected = matrix.llt().solve(right);
  return (factor.solve(right) - expected).norm() / expected.norm();
}

/// The kinds of columns that a change may bring.
SparseMatrix one_entry(Eigen::Index rows, Random& random) {
  return from(
      rows, 1,
      {{static_cast<int>(random.uniform(0, static_cast<double>(rows))), 0, random.uniform(-3, 3)}});
}

SparseMatrix one_block(Eigen::Index rows, Random& random) {
  const int vertex = static_cast<int>(random.uniform(0, static_cast<double>(rows / kBlock)));
  Triplets entries;
  for (int a = 0; a < kBlock; ++a) entries.emplace_back(vertex * kBlock + a, 0, -1);
  return from(rows, 1, entries);
}

SparseMatrix anywhere(Eigen::Index rows, Random& random) {
  Triplets entries;
  for (int entry = 0; entry < 4; ++entry)
    entries.emplace_back(static_cast<int>(random.uniform(0, static_cast<double>(rows))), 0,
                         random.uniform(-1, 1));
  return from(rows, 1, entries);
}

SparseMatrix many_columns(Eigen::Index rows, Random& random) {
  Triplets entries;
  for (int column = 0; column < 21; ++column)
    for (int entry = 0; entry < 1 + column % 3; ++entry)
      entries.emplace_back(static_cast<int>(random.uniform(0, static_cast<double>(rows))), column,
                           random.uniform(0.5, 1));
  return from(rows, 21, entries);
}

SparseMatrix same_column_twice(Eigen::Index rows, Random& random) {
  const SparseMatrix once = anywhere(rows, random);
  Triplets entries;
  for (SparseMatrix::InnerIterator entry(once, 0); entry; ++entry)
    for (const int column : {0, 1})
      entries.emplace_back(static_cast<int>(entry.row()), column, entry.value());
  return from(rows, 2, entries);
}

SparseMatrix every_row(Eigen::Index rows, Random& random) {
  Triplets entries;
  for (int row = 0; row < rows; ++row) entries.emplace_back(row, 0, random.normal());
  return from(rows, 1, entries);
}

struct ColumnKind {
  std::string name;
  SparseMatrix (*make)(Eigen::Index rows, Random& random);
};

const std::vector<ColumnKind> kColumnKinds = {
    {"one entry", one_entry},       {"one block", one_block},     {"anywhere", anywhere},
    {"many columns", many_columns}, {"twice", same_column_twice}, {"every row", every_row},
};

SparseCholesky factor(const SparseMatrix& matrix) { return *SparseCholesky::factor(matrix); }

TEST(SparseCholeskyUpdate, UpdatedFactorSolvesTheSum) {
  const SparseMatrix matrix = grid_matrix(9);
  Random random(1);
  for (const ColumnKind& kind : kColumnKinds)
    for (int repetition = 0; repetition < 5; ++repetition) {
      const SparseMatrix columns = kind.make(matrix.rows(), random);
      SparseCholesky factored = factor(matrix);
      ASSERT_TRUE(factored.update(columns).ok());
      EXPECT_LT(error_against(factored, Eigen::MatrixXd(matrix) + product(columns)), 1e-10)
          << kind.name;
    }
}

TEST(SparseCholeskyUpdate, DowndatedFactorSolvesTheDifference) {
  const SparseMatrix matrix = grid_matrix(9);
  Random random(2);
  for (const ColumnKind& kind : kColumnKinds)
    for (int repetition = 0; repetition < 5; ++repetition) {
      // So small that the difference is positive definite for certain: the least eigenvalue of the
      // matrix is at least 0.04.
      SparseMatrix columns = kind.make(matrix.rows(), random);
      columns *= 0.15 / columns.norm();
      SparseCholesky factored = factor(matrix);
      ASSERT_TRUE(factored.downdate(columns).ok()) << kind.name;
      EXPECT_LT(error_against(factored, Eigen::MatrixXd(matrix) - product(columns)), 1e-10)
          << kind.name;
    }
}

TEST(SparseCholeskyUpdate, UpdateFollowedByItsDowndateRestoresTheSolutions) {
  const SparseMatrix matrix = grid_matrix(9);
  const Eigen::MatrixXd right = right_hand_sides(matrix.rows());
  Random random(4);
  for (const ColumnKind& kind : kColumnKinds) {
    const SparseMatrix columns = kind.make(matrix.rows(), random);
    SparseCholesky factored = factor(matrix);
    const Eigen::MatrixXd before = factored.solve(right);
    ASSERT_TRUE(factored.update(columns).ok());
    EXPECT_GT((factored.solve(right) - before).norm(), 1e-6 * before.norm()) << kind.name;
    ASSERT_TRUE(factored.downdate(columns).ok());
    EXPECT_LT((factored.solve(right) - before).norm(), 1e-10 * before.norm()) << kind.name;
  }
}

TEST(SparseCholeskyUpdate, FiftyRandomChangesSolveAsAFreshFactorDoes) {
  const SparseMatrix matrix = grid_matrix(8);
  Random random(5);
  SparseCholesky factored = factor(matrix);
  Eigen::MatrixXd changed = matrix;
  std::deque<SparseMatrix> present;
  for (int step = 0; step < 50; ++step) {
    const auto kind = static_cast<std::size_t>(random.uniform(0, 5));  // all but the dense one
    if (present.size() > 6 || (!present.empty() && random.uniform() < 0.4)) {
      ASSERT_TRUE(factored.downdate(present.front()).ok()) << step;
      changed -= product(present.front());
      present.pop_front();
    } else {
      present.push_back(kColumnKinds[kind].make(matrix.rows(), random));
      ASSERT_TRUE(factored.update(present.back()).ok()) << step;
      changed += product(present.back());
    }
    ASSERT_LT(error_against(factored, changed), 1e-9) << step;
  }
}

TEST(SparseCholeskyUpdate, ColumnThatJoinsTwoPartsOfADisconnectedMatrix) {
  const SparseMatrix matrix = grid_matrix(8, 4);
  const auto last = static_cast<int>(matrix.rows()) - 1;
  const SparseMatrix bridge = from(matrix.rows(), 1, {{1, 0, 1.0}, {last, 0, -1.0}});
  SparseCholesky factored = factor(matrix);
  EXPECT_LT(error_against(factored, matrix), 1e-10);
  ASSERT_TRUE(factored.update(bridge).ok());
  EXPECT_LT(error_against(factored, Eigen::MatrixXd(matrix) + product(bridge)), 1e-10);
  ASSERT_TRUE(factored.downdate(bridge).ok());
  EXPECT_LT(error_against(factored, matrix), 1e-10);
}

TEST(SparseCholeskyUpdate, ColumnsFillADiagonalMatrix) {
  SparseMatrix matrix(40, 40);
  matrix.setIdentity();
  Random random(6);
  SparseCholesky factored = factor(matrix);
  Eigen::MatrixXd changed = matrix;
  for (int step = 0; step < 60; ++step) {
    const SparseMatrix columns = anywhere(matrix.rows(), random);
    ASSERT_TRUE(factored.update(columns).ok());
    changed += product(columns);
    ASSERT_LT(error_against(factored, changed), 1e-10) << step;
  }
}

TEST(SparseCholeskyUpdate, MatrixOfOneEntry) {
  SparseCholesky factored = factor(from(1, 1, {{0, 0, 4}}));
  const Eigen::MatrixXd one = Eigen::MatrixXd::Ones(1, 1);
  ASSERT_TRUE(factored.update(from(1, 2, {{0, 0, 2}, {0, 1, 3}})).ok());
  EXPECT_NEAR(factored.solve(one)(0, 0), 1.0 / 17, 1e-15);
  ASSERT_TRUE(factored.downdate(from(1, 1, {{0, 0, 4}})).ok());
  EXPECT_NEAR(factored.solve(one)(0, 0), 1, 1e-14);
  EXPECT_FALSE(factored.downdate(from(1, 1, {{0, 0, 1}})).ok());
}

TEST(SparseCholeskyUpdate, ColumnsWithoutEntriesChangeNothing) {
  const SparseMatrix matrix = grid_matrix(5);
  const Eigen::MatrixXd right = right_hand_sides(matrix.rows());
  SparseCholesky factored = factor(matrix);
  const Eigen::MatrixXd before = factored.solve(right);
  for (const SparseMatrix& columns :
       {SparseMatrix(matrix.rows(), 0), SparseMatrix(matrix.rows(), 3),
        from(matrix.rows(), 2, {{4, 1, 0.0}})}) {
    ASSERT_TRUE(factored.update(columns).ok());
    ASSERT_TRUE(factored.downdate(columns).ok());
    EXPECT_EQ(factored.solve(right), before);
  }
}

TEST(SparseCholeskyUpdate, DowndateToAnIndefiniteMatrixLosesTheFactorUntilTheNextFactorisation) {
  const SparseMatrix matrix = grid_matrix(6);
  for (const double size : {3.0, std::sqrt(matrix.coeff(20, 20))}) {
    SparseCholesky factored = factor(matrix);
    const Status status = factored.downdate(from(matrix.rows(), 1, {{20, 0, size}}));
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::bad_argument);
    EXPECT_NE(status.error().message.find("positive definite"), std::string::npos);
    EXPECT_FALSE(factored.is_factorised());
    ASSERT_TRUE(factored.factorise(matrix).ok());
    EXPECT_LT(error_against(factored, matrix), 1e-10);
  }
}

TEST(SparseCholeskyUpdate, DowndateThatLeavesNothingButRoundingIsRefused) {
  // Without its only support the grid's Laplacian is singular.
  SparseMatrix matrix = grid_matrix(6);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    matrix.coeffRef(i, i) -= 0.05;
    for (Eigen::Index j = i - i % kBlock; j < i - i % kBlock + kBlock; ++j)
      if (j != i) matrix.coeffRef(i, j) -= 0.01;
  }
  Triplets entries;
  for (int a = 0; a < kBlock; ++a) entries.emplace_back(a, a, 1);
  const SparseMatrix support = from(matrix.rows(), kBlock, entries);
  for (int a = 0; a < kBlock; ++a) matrix.coeffRef(a, a) += 1;
  SparseCholesky factored = factor(matrix);
  EXPECT_FALSE(factored.downdate(support).ok());
}

TEST(SparseCholeskyUpdate, BadColumnsAreRefusedAndLeaveTheFactorAsItWas) {
  const SparseMatrix matrix = grid_matrix(5);
  const Eigen::MatrixXd right = right_hand_sides(matrix.rows());
  SparseCholesky factored = factor(matrix);
  const Eigen::MatrixXd before = factored.solve(right);
  const SparseMatrix too_long = from(matrix.rows() + 1, 1, {{0, 0, 1}});
  const SparseMatrix broken =
      from(matrix.rows(), 1, {{0, 0, std::numeric_limits<double>::infinity()}});
  for (const SparseMatrix& columns : {too_long, broken}) {
    EXPECT_EQ(factored.update(columns).error().code, ErrorCode::bad_argument);
    EXPECT_EQ(factored.downdate(columns).error().code, ErrorCode::bad_argument);
    ASSERT_TRUE(factored.is_factorised());
    EXPECT_EQ(factored.solve(right), before);
  }
}

TEST(SparseCholeskyUpdate, UpdateBeyondTheRangeOfNumbersIsRefused) {
  SparseCholesky factored = factor(grid_matrix(5));
  EXPECT_FALSE(factored.update(from(75, 1, {{3, 0, 1e200}})).ok());
  EXPECT_FALSE(factored.is_factorised());
}

TEST(SparseCholeskyUpdate, FewColumnsAreWorthUpdatingAndAThousandAreNot) {
  const SparseCholesky factored = factor(grid_matrix(40));
  EXPECT_FALSE(factored.prefers_refactorisation(0));
  EXPECT_FALSE(factored.prefers_refactorisation(2));
  EXPECT_TRUE(factored.prefers_refactorisation(4800));
}

}  // namespace
}  // namespace sinew
