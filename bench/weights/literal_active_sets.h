// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/weights/bounded_biharmonic.h"

namespace sinew::bench {

/// The active set method as it is written down: of all free points, from no bounds at all, with a
/// factor of its own in each round, until nothing changes.
class LiteralActiveSets {
 public:
  explicit LiteralActiveSets(const BiharmonicLevel& level) : level_(level) {
    const Eigen::Map<const Eigen::VectorXd> mass(level.mass.data(), level.stiffness.rows());
    const SparseMatrix flows = mass.cwiseInverse().asDiagonal() * level.stiffness;
    q_ = level.stiffness * flows;
    q_ /= q_.diagonal().mean();
  }

  [[nodiscard]] Eigen::VectorXd solve(int handle) const {
    constexpr int kMostRounds = 200;
    constexpr double kRounding = 1e-13;
    const auto size = static_cast<std::size_t>(q_.rows());
    Eigen::VectorXd weight = Eigen::VectorXd::Zero(q_.rows());
    std::vector<int> bound(size, -1);
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<int> between;
      for (std::size_t p = 0; p < size; ++p) {
        const int holder = level_.handle[p];
        const int value = holder >= 0 ? (holder == handle ? 1 : 0) : bound[p];
        weight[static_cast<Eigen::Index>(p)] = std::max(value, 0);
        if (value < 0) between.push_back(static_cast<int>(p));
      }
      solve_between(between, weight);
      const Eigen::VectorXd wish = weight - (q_ * weight).cwiseQuotient(q_.diagonal());
      std::vector<int> next(size, -1);
      for (std::size_t p = 0; p < size; ++p) {
        const double wanted = wish[static_cast<Eigen::Index>(p)];
        if (wanted < -kRounding) next[p] = 0;
        if (wanted > 1 + kRounding) next[p] = 1;
      }
      if (std::exchange(bound, next) == next) break;
    }
    return weight.cwiseMax(0).cwiseMin(1);
  }

  [[nodiscard]] double energy(const Eigen::VectorXd& weight) const {
    return weight.dot(q_ * weight);
  }

 private:
  void solve_between(const std::vector<int>& between, Eigen::VectorXd& weight) const {
    std::vector<int> place(static_cast<std::size_t>(q_.rows()), -1);
    for (std::size_t i = 0; i < between.size(); ++i)
      place[static_cast<std::size_t>(between[i])] = static_cast<int>(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < between.size(); ++i)
      for (SparseMatrix::InnerIterator entry(q_, between[i]); entry; ++entry)
        if (const int row = place[static_cast<std::size_t>(entry.row())]; row >= 0)
          entries.emplace_back(row, static_cast<int>(i), entry.value());
    const auto size = static_cast<Eigen::Index>(between.size());
    SparseMatrix part(size, size);
    part.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd right = -(q_ * weight)(between);
    const Eigen::VectorXd solved = SparseCholesky::factor(part)->solve(right);
    weight(between) = solved;
  }

  const BiharmonicLevel& level_;
  SparseMatrix q_;
};

}  // namespace sinew::bench
