// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/weight_factor.h"

namespace sinew {

Status WeightFactor::make(const WeightSystem& system) {
  is_released_ = true;  // until it is there
  const WeightUnknowns& unknowns = system.unknowns();
  Status status;
  if ((mirror_ ? mirror_->count() : unknowns.count()) == 0)
    factor_.reset();
  else if (system.has_flat())
    status = factorise(system.matrix(), unknowns);
  else
    status = factorise(system.matrix_without_flat(), unknowns);
  is_released_ = !status.ok();
  is_outdated_ = is_outdated_ && is_released_;
  return status;
}

Status WeightFactor::make_in_doubles(const WeightSystem& system) {
  refuse_floats();
  factor_.reset();
  return make(system);
}

Status WeightFactor::factorise(const SparseMatrix& matrix, const WeightUnknowns& unknowns) {
  const std::vector<int> order = order_of_unknowns(unknowns);
  const auto make_of = [&](const SparseMatrix& reduced) -> Status {
    if (factor_) return factor_->factorise(reduced, order);
    CholeskyOptions options = options_;
    if (refuses_floats_) options.precision = CholeskyPrecision::full;
    SINEW_TRY(SparseCholesky made, SparseCholesky::factor(reduced, order, options));
    factor_.emplace(std::move(made));
    return {};
  };
  return mirror_ ? make_of(mirror_->matrix(matrix)) : make_of(matrix);
}

std::vector<int> WeightFactor::order_of_unknowns(const WeightUnknowns& unknowns) const {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(mirror_ ? mirror_->count() : unknowns.count()));
  for (const int vertex : vertex_order_) {
    const auto i = static_cast<std::size_t>(vertex);
    const Eigen::Index first = mirror_ ? mirror_->first_of(i) : unknowns.first_of(i);
    const Eigen::Index count = mirror_ ? mirror_->count_of(i) : unknowns.count_of(i);
    for (Eigen::Index p = 0; p < count; ++p) order.push_back(static_cast<int>(first + p));
  }
  return order;
}

void WeightFactor::release() {
  is_released_ = is_released_ || factor_.has_value();
  factor_.reset();
}

bool WeightFactor::prefers_change(std::size_t columns) const {
  return factor_->is_factorised() &&
         !factor_->prefers_refactorisation(static_cast<Eigen::Index>(columns));
}

Status WeightFactor::update(const SparseMatrix& columns) {
  return mirror_ ? factor_->update(mirror_->columns(columns)) : factor_->update(columns);
}

Status WeightFactor::downdate(const SparseMatrix& columns) {
  return mirror_ ? factor_->downdate(mirror_->columns(columns)) : factor_->downdate(columns);
}

}  // namespace sinew
