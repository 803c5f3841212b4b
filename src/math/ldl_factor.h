// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/cholesky_factor.h"

namespace sinew {

/// The unit lower triangular L of an LDLᵀ by columns, without its diagonal, and D. Rows ascend
/// within a column, so that its first row is its parent in the elimination tree; and the rows of a
/// column, but for that parent, are rows of the parent too. Columns may move to make room.
struct LdlColumns {
  std::vector<std::int64_t> begins;
  std::vector<int> counts;
  std::vector<int> capacities;
  std::vector<int> rows;
  std::vector<double> values;
  std::vector<double> pivots;

  [[nodiscard]] int size() const { return static_cast<int>(counts.size()); }
  [[nodiscard]] std::span<const int> rows_of(int column) const;
  /// -1 at a root.
  [[nodiscard]] int parent_of(int column) const;
};

/// Changes L and D to those of L D Lᵀ ± C Cᵀ. False, and L and D of no more use, when a pivot keeps
/// less than kLeastPivotKeptRel of itself or is no longer finite.
///
/// Method C1 of P. Gill, G. Golub, W. Murray and M. Saunders (Methods for modifying matrix
/// factorizations, Mathematics of Computation 28, 1974), along the paths of the elimination tree as
/// T. Davis and W. Hager show (Modifying a sparse Cholesky factorization, SIAM Journal on Matrix
/// Analysis and Applications 20(3), 1999), several columns in one pass over L.
[[nodiscard]] bool change_ldl(LdlColumns& factor, const OrderedColumns& columns,
                              FactorChange change);

}  // namespace sinew
