// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#ifdef SINEW_WITH_CHOLMOD

#include <algorithm>
#include <cholmod.h>
#include <cmath>
#include <limits>
#include <utility>

#include "math/cholesky_factor.h"
#include "math/ldl_solve.h"
#include "math/ldl_tree_solve.h"
#include "math/supernodal_border.h"
#include "math/supernodal_factorise.h"
#include "math/supernodal_solve.h"

namespace sinew {
namespace {

/// A workspace that never prints. CHOLMOD wants one per thread.
struct Common : cholmod_common {
  Common() : cholmod_common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    final_asis = 0;
    final_super = 1;  // solves read it without the row of every entry
    final_ll = 0;
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
    // An updated factor has no supernodes left, so that the next factorisation needs a copy.
    border_ = {};
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_copy_factor(symbolic_, &common_);
    if (factor_ == nullptr) return factor_too_large();
    if (factor_->is_super) {
      cholmod_change_factor(CHOLMOD_REAL, /*to_ll=*/1, /*to_super=*/1, /*to_packed=*/1,
                            /*to_monotonic=*/1, factor_, &common_);
      if (common_.is_out_of_memory()) return factor_too_large();
      supernode_pieces_ = SupernodePieces::of(supernodes());
      if (!factorise_supernodes(supernodes(), supernode_pieces_, place_of_, matrix,
                                static_cast<double*>(factor_->x)))
        return not_positive_definite();
    } else {
      cholmod_sparse lower = view_lower(matrix);
      cholmod_factorize(&lower, factor_, &common_);
      if (common_.is_out_of_memory()) return factor_too_large();
      if (common_.status != CHOLMOD_OK) return not_positive_definite();
    }
    measure();
    // A matrix too small or sparse for supernodes gets an LDLᵀ at once, with any pivots but 0.
    if (!std::ranges::all_of(pivots_, [](double pivot) { return pivot > 0; }))
      return not_positive_definite();
    return {};
  }

  Status change(const SparseMatrix& columns, FactorChange change) override {
    const OrderedColumns ordered = order_columns(columns, place_of_);
    if (ordered.count() == 0) return {};
    if (factor_->is_super) {
      if (fits_border(ordered.count())) {
        if (border_.empty()) border_ = SupernodalBorder(supernodes());
        return border_.add({ordered, change}) ? Status() : factor_lost(change);
      }
      SINEW_CHECK(take_apart());
    }
    return change_columns(ordered, change);
  }

  void solve(const double* right, double* solution, int column_count) const override {
    if (column_count == 1) {
      solve_one(right, solution);
      return;
    }
    if (factor_->is_super) {
      solve_together(right, solution, column_count);
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
  double update_ns(Eigen::Index columns) const override {
    const double path = cost_.entries_per_update * static_cast<double>(columns);
    if (!factor_->is_super) return kUpdateEntryNs * path;
    if (fits_border(columns)) return kBorderEntryNs * path + border_products(columns) * kProductNs;
    if (cost_.entries > kMostEntriesTakenApart) return std::numeric_limits<double>::infinity();
    const double held = cost_.entries_per_update * static_cast<double>(border_.count());
    return kTakenApartNs * cost_.entries + kUpdateEntryNs * (held + path);
  }
  const FactorCost& cost() const override { return cost_; }

 private:
  // Nanoseconds on one core of 2020: see docs/decisions/0007-cholmod-behind-an-interface.md.
  static constexpr double kProductNs = 0.05;
  static constexpr double kEntryNs = 20;
  static constexpr double kUpdateEntryNs = 1;
  static constexpr double kBorderEntryNs = 0.3;
  static constexpr double kTakenApartNs = 3;  // an entry

  /// Its own matrix is full, and takes longer than changes of the factor from about here on.
  static constexpr Eigen::Index kMostBorderColumns = 2048;
  /// While supernodes become columns both are there, at 20 bytes for an entry.
  static constexpr double kMostEntriesTakenApart = 1e8;

  /// Of each new column of the border with all others, along the way to the root that they share,
  /// and in the small matrix of all of them.
  [[nodiscard]] double border_products(Eigen::Index columns) const {
    const auto added = static_cast<double>(columns);
    const double all = static_cast<double>(border_.count()) + added;
    const double height = std::sqrt(2 * cost_.entries_per_update);
    return added * all * height + added * all * all / 2;
  }

  [[nodiscard]] bool fits_border(Eigen::Index columns) const {
    return static_cast<Eigen::Index>(border_.count()) + columns <= kMostBorderColumns;
  }

  /// Turns supernodes into the columns of an LDLᵀ, and makes what the border holds part of them.
  Status take_apart() {
    cholmod_change_factor(CHOLMOD_REAL, /*to_ll=*/0, /*to_super=*/0, /*to_packed=*/1,
                          /*to_monotonic=*/1, factor_, &common_);
    if (common_.is_out_of_memory()) return factor_too_large();
    for (std::size_t j = 0; j < pivots_.size(); ++j) pivots_[j] = pivot_at(j);
    const SupernodalBorder border = std::exchange(border_, {});
    for (const SupernodalBorder::Change& each : border.changes())
      SINEW_CHECK(change_columns(each.columns, each.direction));
    return {};
  }

  /// Changes the columns of an LDLᵀ.
  Status change_columns(const OrderedColumns& ordered, FactorChange change) {
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

  [[nodiscard]] SupernodeArrays supernodes() const {
    return {factor_->nsuper,
            static_cast<const int*>(factor_->super),
            static_cast<const int*>(factor_->pi),
            static_cast<const int*>(factor_->px),
            static_cast<const int*>(factor_->s),
            static_cast<const double*>(factor_->x)};
  }

  void solve_one(const double* right, double* solution) const {
    std::vector<double> x(factor_->n);
    for (std::size_t i = 0; i < x.size(); ++i) x[static_cast<std::size_t>(place_of_[i])] = right[i];
    if (factor_->is_super)
      solve_supernodes(supernodes(), supernode_pieces_, border_, x);
    else
      solve_ldl_tree({static_cast<const int*>(factor_->p), static_cast<const int*>(factor_->nz),
                      static_cast<const int*>(factor_->i), static_cast<const double*>(factor_->x)},
                     pieces_, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      solution[i] = x[static_cast<std::size_t>(place_of_[i])];
  }

  void solve_together(const double* right, double* solution, int column_count) const {
    const std::size_t size = factor_->n;
    std::vector<double> x(size * kColumnsTogether);
    for (int done = 0; done < column_count; done += kColumnsTogether) {
      const auto count = static_cast<std::size_t>(std::min(column_count - done, kColumnsTogether));
      const std::size_t first = static_cast<std::size_t>(done) * size;
      std::ranges::fill(x, 0);
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t c = 0; c < count; ++c)
          x[static_cast<std::size_t>(place_of_[i]) * kColumnsTogether + c] =
              right[first + c * size + i];
      solve_supernodes_together(supernodes(), border_, x);
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t c = 0; c < count; ++c)
          solution[first + c * size + i] =
              x[static_cast<std::size_t>(place_of_[i]) * kColumnsTogether + c];
    }
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

  /// Of a new factor: pivots, cost, and what of it is solved side by side.
  void measure() {
    pivots_.resize(factor_->n);
    if (!factor_->is_super) {
      for (std::size_t j = 0; j < pivots_.size(); ++j) pivots_[j] = pivot_at(j);
      const std::vector<int> parents_now = parents();
      cost_ = estimate_cost(parents_now, counts());
      pieces_ = SolvePieces::of(parents_now, counts());
      return;
    }
    const SupernodeArrays nodes = supernodes();
    std::vector<int> parents_now(factor_->n);
    std::vector<int> counts_now(factor_->n);
    for (std::size_t s = 0; s < nodes.count; ++s) {
      const int columns = nodes.first_column[s + 1] - nodes.first_column[s];
      const std::span<const int> below = nodes.below(s);
      const auto height = columns + static_cast<int>(below.size());
      for (int c = 0; c < columns; ++c) {
        const auto j = static_cast<std::size_t>(nodes.first_column[s] + c);
        parents_now[j] = c + 1 < columns ? static_cast<int>(j) + 1
                         : below.empty() ? -1
                                         : below.front();
        counts_now[j] = height - c;
        const double root = nodes.values[nodes.first_value[s] + c * height + c];
        pivots_[j] = root * root;
      }
    }
    cost_ = estimate_cost(parents_now, counts_now);
  }

  Common common_;
  cholmod_factor* symbolic_ = nullptr;
  cholmod_factor* factor_ = nullptr;
  std::vector<int> place_of_;
  std::vector<double> pivots_;
  FactorCost cost_;
  SolvePieces pieces_;                // of an LDLᵀ of columns
  SupernodePieces supernode_pieces_;  // of an LLᵀ of supernodes
  SupernodalBorder border_;           // what was added to that since
};

/// Products of the factor for each row, empty ones too, from which on METIS, which takes five to
/// ten times as long as AMD and saves up to a third of the products, is worth it.
constexpr double kWorthDissecting = 2e5;

}  // namespace

Result<std::vector<int>> cholmod_elimination_order(const SparseMatrix& matrix,
                                                   double products_each) {
  cholmod_sparse lower = view_lower(matrix);
  struct Found {
    std::vector<int> order;
    double products = 0;
  };
  const auto find = [&](int ordering) -> Result<Found> {
    Common common;
    common.nmethods = 1;
    common.method[0].ordering = ordering;
    cholmod_factor* symbolic = cholmod_analyze(&lower, &common);
    if (symbolic == nullptr) return factor_too_large();
    const auto* chosen = static_cast<const int*>(symbolic->Perm);
    Found found{std::vector<int>(chosen, chosen + symbolic->n), common.fl};
    cholmod_free_factor(&symbolic, &common);
    return found;
  };
  SINEW_TRY(Found quick, find(CHOLMOD_AMD));
  if (quick.products * products_each < kWorthDissecting * static_cast<double>(matrix.rows()))
    return std::move(quick.order);
  SINEW_TRY(Found dissected, find(CHOLMOD_METIS));
  return std::move((dissected.products < quick.products ? dissected : quick).order);
}

std::unique_ptr<CholeskyFactor> make_cholmod_factor() { return std::make_unique<CholmodFactor>(); }

}  // namespace sinew

#endif
