// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/embedding.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/columns.h"
#include "support/made_elements.h"

namespace sinew {
namespace {

using test::field_with_gradient;

/// Some points on a face of every tetrahedron, and where they are. The corners of each are in an
/// order of its own.
struct Scattered {
  Elements elements = test::uneven_tetrahedra();
  Embedding embedding;
  std::vector<Vec3> points;

  explicit Scattered(int of_each = 3) {
    embedding.begin.push_back(0);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (int sample = 0; sample < of_each; ++sample)
        add(e, static_cast<double>(points.size() + 1));
  }

  void add(std::size_t element, double sample) {
    std::array<double, 4> share{std::abs(std::sin(sample)), std::abs(std::cos(3 * sample)), 0,
                                std::abs(std::sin(7 * sample + 1))};
    const double sum = share[0] + share[1] + share[3];
    Vec3 point = Vec3::Zero();
    const auto corners = elements.corners_of(element);
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t at = (c + points.size()) % 4;
      embedding.corner.push_back(corners[at]);
      embedding.coefficient.push_back(share[c] / sum);
      point += share[c] / sum * elements.points[corners[at]];
    }
    embedding.begin.push_back(embedding.corner.size());
    embedding.element.push_back(static_cast<std::uint32_t>(element));
    points.push_back(point);
  }
};

TEST(Embedding, LinearFieldsAreWhatTheyAreAtTheEmbeddedPoints) {
  const Scattered scattered;
  const Vec3 gradient(3, -2, 0.5);
  const Eigen::MatrixXd values =
      at_embedded(scattered.embedding, field_with_gradient(scattered.elements, gradient));
  ASSERT_EQ(values.rows(), static_cast<Eigen::Index>(scattered.points.size()));
  Elements embedded;
  embedded.points = scattered.points;
  EXPECT_LT((values - field_with_gradient(embedded, gradient)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Embedding, ValuesStayBetweenThoseOfTheirElement) {
  const Scattered scattered;
  const auto count = static_cast<Eigen::Index>(scattered.elements.points.size());
  const Eigen::MatrixXd fields = test::some_columns(count, 4);
  const Eigen::MatrixXd values = at_embedded(scattered.embedding, fields);
  for (std::size_t p = 0; p < scattered.points.size(); ++p)
    for (Eigen::Index field = 0; field < fields.cols(); ++field) {
      double least = 1e9, greatest = -1e9;
      for (const ElementPoint corner :
           scattered.elements.corners_of(scattered.embedding.element[p])) {
        least = std::min(least, fields(corner, field));
        greatest = std::max(greatest, fields(corner, field));
      }
      const double value = values(static_cast<Eigen::Index>(p), field);
      EXPECT_GE(value, least - 1e-15);
      EXPECT_LE(value, greatest + 1e-15);
    }
}

TEST(Embedding, MatrixDoesTheSame) {
  const Scattered scattered;
  const std::size_t count = scattered.elements.points.size();
  const auto matrix = matrix_of(scattered.embedding, count);
  ASSERT_EQ(matrix.rows(), static_cast<Eigen::Index>(scattered.points.size()));
  ASSERT_EQ(matrix.cols(), static_cast<Eigen::Index>(count));
  const Eigen::MatrixXd fields = test::some_columns(matrix.cols(), 5);
  EXPECT_LT((matrix * fields - at_embedded(scattered.embedding, fields)).norm(), 1e-13);
}

TEST(Embedding, RowsOfTheMatrixSumToOneInTheOrderOfTheirColumnsWithoutZeros) {
  const Scattered scattered;
  const auto matrix = matrix_of(scattered.embedding, scattered.elements.points.size());
  EXPECT_TRUE(matrix.isCompressed());
  EXPECT_EQ(matrix.nonZeros(), 3 * matrix.rows()) << "one of four coefficients is zero";
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    double sum = 0;
    Eigen::Index last = -1;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(matrix, row); entry;
         ++entry) {
      EXPECT_GT(entry.col(), last);
      EXPECT_GT(entry.value(), 0);
      last = entry.col();
      sum += entry.value();
    }
    EXPECT_NEAR(sum, 1, 1e-15);
  }
}

TEST(Embedding, NumberOfThreadsChangesNoBit) {
  const Scattered scattered(20);
  const Eigen::MatrixXd fields =
      test::some_columns(static_cast<Eigen::Index>(scattered.elements.points.size()), 3);
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return at_embedded(scattered.embedding, fields);
  };
  EXPECT_TRUE(with_threads(1) == with_threads(2));
}

TEST(Embedding, OfNoPointsIsEmpty) {
  EXPECT_EQ(at_embedded({}, Eigen::MatrixXd::Ones(4, 2)).rows(), 0);
  EXPECT_EQ(at_embedded({}, Eigen::MatrixXd::Ones(4, 2)).cols(), 2);
  const auto matrix = matrix_of({}, 4);
  EXPECT_EQ(matrix.rows(), 0);
  EXPECT_EQ(matrix.cols(), 4);
}

}  // namespace
}  // namespace sinew
