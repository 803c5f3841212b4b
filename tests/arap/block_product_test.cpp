// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/block_product.h"

#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

/// A vertex of so many unknowns, which come first, and others below it.
struct Star {
  std::vector<int> sizes;  // unknowns of the vertex itself, then of those that it meets
  std::vector<int> rows;
  std::vector<int> block_end;
  Eigen::MatrixXd entries;  // one column per unknown of the vertex
  Eigen::VectorXd x;

  explicit Star(std::vector<int> given) : sizes(std::move(given)) {
    int first = 0;
    for (const int size : sizes) {
      for (int q = 0; q < size; ++q) {
        if (first > 0) rows.push_back(first + q);
        block_end.push_back(first + size);
      }
      first += size;
    }
    Random random(5);
    const auto any = [&] { return random.uniform(-1, 1); };
    entries =
        Eigen::MatrixXd::NullaryExpr(static_cast<Eigen::Index>(rows.size()), sizes.front(), any);
    x = Eigen::VectorXd::NullaryExpr(first, any);
  }

  template <class Add>
  [[nodiscard]] Eigen::VectorXd sums(const Add& add, Eigen::Index base = 0) const {
    std::vector<const double*> columns;
    for (Eigen::Index c = 0; c < entries.cols(); ++c) columns.push_back(entries.col(c).data());
    // As if there were other unknowns before all of these.
    std::vector<int> shifted_rows = rows;
    for (int& row : shifted_rows) row += static_cast<int>(base);
    std::vector<int> shifted_end(static_cast<std::size_t>(base), 0);
    for (const int end : block_end) shifted_end.push_back(end + static_cast<int>(base));
    Eigen::VectorXd shifted_x = Eigen::VectorXd::Constant(base + x.size(), 99);
    shifted_x.tail(x.size()) = x;
    Eigen::VectorXd sums = Eigen::VectorXd::Constant(x.size(), 2);
    add({.first = static_cast<std::size_t>(base),
         .size = columns.size(),
         .columns = columns.data(),
         .rows = shifted_rows.data(),
         .below = rows.size(),
         .block_end = shifted_end.data()},
        shifted_x.data(), static_cast<std::size_t>(base), sums.data());
    return sums;
  }
};

const std::vector<std::vector<int>> kStars{{1},       {1, 1},       {2, 3},    {3, 8, 8},
                                           {4, 5, 1}, {7, 7, 3, 9}, {8, 8, 8}, {11, 12, 4, 1, 6}};

TEST(BlockProduct, AddsWhatTheDenseMatrixAndItsTransposeDo) {
  for (const std::vector<int>& sizes : kStars) {
    const Star star(sizes);
    const Eigen::Index own = star.entries.cols();
    const Eigen::Index below = star.entries.rows();
    Eigen::VectorXd expected = Eigen::VectorXd::Constant(star.x.size(), 2);
    expected.head(own) += star.entries.transpose() * star.x.tail(below);
    expected.tail(below) += star.entries * star.x.head(own);
    EXPECT_LT((star.sums(block_product::add) - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(BlockProduct, AllProcessorsGiveTheSameBits) {
  for (const std::vector<int>& sizes : kStars) {
    const Star star(sizes);
    EXPECT_EQ(star.sums(block_product::add), star.sums(block_product::add_baseline));
  }
}

TEST(BlockProduct, SumsBeginAtAnyUnknown) {
  for (const std::vector<int>& sizes : kStars) {
    const Star star(sizes);
    EXPECT_EQ(star.sums(block_product::add, 17), star.sums(block_product::add));
  }
}

}  // namespace
}  // namespace sinew
