// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "arap/mirror_reduction.h"
#include "arap/weight_system.h"
#include "sinew/core/result.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// The factor of the matrix of a WeightSystem; with a mirror, of the unknowns of one side. In
/// floats as long as these will do, if options allow them. Its memory can be given back, and the
/// places of its matrix can change: make() then makes it anew.
class WeightFactor {
 public:
  explicit WeightFactor(const CholeskyOptions& options) : options_(options) {}

  /// The vertices in the order in which their unknowns are eliminated. make() wants it, and the
  /// mirror of problems that have one.
  void set_order(std::vector<int> vertex_order) { vertex_order_ = std::move(vertex_order); }
  [[nodiscard]] const std::vector<int>& vertex_order() const { return vertex_order_; }
  void set_mirror(MirrorReduction mirror) { mirror_.emplace(std::move(mirror)); }
  [[nodiscard]] const std::optional<MirrorReduction>& mirror() const { return mirror_; }
  /// Floats would not do: what is made from now on is in doubles.
  void refuse_floats() { refuses_floats_ = true; }

  /// Fails as a factorisation does, and is released then.
  [[nodiscard]] Status make(const WeightSystem& system);
  /// In place of one in floats, which did not do.
  [[nodiscard]] Status make_in_doubles(const WeightSystem& system);
  /// Gives the memory back until make().
  void release();
  /// The matrix has other places now.
  void outdate() { is_released_ = is_outdated_ = true; }
  [[nodiscard]] bool is_released() const { return is_released_; }
  [[nodiscard]] bool is_outdated() const { return is_outdated_; }
  /// Whether there is one, be it outdated. False also where nothing is unknown.
  [[nodiscard]] bool exists() const { return factor_.has_value(); }

  /// Of one that exists and is not released: whether it is sound and a change by so many columns
  /// is cheaper than to make it anew.
  [[nodiscard]] bool prefers_change(std::size_t columns) const;
  [[nodiscard]] bool is_sound() const { return factor_->is_factorised(); }
  /// The columns, of all unknowns, times their transpose are added or taken away.
  [[nodiscard]] Status update(const SparseMatrix& columns);
  [[nodiscard]] Status downdate(const SparseMatrix& columns);

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    return factor_->solve(right);
  }
  [[nodiscard]] bool is_in_doubles() const {
    return factor_->precision() == CholeskyPrecision::full;
  }

 private:
  [[nodiscard]] std::vector<int> order_of_unknowns(const WeightUnknowns& unknowns) const;
  [[nodiscard]] Status factorise(const SparseMatrix& matrix, const WeightUnknowns& unknowns);

  CholeskyOptions options_;
  std::vector<int> vertex_order_;
  std::optional<MirrorReduction> mirror_;
  std::optional<SparseCholesky> factor_;  // nothing where nothing is unknown, and once released
  bool is_released_ = false;
  bool is_outdated_ = false;
  bool refuses_floats_ = false;
};

}  // namespace sinew
