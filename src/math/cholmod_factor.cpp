// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#ifdef SINEW_WITH_CHOLMOD

#include <algorithm>
#include <cholmod.h>
#include <cmath>
#include <mutex>
#include <new>

#include "math/cholesky_factor.h"
#include "math/ldl_solve.h"
#include "math/ldl_tree_solve.h"

// There when the BLAS that was found at run time is OpenBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
// There when CHOLMOD was built with OpenMP.
extern "C" int omp_get_max_active_levels() __attribute__((weak));
extern "C" void omp_set_max_active_levels(int) __attribute__((weak));

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

/// Keeps CHOLMOD from asking for four threads, on any machine, for every larger supernode. They
/// gain nothing there that was measured, and where others work too, to wait for them took twice as
/// long as to factorise a small matrix.
class OneThread {
 public:
  OneThread() {
    if (omp_set_max_active_levels != nullptr) omp_set_max_active_levels(0);
  }
  ~OneThread() {
    if (omp_set_max_active_levels != nullptr) omp_set_max_active_levels(levels_before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int levels_before_ = omp_get_max_active_levels != nullptr ? omp_get_max_active_levels() : 1;
};

/// A workspace that never prints. CHOLMOD wants one per thread.
struct Common : cholmod_common {
  Common() : cholmod_common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    final_asis = 0;
    // Solving with a simplicial factor needs no BLAS, so that blocks run in parallel.
    final_super = 0;
    final_ll = 0;  // what updates need
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
  // CHOLMOD takes a null pointer for a missing argument; Eigen has one when there are no entries.
  static constexpr int kNoIndex = 0;
  static constexpr double kNoValue = 0;
  if (indices == nullptr) indices = &kNoIndex;
  if (values == nullptr) values = &kNoValue;
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

  Status analyse(const SparseMatrix& matrix, std::span<const int> order) override {
    cholmod_free_factor(&symbolic_, &common_);
    cholmod_sparse lower = view_lower(matrix);
    common_.nmethods = order.empty() ? 0 : 1;  // 0: whatever it thinks best
    common_.method[0].ordering = order.empty() ? CHOLMOD_AMD : CHOLMOD_GIVEN;
    symbolic_ = order.empty() ? cholmod_analyze(&lower, &common_)
                              : cholmod_analyze_p(&lower, const_cast<int*>(order.data()), nullptr,
                                                  0, &common_);
    if (symbolic_ == nullptr) return factor_too_large();
    const auto* chosen = static_cast<const int*>(symbolic_->Perm);
    place_of_.resize(symbolic_->n);
    for (std::size_t j = 0; j < symbolic_->n; ++j)
      place_of_[static_cast<std::size_t>(chosen[j])] = static_cast<int>(j);
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
      const OneThread one_thread;
      cholmod_factorize(&lower, factor_, &common_);
    }
    if (common_.is_out_of_memory()) return factor_too_large();
    if (common_.status != CHOLMOD_OK) return not_positive_definite();
    // A matrix too small or sparse for supernodes gets an LDLᵀ at once, with any pivots but 0.
    pivots_.resize(factor_->n);
    for (std::size_t j = 0; j < pivots_.size(); ++j) {
      pivots_[j] = pivot_at(j);
      if (!(pivots_[j] > 0)) return not_positive_definite();
    }
    measure();
    return {};
  }

  Status change(const SparseMatrix& columns, FactorChange change) override {
    const OrderedColumns ordered = order_columns(columns, place_of_);
    if (ordered.count() == 0) return {};
    cholmod_sparse added = view(factor_->n, static_cast<std::size_t>(ordered.count()),
                                ordered.offsets.data(), ordered.rows.data(), ordered.values.data());
    // The first call gives the columns room to grow, which later calls find there.
    const bool is_done = cholmod_updown(change == FactorChange::update, &added, factor_, &common_);
    if (common_.is_out_of_memory()) return factor_too_large();
    if (!is_done || common_.status != CHOLMOD_OK) return factor_lost(change);
    SINEW_CHECK(check_pivots(ordered, change));
    pieces_ = SolvePieces::of(parents(), counts());  // columns may have got more entries
    return {};
  }

  void solve(const double* right, double* solution, int column_count) const override {
    if (column_count == 1) {
      solve_one(right, solution);
      return;
    }
    if (column_count < kLeastColumnsForOwnSolve) {
      solve_few(right, solution, column_count);
      return;
    }
    const auto* offsets = static_cast<const int*>(factor_->p);
    const auto* counts = static_cast<const int*>(factor_->nz);
    const auto* rows = static_cast<const int*>(factor_->i);
    const auto* values = static_cast<const double*>(factor_->x);
    const auto column_of = [=](std::size_t j) {
      const int pivot = offsets[j];
      return LdlColumn{rows + pivot + 1, values + pivot + 1, counts[j] - 1, values[pivot]};
    };
    solve_ldl(column_of, place_of_, right, solution, column_count);
  }

  std::vector<double> pivots() const override { return pivots_; }
  double factorise_ns() const override {
    return kProductNs * cost_.products + kEntryNs * cost_.entries;
  }
  double update_column_ns() const override { return kUpdateEntryNs * cost_.entries_per_update; }
  const FactorCost& cost() const override { return cost_; }

 private:
  /// CHOLMOD reads neighbouring columns of L together, which is best for few right-hand sides, but
  /// all of L again for every four of them.
  static constexpr int kLeastColumnsForOwnSolve = 4;

  // Nanoseconds on one core of 2020: see docs/decisions/0007-cholmod-behind-an-interface.md.
  static constexpr double kProductNs = 0.05;
  static constexpr double kEntryNs = 20;
  static constexpr double kUpdateEntryNs = 1;

  void solve_one(const double* right, double* solution) const {
    std::vector<double> x(factor_->n);
    for (std::size_t i = 0; i < x.size(); ++i) x[static_cast<std::size_t>(place_of_[i])] = right[i];
    solve_ldl_tree({static_cast<const int*>(factor_->p), static_cast<const int*>(factor_->nz),
                    static_cast<const int*>(factor_->i), static_cast<const double*>(factor_->x)},
                   pieces_, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      solution[i] = x[static_cast<std::size_t>(place_of_[i])];
  }

  void solve_few(const double* right, double* solution, int column_count) const {
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

  [[nodiscard]] double pivot_at(std::size_t j) const {
    return static_cast<const double*>(factor_->x)[static_cast<const int*>(factor_->p)[j]];
  }

  [[nodiscard]] int parent_of(std::size_t j) const {
    if (static_cast<const int*>(factor_->nz)[j] < 2) return -1;
    return static_cast<const int*>(factor_->i)[static_cast<const int*>(factor_->p)[j] + 1];
  }

  /// CHOLMOD goes on when a downdate makes the matrix indefinite. Only the pivots on the way to the
  /// root are new; to look at all would take as long as a small update does.
  Status check_pivots(const OrderedColumns& columns, FactorChange change) {
    const double least_kept = change == FactorChange::downdate ? kLeastPivotKeptRel : 0;
    for (int c = 0; c < columns.count(); ++c)
      for (int j = columns.rows_of(c).front(); j >= 0; j = parent_of(static_cast<std::size_t>(j))) {
        double& known = pivots_[static_cast<std::size_t>(j)];
        const double pivot = pivot_at(static_cast<std::size_t>(j));
        if (!(pivot > least_kept * known) || !std::isfinite(pivot)) return factor_lost(change);
        known = pivot;
      }
    return {};
  }

  [[nodiscard]] std::vector<int> parents() const {
    std::vector<int> parents(factor_->n, -1);
    for (std::size_t j = 0; j < parents.size(); ++j) parents[j] = parent_of(j);
    return parents;
  }
  [[nodiscard]] std::span<const int> counts() const {
    return {static_cast<const int*>(factor_->nz), factor_->n};
  }

  void measure() {
    const std::vector<int> parents_now = parents();
    cost_ = estimate_cost(parents_now, counts());
    pieces_ = SolvePieces::of(parents_now, counts());
  }

  Common common_;
  cholmod_factor* symbolic_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  std::vector<int> place_of_;
  std::vector<double> pivots_;
  FactorCost cost_;
  SolvePieces pieces_;
};

}  // namespace

Result<std::vector<int>> cholmod_elimination_order(const SparseMatrix& matrix) {
  Common common;
  common.nmethods = 2;  // the better of both
  common.method[0].ordering = CHOLMOD_AMD;
  common.method[1].ordering = CHOLMOD_METIS;
  cholmod_sparse lower = view_lower(matrix);
  cholmod_factor* symbolic = cholmod_analyze(&lower, &common);
  if (symbolic == nullptr) return factor_too_large();
  const auto* chosen = static_cast<const int*>(symbolic->Perm);
  std::vector<int> order(chosen, chosen + symbolic->n);
  cholmod_free_factor(&symbolic, &common);
  return order;
}

std::unique_ptr<CholeskyFactor> make_cholmod_factor() { return std::make_unique<CholmodFactor>(); }

}  // namespace sinew

#endif
