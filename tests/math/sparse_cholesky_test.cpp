// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/sparse_cholesky.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/geometry/laplacian.h"
#include "support/columns.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::some_columns;
using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMatrix from(Eigen::Index rows, Eigen::Index columns, const Triplets& entries) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseMatrix regular_matrix() {
  SparseMatrix matrix = make_laplacian(test::make_mesh(test::limb_data({16, 40, 0.2, 2})));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix.coeffRef(i, i) += 0.01;
  return matrix;
}

Eigen::MatrixXd dense_solution(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  return matrix.llt().solve(right);
}

double relative_error(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
  return (found - expected).norm() / expected.norm();
}

TEST(SparseCholesky, SolvesInAnyOrderOfElimination) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 3);
  const Eigen::MatrixXd expected = dense_solution(matrix, right);
  const auto found = elimination_order(matrix);
  ASSERT_TRUE(found.ok());
  std::vector<int> backwards(found->rbegin(), found->rend());
  for (const std::vector<int>& order : {*found, backwards}) {
    auto factored = SparseCholesky::factor(matrix, order);
    ASSERT_TRUE(factored.ok());
    EXPECT_LE(relative_error(factored->solve(right), expected), 1e-10);
    ASSERT_TRUE(factored->factorise(2 * matrix, order).ok());
    EXPECT_LE(relative_error(factored->solve(right), expected / 2), 1e-10);
  }
}

/// Products of the factor of a matrix whose rows are eliminated in an order.
double products_of(const SparseMatrix& lower, const std::vector<int>& order) {
  Eigen::PermutationMatrix<Eigen::Dynamic> place(lower.rows());
  for (std::size_t n = 0; n < order.size(); ++n) place.indices()[order[n]] = static_cast<int>(n);
  SparseMatrix permuted(lower.rows(), lower.cols());
  permuted.selfadjointView<Eigen::Lower>() = lower.selfadjointView<Eigen::Lower>().twistedBy(place);
  const Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor(
      permuted);
  const SparseMatrix columns = factor.matrixL();
  double products = 0;
  for (Eigen::Index c = 0; c < columns.cols(); ++c)
    products += std::pow(columns.col(c).nonZeros(), 2);
  return products;
}

TEST(SparseCholesky, OrderOfWhatCostsMoreIsNoWorse) {
  constexpr int kSide = 120;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < kSide * kSide; ++i) {
    entries.emplace_back(i, i, 5);
    if (i % kSide + 1 < kSide) entries.emplace_back(i + 1, i, -1);
    if (i + kSide < kSide * kSide) entries.emplace_back(i + kSide, i, -1);
  }
  SparseMatrix grid(kSide * kSide, kSide * kSide);
  grid.setFromTriplets(entries.begin(), entries.end());
  const auto quick = elimination_order(grid, 0);
  const auto thorough = elimination_order(grid, 1e6);
  ASSERT_TRUE(quick.ok() && thorough.ok());
  EXPECT_LE(products_of(grid, *thorough), products_of(grid, *quick));
  EXPECT_NE(*thorough, *quick);
}

TEST(SparseCholesky, WhatIsNoOrderOfTheRowsIsRefused) {
  const SparseMatrix matrix = from(3, 3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  for (const std::vector<int>& wrong :
       {std::vector{0, 1}, std::vector{0, 1, 1}, std::vector{0, 1, 3}, std::vector{-1, 0, 1}}) {
    const auto factored = SparseCholesky::factor(matrix, wrong);
    ASSERT_FALSE(factored.ok());
    EXPECT_EQ(factored.error().place, "order");
  }
}

TEST(SparseCholesky, SolvesAsADenseFactorisationDoes) {
  const SparseMatrix matrix = regular_matrix();
  for (const Eigen::Index columns : {1, 2, 7, 21}) {
    const Eigen::MatrixXd right = some_columns(matrix.rows(), columns);
    const Result<SparseCholesky> factored = SparseCholesky::factor(matrix);
    ASSERT_TRUE(factored.ok());
    EXPECT_LT(relative_error(factored->solve(right), dense_solution(matrix, right)), 1e-9);
  }
}

TEST(SparseCholesky, OnlyTheLowerTriangleIsRead) {
  const SparseMatrix matrix = regular_matrix();
  const SparseMatrix lower = matrix.triangularView<Eigen::Lower>();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 1);
  EXPECT_EQ(SparseCholesky::factor(lower)->solve(right),
            SparseCholesky::factor(matrix)->solve(right));
}

TEST(SparseCholesky, IndefiniteMatrixIsRefused) {
  SparseMatrix matrix = regular_matrix();
  matrix.coeffRef(3, 3) = -5;
  const Result<SparseCholesky> factored = SparseCholesky::factor(matrix);
  ASSERT_FALSE(factored.ok());
  EXPECT_EQ(factored.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(factored.error().message, "the matrix is not positive definite");
}

TEST(SparseCholesky, MatrixThatIsNotSquareOrNotFiniteIsRefused) {
  SparseMatrix matrix = regular_matrix();
  const Result<SparseCholesky> oblong = SparseCholesky::factor(matrix.leftCols(5));
  ASSERT_FALSE(oblong.ok());
  EXPECT_EQ(oblong.error().message, "the matrix is not square");
  matrix.coeffRef(7, 7) = std::numeric_limits<double>::quiet_NaN();
  const Result<SparseCholesky> broken = SparseCholesky::factor(matrix);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().message, "the matrix has an entry that is not finite");
}

TEST(SparseCholesky, SameBitsForOneAndTwoThreads) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 40);
  const SparseMatrix columns = from(matrix.rows(), 2, {{5, 0, 1.0}, {300, 1, 0.5}, {9, 1, 2.0}});
  Eigen::MatrixXd solved[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    SparseCholesky factored = *SparseCholesky::factor(matrix);
    ASSERT_TRUE(factored.update(columns).ok());
    solved[threads - 1] = factored.solve(right);
  }
  EXPECT_EQ(solved[0], solved[1]);
}

TEST(SparseCholesky, SolvingInParallelGivesTheSameBitsEveryTime) {
  SparseMatrix matrix = make_laplacian(test::make_mesh(test::limb_data({40, 150, 0.2, 2})));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix.coeffRef(i, i) += 0.01;
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 64);
  const SparseCholesky factored = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd expected = factored.solve(right);
  for (int repetition = 0; repetition < 20; ++repetition)
    ASSERT_EQ(factored.solve(right), expected) << repetition;
}

TEST(SparseCholesky, NewValuesInOldPlacesSolveAsAFreshFactorDoes) {
  const SparseMatrix matrix = regular_matrix();
  const SparseMatrix stiffer = 3 * matrix;
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 3);
  SparseCholesky factored = *SparseCholesky::factor(matrix);
  ASSERT_TRUE(factored.update(from(matrix.rows(), 1, {{0, 0, 2}, {400, 0, 2}})).ok());
  ASSERT_TRUE(factored.factorise(stiffer).ok());
  EXPECT_EQ(factored.solve(right), SparseCholesky::factor(stiffer)->solve(right));
}

TEST(SparseCholesky, MatrixWithOtherPlacesOrOfOtherSizeIsAnalysedAnew) {
  SparseMatrix matrix = regular_matrix();
  SparseCholesky factored = *SparseCholesky::factor(matrix);
  matrix.coeffRef(500, 20) = matrix.coeffRef(20, 500) = 0.005;
  Eigen::MatrixXd right = some_columns(matrix.rows(), 3);
  ASSERT_TRUE(factored.factorise(matrix).ok());  // not compressed either
  EXPECT_LT(relative_error(factored.solve(right), dense_solution(matrix, right)), 1e-9);
  const SparseMatrix corner = matrix.block(0, 0, 90, 90);
  ASSERT_TRUE(factored.factorise(corner).ok());
  right = some_columns(90, 3);
  EXPECT_LT(relative_error(factored.solve(right), dense_solution(corner, right)), 1e-9);
}

TEST(SparseCholesky, FailedFactorisationCanBeFollowedByAGoodOne) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 1);
  SparseCholesky factored = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd expected = factored.solve(right);
  ASSERT_FALSE(factored.factorise(-1 * matrix).ok());
  EXPECT_FALSE(factored.is_factorised());
  ASSERT_TRUE(factored.factorise(matrix).ok());
  EXPECT_TRUE(factored.is_factorised());
  EXPECT_EQ(factored.solve(right), expected);
}

TEST(SparseCholesky, MatrixOfOneEntryAndOfNone) {
  const Result<SparseCholesky> one = SparseCholesky::factor(from(1, 1, {{0, 0, 4}}));
  ASSERT_TRUE(one.ok());
  EXPECT_DOUBLE_EQ(one->solve(Eigen::MatrixXd::Ones(1, 1))(0, 0), 0.25);
  const Result<SparseCholesky> none = SparseCholesky::factor(SparseMatrix(0, 0));
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->solve(Eigen::MatrixXd(0, 3)).cols(), 3);
}

TEST(SparseCholesky, MatrixWithoutEntriesIsNotPositiveDefinite) {
  const Result<SparseCholesky> zero = SparseCholesky::factor(SparseMatrix(5, 5));
  ASSERT_FALSE(zero.ok());
  EXPECT_EQ(zero.error().message, "the matrix is not positive definite");
}

TEST(SparseCholesky, PivotRatioBoundsTheReciprocalConditionNumber) {
  const SparseMatrix diagonal = from(3, 3, {{0, 0, 100}, {1, 1, 4}, {2, 2, 0.5}});
  EXPECT_DOUBLE_EQ(SparseCholesky::factor(diagonal)->pivot_ratio(), 0.005);
  SparseMatrix nearly_singular = make_laplacian(test::make_mesh(test::limb_data({8, 9, 0.2, 2})));
  nearly_singular.coeffRef(0, 0) += 1e-12;
  EXPECT_LT(SparseCholesky::factor(nearly_singular)->pivot_ratio(), 1e-11);
}

TEST(SparseCholesky, UpdatedSolvesAsADenseFactorisationOfTheSumDoes) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 9);
  const Eigen::MatrixXd columns =
      from(matrix.rows(), 3, {{5, 0, 9.0}, {300, 1, 0.5}, {9, 1, 2.0}, {77, 2, 1.0}});
  SparseCholesky factored = *SparseCholesky::factor(matrix);
  ASSERT_TRUE(factored.update(columns.sparseView()).ok());
  const Eigen::MatrixXd sum = Eigen::MatrixXd(matrix) + columns * columns.transpose();
  EXPECT_LT(relative_error(factored.solve(right), dense_solution(sum, right)), 1e-10);
}

TEST(SparseCholesky, OneColumnAloneIsSolvedAsBesideOthers) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 8);
  const SparseCholesky factored = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd together = factored.solve(right);
  for (Eigen::Index c = 0; c < right.cols(); ++c)
    EXPECT_LT(relative_error(factored.solve(right.col(c)), together.col(c)), 1e-12);
}

}  // namespace
}  // namespace sinew
