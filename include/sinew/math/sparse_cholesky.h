// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/core/result.h"

namespace sinew {

/// Column-major; only the lower triangle of a symmetric matrix is read.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A factorisation of a symmetric positive definite matrix, kept for many right-hand sides. Uses
/// CHOLMOD, or Eigen's LDLᵀ in a build without it.
class SparseCholesky {
 public:
  /// Fails with code bad_argument when the matrix is not positive definite, and with too_large when
  /// the factor does not fit into memory.
  [[nodiscard]] static Result<SparseCholesky> factor(const SparseMatrix& matrix);

  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// The solution for every column. Columns are solved in fixed blocks, which run in parallel.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& right_hand_sides) const;

 private:
  struct Factor;
  explicit SparseCholesky(std::unique_ptr<Factor> factor);
  std::unique_ptr<Factor> factor_;
};

}  // namespace sinew
