// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/literal_bounded_biharmonic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Cholesky>

namespace sinew::test {
namespace {

/// The sets repeat long before; they move by one ring of points at a time at worst.
constexpr int kMostRounds = 500;
/// A multiplier of this size is rounding, in units of weight.
constexpr double kRounding = 1e-13;

Eigen::VectorXd literal_weight(const Eigen::MatrixXd& q, const std::vector<int>& handle_of_point,
                               int handle) {
  const Eigen::Index size = q.rows();
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(size);
  std::vector<double> held(handle_of_point.size(), -1);  // what a bound says, or -1 for free
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<int> between;
    for (Eigen::Index p = 0; p < size; ++p) {
      const auto point = static_cast<std::size_t>(p);
      const int holder = handle_of_point[point];
      if (holder >= 0)
        weight[p] = holder == handle ? 1 : 0;
      else if (held[point] >= 0)
        weight[p] = held[point];
      else
        between.push_back(static_cast<int>(p));
    }
    weight(between).setZero();
    const Eigen::VectorXd right = -(q * weight)(between);
    const Eigen::VectorXd solved = Eigen::MatrixXd(q(between, between)).llt().solve(right);
    weight(between) = solved;
    const Eigen::VectorXd wish = weight - (q * weight).cwiseQuotient(q.diagonal());
    bool is_settled = true;
    for (Eigen::Index p = 0; p < size; ++p) {
      double& bound = held[static_cast<std::size_t>(p)];
      const double wanted = wish[p] < -kRounding ? 0 : wish[p] > 1 + kRounding ? 1 : -1;
      if (bound != wanted) is_settled = false;
      bound = wanted;
    }
    if (is_settled) break;
  }
  return weight.cwiseMax(0).cwiseMin(1);
}

}  // namespace

Eigen::MatrixXd dense_biharmonic(const BiharmonicLevel& level) {
  const Eigen::MatrixXd stiffness = level.stiffness;
  const Eigen::Map<const Eigen::VectorXd> mass(level.mass.data(), stiffness.rows());
  const Eigen::MatrixXd q = stiffness * mass.cwiseInverse().asDiagonal() * stiffness;
  return q / q.diagonal().mean();
}

Eigen::MatrixXd literal_bounded_biharmonic(const BiharmonicLevel& level, int handle_count) {
  const Eigen::MatrixXd q = dense_biharmonic(level);
  Eigen::MatrixXd weights(q.rows(), handle_count);
  for (int handle = 0; handle < handle_count; ++handle)
    weights.col(handle) = literal_weight(q, level.handle, handle);
  return weights;
}

double dense_residual(const BiharmonicLevel& level, const Eigen::MatrixXd& weights) {
  const Eigen::MatrixXd q = dense_biharmonic(level);
  const Eigen::MatrixXd wish = weights - q.diagonal().cwiseInverse().asDiagonal() * (q * weights);
  double residual = 0;
  for (Eigen::Index p = 0; p < q.rows(); ++p)
    if (level.handle[static_cast<std::size_t>(p)] < 0)
      residual = std::max(
          residual, (weights.row(p) - wish.row(p).cwiseMax(0).cwiseMin(1)).cwiseAbs().maxCoeff());
  return residual;
}

}  // namespace sinew::test
