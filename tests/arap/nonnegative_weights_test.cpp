// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/nonnegative_weights.h"

#include <limits>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

constexpr double kSmoothing = 0.02;

WeightProblem crowded(std::uint64_t seed) {
  return test::random_problem(test::make_mesh(test::limb_data()),
                              {.bones = 6, .most_influences = 6, .seed = seed});
}

/// Weights that sum to one, and reach as far below zero as free ones do in a face.
std::vector<double> unruly(const WeightProblem& problem, double amount) {
  std::vector<double> weights = problem.maps.weights;
  for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i) {
    const std::size_t count = problem.maps.bones_of(i).size();
    for (std::size_t b = 0; b + 1 < count; b += 2) {
      const double shift = amount * (1 + static_cast<double>((i + b) % 3));
      weights[problem.maps.begin[i] + b] -= shift;
      weights[problem.maps.begin[i] + b + 1] += shift;
    }
  }
  return weights;
}

Eigen::MatrixXd products_at(const WeightProblem& problem, const BonePairs& pairs, std::size_t i) {
  const auto bones = problem.maps.bones_of(i);
  Eigen::MatrixXd products(bones.size(), bones.size());
  for (std::size_t a = 0; a < bones.size(); ++a)
    for (std::size_t b = 0; b < bones.size(); ++b)
      products(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
          pairs.product_at(problem, i, bones[a], i, bones[b]);
  return products;
}

/// The least of (u − w)ᵀ K (u − w) over all sets of bones that may be above zero, each solved with
/// its multiplier.
double least_by_trying_all(const Eigen::MatrixXd& products, const Eigen::VectorXd& wanted) {
  const Eigen::Index count = wanted.size();
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < (1U << count); ++set) {
    std::vector<Eigen::Index> above;
    for (Eigen::Index j = 0; j < count; ++j)
      if (set & (1U << j)) above.push_back(j);
    const auto size = static_cast<Eigen::Index>(above.size());
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(size + 1, size + 1);
    system.topLeftCorner(size, size) = products(above, above);
    system.row(size).head(size).setOnes();
    system.col(size).head(size).setOnes();
    Eigen::VectorXd right(size + 1);
    right.head(size) = (products * wanted)(above);
    right[size] = 1;
    Eigen::VectorXd fit = Eigen::VectorXd::Zero(count);
    fit(above) = system.fullPivLu().solve(right).head(size);
    if (fit.minCoeff() < 0) continue;
    least = std::min(least, (fit - wanted).dot(products * (fit - wanted)));
  }
  return least;
}

TEST(NonnegativeWeights, MoveVerticesAsNearlyAsAnySetOfBonesCan) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const WeightProblem problem = crowded(seed);
    const BonePairs pairs(problem, kSmoothing);
    const std::vector<double> weights = unruly(problem, 0.4);
    const std::vector<double> fitted = nearest_nonnegative(problem, pairs, weights);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i) {
      const auto count = static_cast<Eigen::Index>(problem.maps.bones_of(i).size());
      const Eigen::VectorXd wanted =
          Eigen::Map<const Eigen::VectorXd>(weights.data() + problem.maps.begin[i], count);
      const Eigen::VectorXd fit =
          Eigen::Map<const Eigen::VectorXd>(fitted.data() + problem.maps.begin[i], count);
      if (fit == wanted) continue;
      ++changed;
      EXPECT_GE(fit.minCoeff(), 0) << "vertex " << i;
      EXPECT_NEAR(fit.sum(), 1, 1e-12) << "vertex " << i;
      const Eigen::MatrixXd products = products_at(problem, pairs, i);
      const double least = least_by_trying_all(products, wanted);
      EXPECT_NEAR((fit - wanted).dot(products * (fit - wanted)), least, 1e-6 * least + 1e-12)
          << "vertex " << i << ", seed " << seed;
    }
    EXPECT_GT(changed, problem.maps.vertex_count() / 2);
  }
}

TEST(NonnegativeWeights, RowsWithLittleBelowZeroStayToTheBit) {
  const WeightProblem problem = crowded(4);
  const BonePairs pairs(problem, kSmoothing);
  EXPECT_EQ(nearest_nonnegative(problem, pairs, problem.maps.weights), problem.maps.weights);
  const std::vector<double> mild = unruly(problem, 0.03);
  EXPECT_EQ(nearest_nonnegative(problem, pairs, mild), mild);
}

TEST(NonnegativeWeights, SameBitsForAnyNumberOfThreads) {
  const WeightProblem problem = crowded(5);
  const BonePairs pairs(problem, kSmoothing);
  const std::vector<double> weights = unruly(problem, 0.5);
  std::vector<double> alone;
  {
    const ThreadLimit one(1);
    alone = nearest_nonnegative(problem, pairs, weights);
  }
  EXPECT_EQ(nearest_nonnegative(problem, pairs, weights), alone);
}

}  // namespace
}  // namespace sinew
