// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/sparse_cholesky.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/prepare/laplacian.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

SparseMatrix regular_matrix() {
  SparseMatrix matrix = make_laplacian(test::make_mesh(test::limb_data({16, 40, 0.2, 2})));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix.coeffRef(i, i) += 0.01;
  return matrix;
}

Eigen::MatrixXd some_columns(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index c = 0; c < columns; ++c)
    for (Eigen::Index r = 0; r < rows; ++r)
      matrix(r, c) = std::sin(0.7 * static_cast<double>(r) + 1.3 * static_cast<double>(c));
  return matrix;
}

TEST(SparseCholesky, SolvesAsADenseFactorisationDoes) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 21);
  const Result<SparseCholesky> factor = SparseCholesky::factor(matrix);
  ASSERT_TRUE(factor.ok());
  const Eigen::MatrixXd expected = Eigen::MatrixXd(matrix).llt().solve(right);
  EXPECT_LT((factor->solve(right) - expected).norm(), 1e-9 * expected.norm());
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
  const Result<SparseCholesky> factor = SparseCholesky::factor(matrix);
  ASSERT_FALSE(factor.ok());
  EXPECT_EQ(factor.error().code, ErrorCode::bad_argument);
}

TEST(SparseCholesky, SameBitsForOneAndTwoThreads) {
  const SparseMatrix matrix = regular_matrix();
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 40);
  Eigen::MatrixXd solved[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    solved[threads - 1] = SparseCholesky::factor(matrix)->solve(right);
  }
  EXPECT_EQ(solved[0], solved[1]);
}

TEST(SparseCholesky, SolvingInParallelGivesTheSameBitsEveryTime) {
  SparseMatrix matrix = make_laplacian(test::make_mesh(test::limb_data({40, 150, 0.2, 2})));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) matrix.coeffRef(i, i) += 0.01;
  const Eigen::MatrixXd right = some_columns(matrix.rows(), 64);
  const SparseCholesky factor = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd expected = factor.solve(right);
  for (int repetition = 0; repetition < 20; ++repetition)
    ASSERT_EQ(factor.solve(right), expected) << repetition;
}

}  // namespace
}  // namespace sinew
