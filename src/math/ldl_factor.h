// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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

/// Columns of C in one pass over L: they share the reading of L, and the workspace stays small.
inline constexpr std::size_t kLdlColumnsPerPass = 8;

/// What is left of the columns of C in one row.
using LdlRow = std::array<double, kLdlColumnsPerPass>;

/// Kept between changes, for clearing it takes longer than a small change does. All zero then, and
/// empty for a factor of another size.
struct LdlWorkspace {
  std::vector<LdlRow> left;
  std::vector<char> is_on_path;
};

/// Changes L and D to those of L D Lᵀ ± C Cᵀ. False, and L and D of no more use, when a pivot keeps
/// less than kLeastPivotKeptRel of itself or is no longer finite.
///
/// Method C1 of P. Gill, G. Golub, W. Murray and M. Saunders (Methods for modifying matrix
/// factorizations, Mathematics of Computation 28, 1974), along the paths of the elimination tree as
/// T. Davis and W. Hager show (Modifying a sparse Cholesky factorization, SIAM Journal on Matrix
/// Analysis and Applications 20(3), 1999), several columns in one pass over L.
[[nodiscard]] bool change_ldl(LdlColumns& factor, const OrderedColumns& columns,
                              FactorChange change, LdlWorkspace& workspace);

}  // namespace sinew
