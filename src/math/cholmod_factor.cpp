// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#ifdef SINEW_WITH_CHOLMOD

#include <algorithm>
#include <cholmod.h>
#include <cmath>
#include <mutex>
#include <new>

#include "math/cholesky_factor.h"

// There when the BLAS that was found at run time is OpenBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace sinew {
namespace {

/// BLAS is used for factorising alone, by one thread at a time: the serial OpenBLAS is not safe to
/// call from several, and the sums of a threaded one would depend on their number.
std::mutex& blas_mutex() {
  static std::mutex mutex;
  [[maybe_unused]] static const bool is_told = [] {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return true;
  }();
  return mutex;
}

/// A workspace that never prints. CHOLMOD wants one per thread.
struct Common : cholmod_common {
  Common() : cholmod_common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    final_asis = 0;
    // Solving with a simplicial factor needs no BLAS, so that blocks run in parallel.
    final_super = 0;
    final_ll = 1;  // an LDLᵀ of an indefinite matrix would pass unnoticed
  }
  ~Common() { cholmod_finish(this); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;

  [[nodiscard]] bool is_out_of_memory() const {
    return status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE;
  }
};

cholmod_sparse view(std::size_t rows, std::size_t columns, const int* offsets, const int* indices,
                    const double* values) {
  cholmod_sparse view{};
  view.nrow = rows;
  view.ncol = columns;
  view.nzmax = static_cast<std::size_t>(offsets[columns]);
  view.p = const_cast<int*>(offsets);
  view.i = const_cast<int*>(indices);
  view.x = const_cast<double*>(values);
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;
  return view;
}

cholmod_sparse view_lower(const SparseMatrix& matrix) {
  cholmod_sparse lower =
      view(static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()),
           matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr());
  lower.stype = -1;
  return lower;
}

class CholmodFactor final : public CholeskyFactor {
 public:
  ~CholmodFactor() override {
    cholmod_free_factor(&symbolic_, &common_);
    cholmod_free_factor(&factor_, &common_);
  }
  CholmodFactor() = default;
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  Status analyse(const SparseMatrix& matrix) override {
    cholmod_free_factor(&symbolic_, &common_);
    cholmod_sparse lower = view_lower(matrix);
    symbolic_ = cholmod_analyze(&lower, &common_);
    if (symbolic_ == nullptr) return factor_too_large();
    const auto* order = static_cast<const int*>(symbolic_->Perm);
    place_of_.resize(symbolic_->n);
    for (std::size_t j = 0; j < symbolic_->n; ++j)
      place_of_[static_cast<std::size_t>(order[j])] = static_cast<int>(j);
    return {};
  }

  Status factorise(const SparseMatrix& matrix) override {
    // A simplicial factor has no supernodes left, so that the next factorisation needs a copy.
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_copy_factor(symbolic_, &common_);
    if (factor_ == nullptr) return factor_too_large();
    cholmod_sparse lower = view_lower(matrix);
    {
      const std::lock_guard lock(blas_mutex());
      cholmod_factorize(&lower, factor_, &common_);
    }
    if (common_.is_out_of_memory()) return factor_too_large();
    if (common_.status != CHOLMOD_OK) return not_positive_definite();
    measure();
    return {};
  }

  Status change(const SparseMatrix& columns, FactorChange change) override {
    const OrderedColumns ordered = order_columns(columns, place_of_);
    if (ordered.count() == 0) return {};
    const std::vector<double> before = pivots();
    cholmod_sparse added = view(factor_->n, static_cast<std::size_t>(ordered.count()),
                                ordered.offsets.data(), ordered.rows.data(), ordered.values.data());
    // Turns the LLᵀ into an LDLᵀ with room in its columns first, which later calls find done.
    const bool is_done = cholmod_updown(change == FactorChange::update, &added, factor_, &common_);
    if (common_.is_out_of_memory()) return factor_too_large();
    if (!is_done || common_.status != CHOLMOD_OK) return factor_lost(change);
    const double least_kept = change == FactorChange::downdate ? kLeastPivotKeptRel : 0;
    const std::vector<double> after = pivots();
    for (std::size_t j = 0; j < after.size(); ++j)
      if (!(after[j] > least_kept * before[j]) || !std::isfinite(after[j]))
        return factor_lost(change);
    return {};
  }

  void solve(const double* right, double* solution, int column_count) const override {
    Common common;
    cholmod_dense block{};
    block.nrow = block.d = factor_->n;
    block.ncol = static_cast<std::size_t>(column_count);
    block.nzmax = block.nrow * block.ncol;
    block.x = const_cast<double*>(right);
    block.xtype = CHOLMOD_REAL;
    block.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solved = cholmod_solve(CHOLMOD_A, factor_, &block, &common);
    if (solved == nullptr) throw std::bad_alloc();
    const auto* values = static_cast<const double*>(solved->x);
    std::copy(values, values + block.nzmax, solution);
    cholmod_free_dense(&solved, &common);
  }

  std::vector<double> pivots() const override {
    const auto* offsets = static_cast<const int*>(factor_->p);
    const auto* values = static_cast<const double*>(factor_->x);
    std::vector<double> pivots(factor_->n);
    for (std::size_t j = 0; j < pivots.size(); ++j) {
      const double diagonal = values[offsets[j]];
      pivots[j] = factor_->is_ll ? diagonal * diagonal : diagonal;
    }
    return pivots;
  }

  double factorise_ns() const override { return kProductNs * cost_.products; }
  double update_column_ns() const override { return kUpdateEntryNs * cost_.entries_per_update; }

 private:
  static constexpr double kProductNs = 0.15;
  static constexpr double kUpdateEntryNs = 1;

  void measure() {
    const auto* offsets = static_cast<const int*>(factor_->p);
    const auto* rows = static_cast<const int*>(factor_->i);
    const auto* counts = static_cast<const int*>(factor_->nz);
    std::vector<int> parents(factor_->n, -1);
    for (std::size_t j = 0; j < parents.size(); ++j)
      if (counts[j] > 1) parents[j] = rows[offsets[j] + 1];
    cost_ = estimate_cost(parents, {counts, factor_->n});
  }

  Common common_;
  cholmod_factor* symbolic_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  std::vector<int> place_of_;
  FactorCost cost_;
};

}  // namespace

std::unique_ptr<CholeskyFactor> make_cholmod_factor() { return std::make_unique<CholmodFactor>(); }

}  // namespace sinew

#endif
