// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "math/factor_change.h"
#include "math/supernodal_factor.h"
#include "math/supernode_analysis.h"

namespace sinew {

/// What decides between updating a factor and making a new one.
struct FactorCost {
  double entries_per_update = 0;  // of L from a column up to the root, mean over all columns
  double entries = 0;             // of L
  double products = 0;            // of the factorisation: the sum of squared column counts

  static FactorCost of(const SupernodeStructure& structure);
};

/// A factor with the analysis that it was made by. SparseCholesky checks arguments, and calls
/// nothing but analyse() and factorise() after a failure.
class CholeskyFactor {
 public:
  explicit CholeskyFactor(CholeskyPrecision precision) : wanted_precision_(precision) {}

  /// In the given order, or for an empty one in the best that is found.
  [[nodiscard]] Status analyse(const SparseMatrix& matrix, std::span<const int> order);
  [[nodiscard]] Status factorise(const SparseMatrix& matrix);
  [[nodiscard]] Status change(const SparseMatrix& columns, FactorChange change);
  /// Dense columns, one after the other. Called from several threads.
  void solve(const double* right, double* solution, int column_count) const {
    supernodes_->solve(right, solution, column_count);
  }
  /// The pivots of the LDLᵀ, in the factor's ordering, without what came or went since.
  [[nodiscard]] std::vector<double> pivots() const { return supernodes_->pivots(); }
  /// Estimates: of a new factor, and of so many more columns for this one.
  [[nodiscard]] double factorise_ns() const;
  [[nodiscard]] double update_ns(Eigen::Index columns) const;
  [[nodiscard]] const FactorCost& cost() const { return cost_; }
  /// Of the last factorisation.
  [[nodiscard]] CholeskyPrecision precision() const { return supernodes_->precision(); }

 private:
  CholeskyPrecision wanted_precision_;
  std::optional<SupernodeAnalysis> analysis_;
  FactorCost cost_;
  std::unique_ptr<SupernodalFactor> supernodes_;
};

}  // namespace sinew
