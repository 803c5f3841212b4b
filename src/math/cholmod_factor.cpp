// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#ifdef SINEW_WITH_CHOLMOD

#include <algorithm>
#include <cholmod.h>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "math/cholesky_factor.h"
#include "math/ldl_solve.h"
#include "math/ldl_tree_solve.h"
#include "math/supernodal_factor.h"
#include "math/supernode_analysis.h"

namespace sinew {
namespace {

/// A workspace that never prints. CHOLMOD wants one per thread.
struct Common : cholmod_common {
  Common() : cholmod_common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    final_asis = 0;
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

/// METIS draws from the one stream of random numbers that a process has: of two calls at a time,
/// neither would find the order that it finds alone.
std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

class CholmodFactor final : public CholeskyFactor {
 public:
  ~CholmodFactor() override {
    cholmod_free_factor(&symbolic_, &common_);
    cholmod_free_factor(&columns_, &common_);
  }
  explicit CholmodFactor(CholeskyPrecision precision) : wanted_precision_(precision) {}
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  Status analyse(const SparseMatrix& matrix, std::span<const int> order) override {
    supernodes_.reset();
    analysis_.reset();
    cholmod_free_factor(&symbolic_, &common_);
    if (!order.empty()) {
      SINEW_CHECK(analyse_groups(matrix, order));
      if (analysis_) return {};
    }
    cholmod_sparse lower = view_lower(matrix);
    common_.nmethods = order.empty() ? 0 : 1;  // 0: whatever it thinks best
    common_.method[0].ordering = order.empty() ? CHOLMOD_AMD : CHOLMOD_GIVEN;
    if (order.empty()) {
      const std::lock_guard lock(metis_mutex());
      symbolic_ = cholmod_analyze(&lower, &common_);
    } else {
      symbolic_ = cholmod_analyze_p(&lower, const_cast<int*>(order.data()), nullptr, 0, &common_);
    }
    if (symbolic_ == nullptr) return factor_too_large();
    if (symbolic_->is_super) {
      analysis_.emplace(RowGroups::of_rows(static_cast<int>(matrix.rows())), order_of(*symbolic_),
                        structure_of(*symbolic_));
      cholmod_free_factor(&symbolic_, &common_);
      return {};
    }
    place_of_.resize(symbolic_->n);
    for (std::size_t j = 0; j < symbolic_->n; ++j)
      place_of_[static_cast<std::size_t>(order_of(*symbolic_)[j])] = static_cast<int>(j);
    return {};
  }

  Status factorise(const SparseMatrix& matrix) override {
    supernodes_.reset();
    cholmod_free_factor(&columns_, &common_);
    if (analysis_) {
      const auto make = [&](CholeskyPrecision precision) {
        supernodes_ = SupernodalFactor::make(precision, analysis_->structure(),
                                             analysis_->place_of(), matrix);
      };
      const bool in_floats =
          wanted_precision_ == CholeskyPrecision::single ||
          (wanted_precision_ == CholeskyPrecision::automatic && matrix.nonZeros() > kManyEntries);
      if (in_floats) make(CholeskyPrecision::single);
      if (!supernodes_) make(CholeskyPrecision::full);
      if (!supernodes_) return not_positive_definite();
      measure_supernodes();
    } else {
      columns_ = cholmod_copy_factor(symbolic_, &common_);
      if (columns_ == nullptr) return factor_too_large();
      cholmod_sparse lower = view_lower(matrix);
      cholmod_factorize(&lower, columns_, &common_);
      if (common_.is_out_of_memory()) return factor_too_large();
      if (common_.status != CHOLMOD_OK) return not_positive_definite();
      measure_columns();
    }
    // A matrix too small or sparse for supernodes gets an LDLᵀ at once, with any pivots but 0.
    if (!std::ranges::all_of(pivots_, [](double pivot) { return pivot > 0; }))
      return not_positive_definite();
    return {};
  }

  Status change(const SparseMatrix& columns, FactorChange change) override {
    OrderedColumns ordered = order_columns(columns, place_of());
    if (ordered.count() == 0) return {};
    if (supernodes_)
      return supernodes_->change({std::move(ordered), change}) ? Status() : factor_lost(change);
    return change_columns(ordered, change);
  }

  void solve(const double* right, double* solution, int column_count) const override {
    if (supernodes_) {
      supernodes_->solve(right, solution, column_count);
      return;
    }
    const LdlArrays arrays{static_cast<const int*>(columns_->p), counts().data(),
                           static_cast<const int*>(columns_->i),
                           static_cast<const double*>(columns_->x)};
    if (column_count == 1) {
      std::vector<double> x(columns_->n);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[static_cast<std::size_t>(place_of_[i])] = right[i];
      solve_ldl_tree(arrays, pieces_, x);
      for (std::size_t i = 0; i < x.size(); ++i)
        solution[i] = x[static_cast<std::size_t>(place_of_[i])];
      return;
    }
    const auto column_of = [=](std::size_t j) {
      const int pivot = arrays.begin[j];
      return LdlColumn{arrays.rows + pivot + 1, arrays.values + pivot + 1, arrays.counts[j] - 1,
                       arrays.values[pivot]};
    };
    solve_ldl(column_of, place_of_, right, solution, column_count);
  }

  std::vector<double> pivots() const override { return pivots_; }
  double factorise_ns() const override {
    return kProductNs * cost_.products + kEntryNs * cost_.entries;
  }
  double update_ns(Eigen::Index columns) const override {
    const double path = cost_.entries_per_update * static_cast<double>(columns);
    if (!supernodes_) return kUpdateEntryNs * path;
    return kBorderEntryNs * path + border_products(columns) * kProductNs;
  }
  const FactorCost& cost() const override { return cost_; }
  CholeskyPrecision precision() const override {
    return supernodes_ ? supernodes_->precision() : CholeskyPrecision::full;
  }

 private:
  // Nanoseconds on one core of 2020: see docs/decisions/0007-cholmod-behind-an-interface.md.
  static constexpr double kProductNs = 0.05;
  static constexpr double kEntryNs = 20;
  static constexpr double kUpdateEntryNs = 1;
  static constexpr double kBorderEntryNs = 0.3;
  /// Of a matrix, from which on floats save more than refining takes: decision 21.
  static constexpr Eigen::Index kManyEntries = 50'000;

  /// Of each new column of the border with all others, along the way to the root that they share,
  /// and in the small matrix of all of them.
  [[nodiscard]] double border_products(Eigen::Index columns) const {
    const auto added = static_cast<double>(columns);
    const double all = static_cast<double>(supernodes_->changed_count()) + added;
    const double height = std::sqrt(2 * cost_.entries_per_update);
    return added * all * height + added * all * all / 2;
  }

  /// Analyses blocks of rows as if they were rows; leaves no analysis where the factor is too small
  /// for supernodes.
  Status analyse_groups(const SparseMatrix& matrix, std::span<const int> order) {
    const RowGroups groups = RowGroups::of_blocks(matrix, order);
    const GroupPattern pattern = GroupPattern::of(matrix, groups);
    cholmod_sparse lower =
        view(groups.count(), groups.count(), pattern.offsets.data(), pattern.rows.data(), nullptr);
    lower.stype = -1;
    lower.sorted = 0;
    lower.xtype = CHOLMOD_PATTERN;
    Common common;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_NATURAL;
    // What it counts in rows and products of rows, it finds in groups of so many rows.
    const double size = static_cast<double>(order.size()) / static_cast<double>(groups.count());
    common.supernodal_switch /= size;
    for (std::size_t& each : common.nrelax)
      each = static_cast<std::size_t>(std::ceil(static_cast<double>(each) / size));
    const auto release = [&](cholmod_factor* factor) { cholmod_free_factor(&factor, &common); };
    const std::unique_ptr<cholmod_factor, decltype(release)> of_groups(
        cholmod_analyze(&lower, &common), release);
    if (of_groups == nullptr) return factor_too_large();
    if (of_groups->is_super)
      analysis_.emplace(groups, order_of(*of_groups), structure_of(*of_groups));
    return {};
  }

  [[nodiscard]] static std::span<const int> order_of(const cholmod_factor& symbolic) {
    return {static_cast<const int*>(symbolic.Perm), symbolic.n};
  }
  [[nodiscard]] static SupernodeStructure structure_of(const cholmod_factor& symbolic) {
    return {symbolic.nsuper, static_cast<const int*>(symbolic.super),
            static_cast<const int*>(symbolic.pi), /*first_value=*/nullptr,
            static_cast<const int*>(symbolic.s)};
  }
  [[nodiscard]] const std::vector<int>& place_of() const {
    return analysis_ ? analysis_->place_of() : place_of_;
  }

  /// Changes the columns of an LDLᵀ.
  Status change_columns(const OrderedColumns& ordered, FactorChange change) {
    cholmod_sparse added = view(columns_->n, static_cast<std::size_t>(ordered.count()),
                                ordered.offsets.data(), ordered.rows.data(), ordered.values.data());
    // The first call gives the columns room to grow, which later calls find there.
    const bool is_done = cholmod_updown(change == FactorChange::update, &added, columns_, &common_);
    if (common_.is_out_of_memory()) return factor_too_large();
    if (!is_done || common_.status != CHOLMOD_OK) return factor_lost(change);
    SINEW_CHECK(check_pivots(ordered, change));
    pieces_ = SolvePieces::of(parents(), counts());  // columns may have got more entries
    return {};
  }

  [[nodiscard]] double pivot_at(std::size_t j) const {
    return static_cast<const double*>(columns_->x)[static_cast<const int*>(columns_->p)[j]];
  }

  [[nodiscard]] int parent_of(std::size_t j) const {
    if (static_cast<const int*>(columns_->nz)[j] < 2) return -1;
    return static_cast<const int*>(columns_->i)[static_cast<const int*>(columns_->p)[j] + 1];
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
    std::vector<int> parents(columns_->n, -1);
    for (std::size_t j = 0; j < parents.size(); ++j) parents[j] = parent_of(j);
    return parents;
  }
  [[nodiscard]] std::span<const int> counts() const {
    return {static_cast<const int*>(columns_->nz), columns_->n};
  }

  /// Of a new factor: pivots, cost, and what of it is solved side by side.
  void measure_columns() {
    pivots_.resize(columns_->n);
    for (std::size_t j = 0; j < pivots_.size(); ++j) pivots_[j] = pivot_at(j);
    const std::vector<int> parents_now = parents();
    cost_ = estimate_cost(parents_now, counts());
    pieces_ = SolvePieces::of(parents_now, counts());
  }
  void measure_supernodes() {
    pivots_ = supernodes_->pivots();
    const SupernodeStructure nodes = analysis_->structure();
    std::vector<int> parents_now(pivots_.size());
    std::vector<int> counts_now(pivots_.size());
    for (std::size_t s = 0; s < nodes.count; ++s) {
      const int columns = nodes.first_column[s + 1] - nodes.first_column[s];
      const std::span<const int> below = nodes.below(s);
      for (int c = 0; c < columns; ++c) {
        const auto j = static_cast<std::size_t>(nodes.first_column[s] + c);
        parents_now[j] = c + 1 < columns ? static_cast<int>(j) + 1
                         : below.empty() ? -1
                                         : below.front();
        counts_now[j] = columns + static_cast<int>(below.size()) - c;
      }
    }
    cost_ = estimate_cost(parents_now, counts_now);
  }

  Common common_;
  CholeskyPrecision wanted_precision_;
  // A factor of supernodes ...
  std::optional<SupernodeAnalysis> analysis_;
  std::unique_ptr<SupernodalFactor> supernodes_;
  // ... or an LDLᵀ of single columns.
  cholmod_factor* symbolic_ = nullptr;
  cholmod_factor* columns_ = nullptr;
  std::vector<int> place_of_;
  std::vector<double> pivots_;
  FactorCost cost_;
  SolvePieces pieces_;  // of single columns
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
    const std::lock_guard lock(metis_mutex());
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

std::unique_ptr<CholeskyFactor> make_cholmod_factor(CholeskyPrecision precision) {
  return std::make_unique<CholmodFactor>(precision);
}

}  // namespace sinew

#endif
