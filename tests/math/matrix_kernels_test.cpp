// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/matrix_kernels.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <gtest/gtest.h>

#include "sinew/math/random.h"

namespace sinew {
namespace {

using matrix_kernels::KernelSet;
using matrix_kernels::Matrix;
using matrix_kernels::Wanted;

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return 2 * random.uniform() - 1; });
}

Matrix view(Eigen::MatrixXd& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.rows())};
}

class MatrixKernels : public testing::TestWithParam<const KernelSet*> {};

TEST_P(MatrixKernels, MultiplyAsLiteralSumsDo) {
  std::vector<double> scratch;
  for (const auto& [rows, columns, depth] :
       {std::array{1, 1, 1}, std::array{12, 4, 3}, std::array{13, 5, 7}, std::array{251, 66, 300},
        std::array{500, 3, 1}, std::array{3, 40, 600}}) {
    Eigen::MatrixXd a = random_matrix(rows, depth, 1);
    Eigen::MatrixXd b = random_matrix(columns, depth, 2);
    Eigen::MatrixXd c = Eigen::MatrixXd::Constant(rows, columns, 7);
    GetParam()->multiply(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                         static_cast<std::size_t>(depth), view(a), view(b), view(c), Wanted::all,
                         scratch);
    EXPECT_LT((c - a * b.transpose()).cwiseAbs().maxCoeff(), 1e-12 * depth) << rows;
  }
}

TEST_P(MatrixKernels, LowerPartIsThatOfTheWholeToTheBit) {
  std::vector<double> scratch;
  constexpr std::size_t kRows = 90;
  constexpr std::size_t kColumns = 50;
  constexpr std::size_t kDepth = 31;
  Eigen::MatrixXd a = random_matrix(kRows, kDepth, 3);
  Eigen::MatrixXd whole(kRows, kColumns);
  Eigen::MatrixXd lower(kRows, kColumns);
  GetParam()->multiply(kRows, kColumns, kDepth, view(a), view(a), view(whole), Wanted::all,
                       scratch);
  GetParam()->multiply(kRows, kColumns, kDepth, view(a), view(a), view(lower), Wanted::lower,
                       scratch);
  for (Eigen::Index c = 0; c < lower.cols(); ++c)
    for (Eigen::Index r = c; r < lower.rows(); ++r) EXPECT_EQ(lower(r, c), whole(r, c));
  // A strip of it, cut elsewhere than tiles are.
  Eigen::MatrixXd strip(kRows - 7, 9);
  GetParam()->multiply(kRows - 7, 9, kDepth, view(a).at(7, 0), view(a).at(7, 0), view(strip),
                       Wanted::lower, scratch);
  for (Eigen::Index c = 0; c < strip.cols(); ++c)
    for (Eigen::Index r = c; r < strip.rows(); ++r) EXPECT_EQ(strip(r, c), whole(r + 7, c + 7));
}

TEST_P(MatrixKernels, FactorAndRowsSolveTheMatrix) {
  for (const Eigen::Index size : {1, 5, 33, 64}) {
    const Eigen::MatrixXd half = random_matrix(size, size + 3, 4);
    const Eigen::MatrixXd matrix = half * half.transpose();
    Eigen::MatrixXd lower = matrix;
    ASSERT_TRUE(GetParam()->factorise(static_cast<std::size_t>(size), view(lower)));
    const Eigen::MatrixXd expected = matrix.llt().matrixL();
    lower = lower.triangularView<Eigen::Lower>();
    EXPECT_LT((lower - expected).norm(), 1e-10 * expected.norm());
    for (const Eigen::Index rows : {1, 16, 37}) {
      const Eigen::MatrixXd right = random_matrix(rows, size, 5);
      Eigen::MatrixXd x = right;
      GetParam()->solve(static_cast<std::size_t>(rows), static_cast<std::size_t>(size), view(lower),
                        view(x));
      EXPECT_LT((x * lower.transpose() - right).norm(), 1e-9 * right.norm());
    }
  }
}

TEST_P(MatrixKernels, MatrixThatIsNotPositiveIsRefused) {
  for (const double pivot : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(3, 3);
    matrix(1, 1) = pivot;
    EXPECT_FALSE(GetParam()->factorise(3, view(matrix))) << pivot;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, MatrixKernels,
                         testing::Values(&matrix_kernels::kernels(),
                                         &matrix_kernels::baseline_kernels()),
                         [](const auto& each) { return each.index == 0 ? "Best" : "Baseline"; });

}  // namespace
}  // namespace sinew
