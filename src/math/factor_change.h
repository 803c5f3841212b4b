// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

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

[[nodiscard]] Error not_positive_definite();
/// After a change that left no positive definite matrix, or none of finite numbers.
[[nodiscard]] Error factor_lost(FactorChange change);
[[nodiscard]] Error factor_too_large();

}  // namespace sinew
