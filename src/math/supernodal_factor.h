// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/factor_change.h"
#include "math/supernodal_solve.h"

namespace sinew {

/// A supernodal LLᵀ, in floats or doubles, and the columns that came and went since it was made. Of
/// matrices and right-hand sides in any order: place_of[i] is where the factor's ordering puts row
/// i, and has to outlive it, as the structure has.
class SupernodalFactor {
 public:
  virtual ~SupernodalFactor() = default;
  /// Of the lower triangle; nothing if that is not positive definite; in floats, not clearly so.
  [[nodiscard]] static std::unique_ptr<SupernodalFactor> make(CholeskyPrecision precision,
                                                              const SupernodeStructure& structure,
                                                              std::span<const int> place_of,
                                                              const SparseMatrix& lower);

  [[nodiscard]] virtual CholeskyPrecision precision() const = 0;
  /// Dense columns, one after the other.
  virtual void solve(const double* right, double* solution, int column_count) const = 0;
  /// False if that leaves no positive definite matrix: nothing can be done with it then.
  [[nodiscard]] virtual bool change(const ColumnChange& change) = 0;
  /// How many columns have come or gone, in whole blocks.
  [[nodiscard]] virtual std::size_t changed_count() const = 0;

  /// The pivots of the LDLᵀ, without what came or went.
  [[nodiscard]] virtual std::vector<double> pivots() const = 0;
};

}  // namespace sinew
