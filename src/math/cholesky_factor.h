// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// A pivot that keeps less of itself in a downdate is refused: what remains has no more than three
/// digits that are not rounding. Relative to the pivot before.
inline constexpr double kLeastPivotKeptRel = 1e-13;

/// Whether columns are added to the matrix or taken away.
enum class FactorChange { update, downdate };

/// Sparse columns in the factor's own ordering: rows ascend, no entry is zero, no column is empty.
struct OrderedColumns {
  std::vector<int> offsets{0};
  std::vector<int> rows;
  std::vector<double> values;

  [[nodiscard]] int count() const { return static_cast<int>(offsets.size()) - 1; }
  [[nodiscard]] std::span<const int> rows_of(int column) const;
  [[nodiscard]] std::span<const double> values_of(int column) const;
};

/// place_of[i] is where the ordering puts row i.
[[nodiscard]] OrderedColumns order_columns(const SparseMatrix& columns,
                                           std::span<const int> place_of);

/// Columns that come or go.
struct ColumnChange {
  OrderedColumns columns;
  FactorChange direction = FactorChange::update;
};

/// What decides between updating a factor and making a new one.
struct FactorCost {
  double entries_per_update = 0;  // of L from a column up to the root, mean over all columns
  double entries = 0;             // of L
  double products = 0;            // of the factorisation: the sum of squared column counts
};

/// parents[j] is the first row below the diagonal in column j of L, or -1; counts[j] is the number
/// of entries of that column with its diagonal.
[[nodiscard]] FactorCost estimate_cost(std::span<const int> parents, std::span<const int> counts);

/// What one backend does. SparseCholesky checks arguments, and calls nothing but analyse() and
/// factorise() after a failure.
class CholeskyFactor {
 public:
  virtual ~CholeskyFactor() = default;
  /// In the given order, or for an empty one in the best that is found.
  [[nodiscard]] virtual Status analyse(const SparseMatrix& matrix, std::span<const int> order) = 0;
  [[nodiscard]] virtual Status factorise(const SparseMatrix& matrix) = 0;
  [[nodiscard]] virtual Status change(const SparseMatrix& columns, FactorChange change) = 0;
  /// Dense columns, one after the other. Called from several threads.
  virtual void solve(const double* right, double* solution, int column_count) const = 0;
  /// The pivots of the LDLᵀ, in the factor's ordering; of columns that came or went since, what the
  /// backend knows.
  [[nodiscard]] virtual std::vector<double> pivots() const = 0;
  /// Estimates: of a new factor, and of so many more columns for this one.
  [[nodiscard]] virtual double factorise_ns() const = 0;
  [[nodiscard]] virtual double update_ns(Eigen::Index columns) const = 0;
  [[nodiscard]] virtual const FactorCost& cost() const = 0;
  /// Of the last factorisation.
  [[nodiscard]] virtual CholeskyPrecision precision() const { return CholeskyPrecision::full; }
};

[[nodiscard]] std::unique_ptr<CholeskyFactor> make_ldl_factor();
[[nodiscard]] std::vector<int> ldl_elimination_order(const SparseMatrix& matrix);
#ifdef SINEW_WITH_CHOLMOD
[[nodiscard]] std::unique_ptr<CholeskyFactor> make_cholmod_factor(CholeskyPrecision precision);
[[nodiscard]] Result<std::vector<int>> cholmod_elimination_order(const SparseMatrix& matrix,
                                                                 double products_each);
#endif

[[nodiscard]] Error not_positive_definite();
/// After a change that left no positive definite matrix, or none of finite numbers.
[[nodiscard]] Error factor_lost(FactorChange change);
[[nodiscard]] Error factor_too_large();

}  // namespace sinew
