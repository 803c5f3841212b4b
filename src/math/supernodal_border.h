// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "math/factor_change.h"
#include "math/supernodal_solve.h"

namespace sinew {

/// Columns C that were added to a matrix L Lᵀ after it had been factorised, or, with a sign of −1
/// in S, taken away: it now is L (I + Z S Zᵀ) Lᵀ with Z = L⁻¹ C, whose inverse takes no more than
/// I − Z (S + Zᵀ Z)⁻¹ Zᵀ between the two halves of a solve. L stays as it was. A column of Z has
/// entries only from its first row up to the root of the elimination tree.
template <class Scalar>
class SupernodalBorder {
 public:
  SupernodalBorder() = default;
  /// Of no columns yet; `factor` has to outlive it, unchanged.
  explicit SupernodalBorder(const SupernodeArrays<Scalar>& factor);

  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  /// Columns, those that fill up the last block included.
  [[nodiscard]] std::size_t count() const { return blocks_.size() * kColumnsTogether; }

  /// False if that leaves no positive definite matrix: nothing can be done with it then.
  [[nodiscard]] bool add(const ColumnChange& change);
  /// Between the halves of a solve: of one right-hand side, and of several, row after row.
  void apply(std::span<Scalar> x) const;
  void apply_together(std::span<Scalar> x) const;

 private:
  using Block = Eigen::Matrix<Scalar, Eigen::Dynamic, kColumnsTogether, Eigen::RowMajor>;
  using Gram = Eigen::Matrix<double, kColumnsTogether, kColumnsTogether>;
  /// Columns of Z, in the rows of some supernodes.
  struct Columns {
    std::vector<int> supernodes;  // ascending
    std::vector<int> place;       // where each begins in values
    Block values;
  };
  [[nodiscard]] Columns solved(const OrderedColumns& columns, std::span<const int> chosen) const;
  [[nodiscard]] Gram product(const Columns& a, const Columns& b) const;
  /// The rows and columns of the small matrix from this one on.
  [[nodiscard]] bool factorise_from(Eigen::Index first);
  template <int Width>
  void apply_to(std::span<Scalar> x) const;

  SupernodeArrays<Scalar> factor_;
  std::vector<int> supernode_of_;  // each column of L
  std::vector<int> parents_;       // of supernodes
  std::vector<Columns> blocks_;
  // S + Zᵀ Z = T D Tᵀ, T unit lower triangular, in the order of the changes. Each pivot of D is by
  // how much a column changes the determinant, with its sign: no other order is needed while the
  // matrix stays positive definite.
  Eigen::VectorXd signs_;
  Eigen::MatrixXd lower_;
  Eigen::VectorXd pivots_;
};

}  // namespace sinew
