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

#include "math/random.h"

namespace sinew {
namespace {

using matrix_kernels::KernelSet;
using matrix_kernels::Wanted;

template <class Number>
struct Best {
  using Scalar = Number;
  static const KernelSet<Scalar>& kernels() { return matrix_kernels::kernels<Scalar>(); }
};
template <class Number>
struct Narrow {
  using Scalar = Number;
  static const KernelSet<Scalar>& kernels() { return matrix_kernels::narrow_kernels<Scalar>(); }
};
template <class Number>
struct Baseline {
  using Scalar = Number;
  static const KernelSet<Scalar>& kernels() { return matrix_kernels::baseline_kernels<Scalar>(); }
};

template <class Kernels>
class MatrixKernels : public testing::Test {
 protected:
  using Scalar = typename Kernels::Scalar;
  using DenseMatrix = Eigen::MatrixX<Scalar>;
  static constexpr double kEpsilon = std::numeric_limits<Scalar>::epsilon();

  static const KernelSet<Scalar>& kernels() { return Kernels::kernels(); }
  static DenseMatrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
    Random random(seed);
    return DenseMatrix::NullaryExpr(rows, columns,
                                    [&] { return static_cast<Scalar>(2 * random.uniform() - 1); });
  }
  static matrix_kernels::Matrix<Scalar> view(DenseMatrix& matrix) {
    return {matrix.data(), static_cast<std::size_t>(matrix.rows())};
  }
};
using AllKernels = testing::Types<Best<double>, Narrow<double>, Baseline<double>, Best<float>,
                                  Narrow<float>, Baseline<float>>;
TYPED_TEST_SUITE(MatrixKernels, AllKernels);

TYPED_TEST(MatrixKernels, MultiplyAsLiteralSumsDo) {
  using Dense = typename TestFixture::DenseMatrix;
  std::vector<typename TestFixture::Scalar> scratch;
  for (const auto& [rows, columns, depth] :
       {std::array{1, 1, 1}, std::array{12, 4, 3}, std::array{13, 5, 7}, std::array{251, 66, 300},
        std::array{500, 3, 1}, std::array{3, 40, 600}}) {
    Dense a = this->random_matrix(rows, depth, 1);
    Dense b = this->random_matrix(columns, depth, 2);
    Dense c = Dense::Constant(rows, columns, 7);
    TestFixture::kernels().multiply(static_cast<std::size_t>(rows),
                                    static_cast<std::size_t>(columns),
                                    static_cast<std::size_t>(depth), this->view(a), this->view(b),
                                    this->view(c), Wanted::all, scratch);
    EXPECT_LT((c - a * b.transpose()).cwiseAbs().maxCoeff(), 16 * TestFixture::kEpsilon * depth)
        << rows;
  }
}

TYPED_TEST(MatrixKernels, LowerPartIsThatOfTheWholeToTheBit) {
  using Dense = typename TestFixture::DenseMatrix;
  std::vector<typename TestFixture::Scalar> scratch;
  constexpr std::size_t kRows = 90;
  constexpr std::size_t kColumns = 50;
  constexpr std::size_t kDepth = 31;
  Dense a = this->random_matrix(kRows, kDepth, 3);
  Dense whole(kRows, kColumns);
  Dense lower(kRows, kColumns);
  TestFixture::kernels().multiply(kRows, kColumns, kDepth, this->view(a), this->view(a),
                                  this->view(whole), Wanted::all, scratch);
  TestFixture::kernels().multiply(kRows, kColumns, kDepth, this->view(a), this->view(a),
                                  this->view(lower), Wanted::lower, scratch);
  for (Eigen::Index c = 0; c < lower.cols(); ++c)
    for (Eigen::Index r = c; r < lower.rows(); ++r) EXPECT_EQ(lower(r, c), whole(r, c));
  // A strip of it, cut elsewhere than tiles are.
  Dense strip(kRows - 7, 9);
  TestFixture::kernels().multiply(kRows - 7, 9, kDepth, this->view(a).at(7, 0),
                                  this->view(a).at(7, 0), this->view(strip), Wanted::lower,
                                  scratch);
  for (Eigen::Index c = 0; c < strip.cols(); ++c)
    for (Eigen::Index r = c; r < strip.rows(); ++r) EXPECT_EQ(strip(r, c), whole(r + 7, c + 7));
}

TYPED_TEST(MatrixKernels, ProductsAreTakenAsLiteralSumsAre) {
  using Dense = typename TestFixture::DenseMatrix;
  std::vector<typename TestFixture::Scalar> scratch;
  for (const auto& [rows, columns, depth] : {std::array{1, 1, 1}, std::array{33, 9, 7},
                                             std::array{251, 66, 300}, std::array{3, 40, 600}}) {
    Dense a = this->random_matrix(rows, depth, 1);
    Dense b = this->random_matrix(columns, depth, 2);
    const Dense before = this->random_matrix(rows, columns, 3);
    Dense c = before;
    TestFixture::kernels().take_product(static_cast<std::size_t>(rows),
                                        static_cast<std::size_t>(columns),
                                        static_cast<std::size_t>(depth), this->view(a),
                                        this->view(b), this->view(c), Wanted::all, scratch);
    EXPECT_LT((c - (before - a * b.transpose())).cwiseAbs().maxCoeff(),
              16 * TestFixture::kEpsilon * depth)
        << rows;
  }
}

TYPED_TEST(MatrixKernels, WhatIsTakenIsTheSameHoweverItIsCut) {
  using Dense = typename TestFixture::DenseMatrix;
  std::vector<typename TestFixture::Scalar> scratch;
  constexpr std::size_t kRows = 300;
  constexpr std::size_t kColumns = 50;
  constexpr std::size_t kDepth = 290;  // more than is packed at a time
  Dense a = this->random_matrix(kRows, kDepth, 3);
  const Dense before = this->random_matrix(kRows, kColumns, 4);
  Dense whole = before;
  TestFixture::kernels().take_product(kRows, kColumns, kDepth, this->view(a), this->view(a),
                                      this->view(whole), Wanted::lower, scratch);
  Dense strips = before;
  for (const std::size_t first : {0, 100, 207}) {
    const std::size_t end = first == 0 ? 100 : first == 100 ? 207 : kRows;
    TestFixture::kernels().take_product(end - first, kColumns, kDepth, this->view(a).at(first, 0),
                                        this->view(a), this->view(strips).at(first, 0),
                                        first == 0 ? Wanted::lower : Wanted::all, scratch);
  }
  for (Eigen::Index c = 0; c < whole.cols(); ++c)
    for (Eigen::Index r = c; r < whole.rows(); ++r) EXPECT_EQ(strips(r, c), whole(r, c));
}

TYPED_TEST(MatrixKernels, RunsAreTakenFromTheirPlacesAndNothingElseIs) {
  using Vector = Eigen::VectorX<typename TestFixture::Scalar>;
  // Rows 2 to 4, 5 to 39 and 40 alone, at other places each.
  const std::array<matrix_kernels::Run, 3> runs{{{2, 5, 1}, {5, 40, 10}, {40, 41, 60}}};
  for (const std::size_t first : {2, 4, 7, 40}) {
    const Vector from = this->random_matrix(41, 1, 5);
    const Vector before = this->random_matrix(70, 1, 6);
    Vector expected = before;
    for (const matrix_kernels::Run& run : runs)
      for (std::size_t r = std::max(run.begin, first); r < run.end; ++r)
        expected[static_cast<Eigen::Index>(run.place + r - run.begin)] -=
            from[static_cast<Eigen::Index>(r)];
    Vector to = before;
    TestFixture::kernels().take_runs(runs.data(), runs.data() + runs.size(), first,
                                     from.data() + first, to.data());
    EXPECT_EQ(to, expected) << first;
  }
}

TYPED_TEST(MatrixKernels, FactorAndRowsSolveTheMatrix) {
  using Dense = typename TestFixture::DenseMatrix;
  for (const Eigen::Index size : {1, 5, 33, 64}) {
    const Dense half = this->random_matrix(size, size + 3, 4);
    const Dense matrix = half * half.transpose();
    Dense lower = matrix;
    ASSERT_TRUE(
        TestFixture::kernels().factorise(static_cast<std::size_t>(size), this->view(lower)));
    const Dense expected = matrix.llt().matrixL();
    lower = lower.template triangularView<Eigen::Lower>();
    EXPECT_LT((lower - expected).norm(), 4e5 * TestFixture::kEpsilon * expected.norm());
    for (const Eigen::Index rows : {1, 16, 37}) {
      const Dense right = this->random_matrix(rows, size, 5);
      Dense x = right;
      TestFixture::kernels().solve(static_cast<std::size_t>(rows), static_cast<std::size_t>(size),
                                   this->view(lower), this->view(x));
      EXPECT_LT((x * lower.transpose() - right).norm(),
                100 * TestFixture::kEpsilon * x.norm() * lower.norm());
    }
  }
}

TYPED_TEST(MatrixKernels, VectorsAreSolvedForwardsAndBackwards) {
  using Dense = typename TestFixture::DenseMatrix;
  using Vector = Eigen::VectorX<typename TestFixture::Scalar>;
  for (const auto& [size, below] :
       {std::array{1, 0}, std::array{1, 9}, std::array{4, 3}, std::array{7, 16}, std::array{8, 5},
        std::array{13, 40}, std::array{75, 101}}) {
    Dense block = this->random_matrix(size + below, size, 6);
    block.topRows(size).diagonal().array() += 4;  // what is above it is anything
    const Dense lower = block.topRows(size).template triangularView<Eigen::Lower>();
    const Dense under = block.bottomRows(below);
    const Vector right = this->random_matrix(size, 1, 7);
    const auto columns = static_cast<std::size_t>(size);
    const auto rows = static_cast<std::size_t>(below);
    const matrix_kernels::Matrix<const typename TestFixture::Scalar> view{block.data(),
                                                                          columns + rows};
    const double tolerance = 1000 * TestFixture::kEpsilon * (size + below);

    Vector x = right;
    Vector changes = Vector::Constant(below, 7);
    TestFixture::kernels().forward(columns, rows, view, x.data(), changes.data());
    EXPECT_LT((lower * x - right).norm(), tolerance * (x.norm() + 1)) << size;
    EXPECT_LT((under * x - changes).norm(), tolerance * (x.norm() + 1)) << size;

    const Vector known = this->random_matrix(below, 1, 8);
    x = right;
    TestFixture::kernels().backward(columns, rows, view, known.data(), x.data());
    EXPECT_LT((lower.transpose() * x + under.transpose() * known - right).norm(),
              tolerance * (x.norm() + 1))
        << size;
  }
}

TYPED_TEST(MatrixKernels, VectorsSideBySideAreSolvedAsEachAlone) {
  using Dense = typename TestFixture::DenseMatrix;
  using Rows = Eigen::Matrix<typename TestFixture::Scalar, Eigen::Dynamic, kColumnsTogether,
                             Eigen::RowMajor>;
  for (int size = 1; size < 22; ++size) {
    const int below = size % 6 * 3;
    // Rows of the vectors: one of others, those of the matrix's triangle, and two for each below.
    const int first = 1, count = first + size + 2 * below;
    Dense matrix = this->random_matrix(size + below, size, size);
    matrix.diagonal().array() += static_cast<typename TestFixture::Scalar>(2 * size);
    const Dense lower = matrix.topRows(size).template triangularView<Eigen::Lower>();
    const matrix_kernels::Matrix<const typename TestFixture::Scalar> view{
        matrix.data(), static_cast<std::size_t>(size + below)};
    std::vector<int> rows_below;
    for (int r = 0; r < below; ++r) rows_below.push_back(first + size + 2 * r);
    const Rows right = this->random_matrix(count, kColumnsTogether, size + 1);
    const double tolerance = 64 * TestFixture::kEpsilon * (size + below);

    Rows expected = right;
    expected.middleRows(first, size) =
        lower.template triangularView<Eigen::Lower>().solve(right.middleRows(first, size));
    for (int r = 0; r < below; ++r)
      expected.row(rows_below[static_cast<std::size_t>(r)]) -=
          matrix.row(size + r) * expected.middleRows(first, size);
    Rows x = right;
    TestFixture::kernels().forward_together(static_cast<std::size_t>(size), rows_below.size(),
                                            rows_below.data(), view,
                                            x.data() + first * kColumnsTogether, x.data());
    EXPECT_LT((x - expected).norm(), tolerance * expected.norm()) << size;

    expected = right;
    for (int r = 0; r < below; ++r)
      expected.middleRows(first, size) -=
          matrix.row(size + r).transpose() * right.row(rows_below[static_cast<std::size_t>(r)]);
    expected.middleRows(first, size) =
        lower.transpose().template triangularView<Eigen::Upper>().solve(
            Rows(expected.middleRows(first, size)));
    x = right;
    TestFixture::kernels().backward_together(static_cast<std::size_t>(size), rows_below.size(),
                                             rows_below.data(), view,
                                             x.data() + first * kColumnsTogether, x.data());
    EXPECT_LT((x - expected).norm(), tolerance * expected.norm()) << size;
  }
}

TYPED_TEST(MatrixKernels, ProductsWithVectorsAreAdded) {
  using Dense = typename TestFixture::DenseMatrix;
  using Vector = Eigen::VectorX<typename TestFixture::Scalar>;
  for (const auto& [rows, columns] : {std::array{1, 1}, std::array{8, 8}, std::array{13, 9},
                                      std::array{50, 23}, std::array{0, 5}}) {
    const Dense a = this->random_matrix(rows, columns, 9);
    const matrix_kernels::Matrix<const typename TestFixture::Scalar> view{
        a.data(), static_cast<std::size_t>(rows)};
    const Vector x = this->random_matrix(columns, 1, 10);
    const Vector y = this->random_matrix(rows, 1, 11);
    const double tolerance = 16 * TestFixture::kEpsilon * (rows + columns);
    Vector sum = y;
    TestFixture::kernels().add_product(static_cast<std::size_t>(rows),
                                       static_cast<std::size_t>(columns), view, x.data(),
                                       sum.data());
    EXPECT_LT((sum - y - a * x).norm(), tolerance * (1 + sum.norm())) << rows;
    sum = x;
    TestFixture::kernels().add_transposed_product(static_cast<std::size_t>(rows),
                                                  static_cast<std::size_t>(columns), view, y.data(),
                                                  sum.data());
    EXPECT_LT((sum - x - a.transpose() * y).norm(), tolerance * (1 + sum.norm())) << rows;
  }
}

TYPED_TEST(MatrixKernels, ProductsAreTheSameHoweverTheyAreCut) {
  using Dense = typename TestFixture::DenseMatrix;
  using Vector = Eigen::VectorX<typename TestFixture::Scalar>;
  constexpr std::size_t kRows = 70;
  constexpr std::size_t kColumns = 40;
  const Dense a = this->random_matrix(kRows, kColumns, 12);
  const matrix_kernels::Matrix<const typename TestFixture::Scalar> view{a.data(), kRows};
  const Vector x = this->random_matrix(kColumns, 1, 13);
  const Vector y = this->random_matrix(kRows, 1, 14);
  Vector whole = y;
  TestFixture::kernels().add_product(kRows, kColumns, view, x.data(), whole.data());
  Vector cut = y;
  for (std::size_t row = 0; row < kRows; row += 32)
    TestFixture::kernels().add_product(std::min<std::size_t>(32, kRows - row), kColumns,
                                       view.at(row, 0), x.data(), cut.data() + row);
  EXPECT_EQ(whole, cut);
  whole = x;
  TestFixture::kernels().add_transposed_product(kRows, kColumns, view, y.data(), whole.data());
  cut = x;
  for (std::size_t column = 0; column < kColumns; column += 32)
    TestFixture::kernels().add_transposed_product(
        kRows, std::min<std::size_t>(32, kColumns - column), view.at(0, column), y.data(),
        cut.data() + column);
  EXPECT_EQ(whole, cut);
}

TYPED_TEST(MatrixKernels, MatrixThatIsNotPositiveIsRefused) {
  using Dense = typename TestFixture::DenseMatrix;
  for (const double pivot : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    Dense matrix = Dense::Identity(3, 3);
    matrix(1, 1) = static_cast<typename TestFixture::Scalar>(pivot);
    EXPECT_FALSE(TestFixture::kernels().factorise(3, this->view(matrix))) << pivot;
  }
}

}  // namespace
}  // namespace sinew
