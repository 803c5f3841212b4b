// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// Where the lower triangle of a symmetric matrix has entries, in an order of elimination: for each
/// column those rows that come after it, in any order. It may name the column itself, which says
/// nothing, and no row twice.
struct LowerPattern {
  std::vector<int> offsets;
  std::vector<int> rows;

  [[nodiscard]] std::size_t column_count() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const int> rows_of(std::size_t column) const;
};

/// What of a factor is known before its rows are.
struct ColumnAnalysis {
  LowerPattern columns_of_row;  // of the matrix: for each row those before it, which ascend
  std::vector<int> parents;     // the first row of each column below its diagonal, -1 where none is
  std::vector<int> counts;      // entries of each column, with its diagonal
  std::vector<int> place;       // of each column in the postorder of the tree that the parents make

  /// Of the products of a factorisation: the sum of squared counts.
  [[nodiscard]] double products() const;
};

/// In time almost linear in the entries of the matrix, however many the factor has. Children are
/// postordered by ascending counts, and where these are equal, and for roots, as they come: so the
/// largest child is next to its parent and may become one supernode with it.
[[nodiscard]] ColumnAnalysis analyse_columns(const LowerPattern& pattern);

/// When two supernodes become one, next to each other and one the parent of the other, although the
/// factor has zeros then: large blocks are worth more than a few products with zero.
struct SupernodeRelaxation {
  /// Columns that the merged supernode may have, and the part of its entries that may then be zero.
  struct Limit {
    double columns;
    double zeros_rel;
  };
  double columns_always = 4;  // whatever is zero, which is not counted either
  std::array<Limit, 2> limits = {{{16, 0.8}, {48, 0.1}}};
  double zeros_rel_always = 0.05;  // however many columns

  /// For columns that stand for so many each.
  [[nodiscard]] static SupernodeRelaxation for_blocks_of(double size);
};

/// The supernodes of a factor: columns first_column[s] to first_column[s + 1] are in the rows from
/// first_row[s] to first_row[s + 1], first their own and then those below, which ascend.
struct SupernodeSymbolic {
  std::vector<int> place;  // of each column of the matrix in the factor: a postorder of its tree
  std::vector<int> first_column;
  std::vector<std::size_t> first_row;
  std::vector<int> rows;

  [[nodiscard]] std::size_t count() const { return first_column.size() - 1; }
};

/// The symbolic phase of Y. Chen, T. Davis, W. Hager and S. Rajamanickam (Algorithm 887: CHOLMOD,
/// supernodal sparse Cholesky factorization and update/downdate, ACM Transactions on Mathematical
/// Software 35(3), 2008). In time linear in the rows found, and in the entries of the matrix.
[[nodiscard]] SupernodeSymbolic analyse_supernodes(ColumnAnalysis columns,
                                                   const SupernodeRelaxation& relaxation = {});

}  // namespace sinew
