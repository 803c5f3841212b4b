// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "math/supernodal_solve.h"
#include "math/supernode_symbolic.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// Rows of a matrix that follow each other in an order, and have their entries in the same places:
/// of a matrix of full blocks, the blocks. They are eliminated as one.
struct RowGroups {
  std::vector<int> rows;   // in the order
  std::vector<int> begin;  // of each group in the rows, and the end of the last

  /// Groups of one row each.
  static RowGroups of_rows(std::span<const int> order);
  /// Of the lower triangle. Where rows have more entries to their left than their group's first,
  /// the group has them all.
  static RowGroups of_blocks(const SparseMatrix& lower, std::span<const int> order);

  [[nodiscard]] std::size_t count() const { return begin.size() - 1; }
};

/// Where the groups have entries, in their order.
[[nodiscard]] LowerPattern pattern_of(const SparseMatrix& lower, const RowGroups& groups);

/// The supernodes of a matrix, made from those of its groups.
class SupernodeAnalysis {
 public:
  /// Fails with too_large where supernodes have more rows than 32 bits count.
  [[nodiscard]] static Result<SupernodeAnalysis> of(const RowGroups& groups,
                                                    ColumnAnalysis columns);

  [[nodiscard]] SupernodeStructure structure() const;
  /// Where each row is.
  [[nodiscard]] const std::vector<int>& place_of() const { return place_of_; }

 private:
  SupernodeAnalysis(const RowGroups& groups, const SupernodeSymbolic& of_groups);

  std::vector<int> place_of_;
  std::vector<int> first_column_;
  std::vector<int> first_row_;
  std::vector<std::size_t> first_value_;
  std::vector<int> rows_;
};

}  // namespace sinew
