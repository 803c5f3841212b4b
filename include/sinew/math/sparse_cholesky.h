// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/core/result.h"

namespace sinew {

/// Column-major; only the lower triangle of a symmetric matrix is read.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// What a factor is kept in.
enum class CholeskyPrecision {
  full,       // doubles
  single,     // floats: half the memory and half the time. Solutions lose nine of their digits, and
              // whoever needs them has to refine: solve for what the matrix itself leaves of the
              // right-hand side, and add that
  automatic,  // floats for large matrices
};

struct CholeskyOptions {
  CholeskyPrecision precision = CholeskyPrecision::full;
};

/// The rows of a matrix in an order in which its factor stays sparse; only the places of its
/// entries matter. Of a matrix that consists of small full blocks, the order of a matrix with one
/// row for each block will do, and is found in a fraction of the time; `products_each` then says
/// for how many products of the factor one of this matrix stands: the mean cube of the blocks'
/// sizes. Where the factor takes many, a better order is looked for, for longer.
[[nodiscard]] Result<std::vector<int>> elimination_order(const SparseMatrix& matrix,
                                                         double products_each = 1);

/// A factorisation of a symmetric positive definite matrix, kept for many right-hand sides and
/// changed in place when constraints come and go.
///
/// Every function gives the same bits for any number of threads. Different objects may be used from
/// different threads at once, and one object for several solves at once.
class SparseCholesky {
 public:
  /// Analyses and factorises. Fails with code bad_argument when the matrix is not square, has an
  /// entry that is not finite, or is not positive definite; and with too_large when the factor does
  /// not fit into memory.
  [[nodiscard]] static Result<SparseCholesky> factor(const SparseMatrix& matrix,
                                                     const CholeskyOptions& options = {});
  /// The same in a given order: order[j] is the row that comes j-th. Nothing is tried to find a
  /// better one. Fails with bad_argument too when it is not an order of the rows.
  [[nodiscard]] static Result<SparseCholesky> factor(const SparseMatrix& matrix,
                                                     std::span<const int> order,
                                                     const CholeskyOptions& options = {});

  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Factorises another matrix, forgetting this one and its updates. The analysis is kept when the
  /// entries have the same places, and made anew when they have not. Fails as factor() does.
  [[nodiscard]] Status factorise(const SparseMatrix& matrix);
  /// The same, with an analysis that has to be made anew in the given order.
  [[nodiscard]] Status factorise(const SparseMatrix& matrix, std::span<const int> order);

  /// The solution for every column. Columns are solved in fixed blocks, which run in parallel.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& right_hand_sides) const;

  /// Adds columns * columnsᵀ to the matrix. Any columns will do: entries of the product that the
  /// matrix has no place for get one. The cost of a column is that of the part of the factor
  /// between its first entry and the root of the elimination tree. What is f times as stiff as the
  /// rest of the matrix costs log10(f) digits of where it holds. Fails with code bad_argument,
  /// the factor left as it was, when the number of rows is not the matrix's or an entry is not
  /// finite; and with too_large, the factor lost, when it no longer fits into memory.
  [[nodiscard]] Status update(const SparseMatrix& columns);

  /// Takes columns * columnsᵀ away again. Fails as update() does, and also, the factor lost, with
  /// bad_argument when what remains is not positive definite or is all rounding. A constraint that
  /// is f times as stiff as the rest of the matrix costs log10(f) digits when it is taken away.
  [[nodiscard]] Status downdate(const SparseMatrix& columns);

  /// False after a failure that lost the factor: nothing but factorise() may be called then.
  [[nodiscard]] bool is_factorised() const;

  /// Whether so many columns of updates and downdates take longer than factorise(). An estimate
  /// from the shape of the factor alone, for columns that begin anywhere with equal chance: it
  /// answers the same on every machine, and is right on none to better than a factor of two.
  [[nodiscard]] bool prefers_refactorisation(Eigen::Index column_count) const;

  /// The smallest pivot of the LDLᵀ over the largest: the reciprocal condition number is no
  /// greater. Near 1e-16 the solutions have no digits. Of the last factorisation: updates and
  /// downdates since may not be in it.
  [[nodiscard]] double pivot_ratio() const;

  /// What this factor is kept in, full or single: single only where that was asked for, and the
  /// matrix is positive definite in floats too.
  [[nodiscard]] CholeskyPrecision precision() const;

 private:
  struct State;
  explicit SparseCholesky(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew
