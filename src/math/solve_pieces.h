// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/core/parallel.h"

namespace sinew {

/// The columns of a factor L, or its supernodes, as pieces that can be solved side by side. A
/// column has entries only where its ancestors in the elimination tree are, so that whole subtrees
/// know nothing of each other: a piece is one or more subtrees next to each other, and what is left
/// is the top. Follows from the tree alone, so that the same sums come out for any number of
/// threads.
struct SolvePieces {
  std::vector<ChunkRange> pieces;  // of columns, ascending
  std::vector<int> top;            // all other columns, ascending
  std::vector<int> place_in_top;   // of each column; -1 for one of a piece

  /// parents[j] is the first row below the diagonal in column j of L, or -1; counts[j] the number
  /// of entries of that column. A tree whose subtrees are not contiguous is all top.
  static SolvePieces of(std::span<const int> parents, std::span<const int> counts);
};

}  // namespace sinew
