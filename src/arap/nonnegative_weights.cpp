// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/nonnegative_weights.h"

#include <algorithm>
#include <utility>

#include <Eigen/Cholesky>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kVerticesGrain = 64;
/// The sum of a vertex's weights below zero: where it is less, the largest are a fair choice.
constexpr double kMildlyBelow = 0.4;
/// Of the mean diagonal entry: bones that move alike make the products singular.
constexpr double kRidgeRel = 1e-9;
/// Of the largest gradient: what pulls less is at rest.
constexpr double kRestRel = 1e-9;

/// The least (u − w)ᵀ K (u − w) with u ≥ 0, Σ u = 1, by changing the set of bones that are above
/// zero one at a time: the one that goes farthest below leaves, the one that is pulled most enters.
class SimplexFit {
 public:
  SimplexFit(const Eigen::MatrixXd& products, Eigen::VectorXd wanted)
      : products_(products), wanted_(std::move(wanted)), pull_(products * wanted_) {}

  Eigen::VectorXd run() {
    const Eigen::Index count = wanted_.size();
    for (Eigen::Index j = 0; j < count; ++j)
      if (wanted_[j] > 0) above_.push_back(j);
    // Each set is left for a better one; the limit is for those that rounding keeps apart.
    for (Eigen::Index change = 0; change < 4 * count; ++change) {
      solve();
      const auto lowest = std::ranges::min_element(
          above_, [&](Eigen::Index a, Eigen::Index b) { return fit_[a] < fit_[b]; });
      if (fit_[*lowest] < 0) {
        above_.erase(lowest);
        continue;
      }
      const Eigen::VectorXd gradient = products_ * fit_ - pull_;
      const double level = gradient[above_.front()];
      Eigen::Index enters = -1;
      double strongest = kRestRel * pull_.cwiseAbs().maxCoeff();
      for (Eigen::Index j = 0; j < count; ++j) {
        if (fit_[j] > 0 || std::ranges::find(above_, j) != above_.end()) continue;
        if (level - gradient[j] <= strongest) continue;
        strongest = level - gradient[j];
        enters = j;
      }
      if (enters < 0 || enters == last_entered_) break;
      above_.push_back(enters);
      last_entered_ = enters;
    }
    return fit_.cwiseMax(0) / fit_.cwiseMax(0).sum();
  }

 private:
  /// Fits with the bones that are above zero alone; their multiplier makes the sum one.
  void solve() {
    const Eigen::MatrixXd reduced = products_(above_, above_);
    const Eigen::LLT<Eigen::MatrixXd> factor(reduced);
    const Eigen::VectorXd free = factor.solve(pull_(above_));
    const Eigen::VectorXd shift = factor.solve(Eigen::VectorXd::Ones(free.size()));
    fit_ = Eigen::VectorXd::Zero(wanted_.size());
    fit_(above_) = free + (1 - free.sum()) / shift.sum() * shift;
  }

  const Eigen::MatrixXd& products_;
  const Eigen::VectorXd wanted_;
  Eigen::VectorXd pull_;
  Eigen::VectorXd fit_;
  std::vector<Eigen::Index> above_;
  Eigen::Index last_entered_ = -1;
};

}  // namespace

std::vector<double> nearest_nonnegative(const WeightProblem& problem, const BonePairs& pairs,
                                        const std::vector<double>& weights) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<double> result = weights;
  parallel_for(
      maps.vertex_count(),
      [&](std::size_t i) {
        const auto bones = maps.bones_of(i);
        const auto count = static_cast<Eigen::Index>(bones.size());
        const Eigen::Map<const Eigen::VectorXd> row(weights.data() + maps.begin[i], count);
        if (-row.cwiseMin(0).sum() <= kMildlyBelow) return;
        Eigen::MatrixXd products(count, count);
        for (Eigen::Index a = 0; a < count; ++a)
          for (Eigen::Index b = 0; b <= a; ++b)
            products(a, b) = products(b, a) =
                pairs.product_at(problem, i, bones[static_cast<std::size_t>(a)], i,
                                 bones[static_cast<std::size_t>(b)]);
        products.diagonal().array() += kRidgeRel * products.diagonal().mean();
        Eigen::Map<Eigen::VectorXd>(result.data() + maps.begin[i], count) =
            SimplexFit(products, row).run();
      },
      kVerticesGrain);
  return result;
}

}  // namespace sinew
