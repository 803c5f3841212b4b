// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "math/ldl_tree_solve.h"

namespace sinew {

class SupernodalBorder;

/// Right-hand sides side by side, row after row; one alone is an ordinary vector.
template <int Width>
using SupernodeRows =
    Eigen::Matrix<double, Eigen::Dynamic, Width, Width == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
/// As many as are solved together.
inline constexpr int kColumnsTogether = 8;

/// A supernodal LLᵀ as CHOLMOD keeps it. A supernode is a run of columns whose entries are in the
/// same rows: first those of its own diagonal, then those below, which ascend. Its values are one
/// dense matrix, column after column, of which the part above the diagonal is anything.
struct SupernodeArrays {
  std::size_t count = 0;
  const int* first_column = nullptr;  // count + 1
  const int* first_row = nullptr;     // count + 1
  const int* first_value = nullptr;   // count
  const int* rows = nullptr;
  const double* values = nullptr;

  [[nodiscard]] int column_count() const { return first_column[count]; }
  /// The rows of a supernode below its own diagonal.
  [[nodiscard]] std::span<const int> below(std::size_t supernode) const;
};

/// The supernode of each column.
[[nodiscard]] std::vector<int> supernodes_of_columns(const SupernodeArrays& factor);

/// Of supernodes, what SolvePieces is of columns, and where the columns of the top are.
struct SupernodePieces {
  SolvePieces of_supernodes;
  std::vector<int> column_in_top;  // place of a column among those of the top; -1 in a piece
  std::size_t top_columns = 0;

  static SupernodePieces of(const SupernodeArrays& factor);
};

/// Solves L Lᵀ x = b in place, in the factor's own ordering, or L (I + Z S Zᵀ) Lᵀ x = b with a
/// border that is not empty. Pieces run in parallel.
void solve_supernodes(const SupernodeArrays& factor, const SupernodePieces& pieces,
                      const SupernodalBorder& border, std::span<double> x);
/// The same for kColumnsTogether columns, row after row, by this thread alone.
void solve_supernodes_together(const SupernodeArrays& factor, const SupernodalBorder& border,
                               std::span<double> x);

/// One supernode as dense matrices.
struct Supernode {
  using Dense = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  int column;   // the first
  int columns;  // how many
  std::span<const int> below;
  Dense diagonal;  // its lower triangle
  Dense under;     // in the rows below

  Supernode(const SupernodeArrays& factor, std::size_t index);
};

/// L y = b for a supernode's own rows; use(row, change) is what each row below then gets less.
template <int Width, class Own, class Use>
void forward(const Supernode& node, Own&& own, SupernodeRows<Width>& scratch, const Use& use) {
  node.diagonal.template triangularView<Eigen::Lower>().solveInPlace(own);
  const auto height = static_cast<Eigen::Index>(node.below.size());
  if (height == 0) return;
  if (scratch.rows() < height) scratch.resize(height, Width);
  auto changes = scratch.topRows(height);
  changes.noalias() = node.under * own;
  for (Eigen::Index r = 0; r < height; ++r)
    use(node.below[static_cast<std::size_t>(r)], changes.row(r));
}

}  // namespace sinew
