// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "math/matrix_kernels.h"
#include "math/solve_pieces.h"

namespace sinew {

template <class Scalar>
class SupernodalBorder;

/// Right-hand sides side by side, row after row; one alone is an ordinary vector.
template <class Scalar, int Width>
using SupernodeRows =
    Eigen::Matrix<Scalar, Eigen::Dynamic, Width, Width == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

/// Where a supernodal LLᵀ has entries. A supernode is a run of columns whose
/// entries are in the same rows: first those of its own diagonal, then those below, which ascend.
/// Its values are one dense matrix, column after column, of which the part above the diagonal is
/// anything.
struct SupernodeStructure {
  std::size_t count = 0;
  const int* first_column = nullptr;         // count + 1
  const int* first_row = nullptr;            // count + 1
  const std::size_t* first_value = nullptr;  // count + 1
  const int* rows = nullptr;

  [[nodiscard]] int column_count() const { return first_column[count]; }
  /// The rows of a supernode below its own diagonal.
  [[nodiscard]] std::span<const int> below(std::size_t supernode) const;
};

/// With the values, floats or doubles.
template <class Scalar>
struct SupernodeArrays : SupernodeStructure {
  const Scalar* values = nullptr;
};

/// The supernode of each column.
[[nodiscard]] std::vector<int> supernodes_of_columns(const SupernodeStructure& structure);

/// Of supernodes, what SolvePieces is of columns, and where the columns of the top are.
struct SupernodePieces {
  SolvePieces of_supernodes;
  std::vector<int> column_in_top;  // place of a column among those of the top; -1 in a piece
  std::size_t top_columns = 0;

  static SupernodePieces of(const SupernodeStructure& structure);
};

/// Solves L Lᵀ x = b in place, in the factor's own ordering, or L (I + Z S Zᵀ) Lᵀ x = b with a
/// border that is not empty. Pieces run in parallel.
template <class Scalar>
void solve_supernodes(const SupernodeArrays<Scalar>& factor, const SupernodePieces& pieces,
                      const SupernodalBorder<Scalar>& border, std::span<Scalar> x);
/// The same for kColumnsTogether columns, row after row, by this thread alone.
template <class Scalar>
void solve_supernodes_together(const SupernodeArrays<Scalar>& factor,
                               const SupernodalBorder<Scalar>& border, std::span<Scalar> x);

}  // namespace sinew
