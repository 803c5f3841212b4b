// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/cholesky_factor.h"

#include <cmath>
#include <utility>
#include <vector>

#include "math/elimination_order.h"

namespace sinew {
namespace {

// Nanoseconds on one core of 2020: see docs/decisions/factor.md.
constexpr double kProductNs = 0.05;
constexpr double kEntryNs = 20;
constexpr double kBorderEntryNs = 0.3;
constexpr double kBorderColumnNs = 300;
/// Of a matrix, from which on floats save more than refining takes: docs/decisions/factor.md.
constexpr Eigen::Index kManyEntries = 50'000;

/// Of each new column of the border with all others, along the way to the root that they share,
/// and in the small matrix of all of them.
double border_products(const FactorCost& cost, double before, double added) {
  const double all = before + added;
  const double height = std::sqrt(2 * cost.entries_per_update);
  return added * all * height + added * all * all / 2;
}

}  // namespace

FactorCost FactorCost::of(const SupernodeStructure& structure) {
  FactorCost cost;
  const std::vector<int> supernode_of = supernodes_of_columns(structure);
  const auto columns = static_cast<double>(supernode_of.size());
  std::vector<double> entries_above(structure.count);  // from a supernode's first column on
  for (std::size_t s = structure.count; s-- > 0;) {
    const std::span<const int> below = structure.below(s);
    double& above = entries_above[s];
    if (!below.empty())
      above = entries_above[static_cast<std::size_t>(
          supernode_of[static_cast<std::size_t>(below.front())])];
    auto count = static_cast<double>(below.size());
    for (int j = structure.first_column[s + 1]; j-- > structure.first_column[s];) {
      above += ++count;
      cost.entries_per_update += above / columns;
      cost.entries += count;
      cost.products += count * count;
    }
  }
  return cost;
}

Status CholeskyFactor::analyse(const SparseMatrix& matrix, std::span<const int> order) {
  supernodes_.reset();
  analysis_.reset();
  if (order.empty()) {
    SINEW_TRY(AnalysedOrder best, best_order(matrix, /*products_each=*/1));
    SINEW_TRY(analysis_,
              SupernodeAnalysis::of(RowGroups::of_rows(best.rows), std::move(best.columns)));
  } else {
    const RowGroups groups = RowGroups::of_blocks(matrix, order);
    SINEW_TRY(analysis_,
              SupernodeAnalysis::of(groups, analyse_columns(pattern_of(matrix, groups))));
  }
  cost_ = FactorCost::of(analysis_->structure());
  return {};
}

Status CholeskyFactor::factorise(const SparseMatrix& matrix) {
  supernodes_.reset();
  const auto make = [&](CholeskyPrecision precision) {
    supernodes_ =
        SupernodalFactor::make(precision, analysis_->structure(), analysis_->place_of(), matrix);
  };
  const bool in_floats =
      wanted_precision_ == CholeskyPrecision::single ||
      (wanted_precision_ == CholeskyPrecision::automatic && matrix.nonZeros() > kManyEntries);
  if (in_floats) make(CholeskyPrecision::single);
  if (!supernodes_) make(CholeskyPrecision::full);
  if (!supernodes_) return not_positive_definite();
  return {};
}

Status CholeskyFactor::change(const SparseMatrix& columns, FactorChange change) {
  OrderedColumns ordered = order_columns(columns, analysis_->place_of());
  if (ordered.count() == 0) return {};
  return supernodes_->change({std::move(ordered), change}) ? Status() : factor_lost(change);
}

double CholeskyFactor::factorise_ns() const {
  return kProductNs * cost_.products + kEntryNs * cost_.entries;
}

double CholeskyFactor::update_ns(Eigen::Index columns) const {
  const auto added = static_cast<double>(columns);
  const auto before = static_cast<double>(supernodes_->changed_count());
  return (kBorderEntryNs * cost_.entries_per_update + kBorderColumnNs) * added +
         kProductNs * border_products(cost_, before, added);
}

}  // namespace sinew
