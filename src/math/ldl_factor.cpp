// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/ldl_factor.h"

#include <algorithm>

#include <Eigen/OrderingMethods>

#include "math/ldl_solve.h"

namespace sinew {

std::span<const int> LdlColumns::rows_of(int column) const {
  const auto j = static_cast<std::size_t>(column);
  return std::span(rows).subspan(static_cast<std::size_t>(begins[j]),
                                 static_cast<std::size_t>(counts[j]));
}

int LdlColumns::parent_of(int column) const {
  const auto j = static_cast<std::size_t>(column);
  return counts[j] == 0 ? -1 : rows[static_cast<std::size_t>(begins[j])];
}

namespace {

/// Row k of the reordered lower triangle is column k of this: places up to k, in no order.
struct OrderedRows {
  std::vector<int> offsets, places;
  std::vector<double> values;
};

OrderedRows order_rows(const SparseMatrix& matrix, std::span<const int> place_of) {
  OrderedRows ordered;
  ordered.offsets.assign(place_of.size() + 1, 0);
  const auto for_each_entry = [&](const auto& visit) {
    for (Eigen::Index c = 0; c < matrix.outerSize(); ++c)
      for (SparseMatrix::InnerIterator entry(matrix, c); entry; ++entry) {
        if (entry.row() < entry.col()) continue;
        const int a = place_of[static_cast<std::size_t>(entry.row())];
        const int b = place_of[static_cast<std::size_t>(entry.col())];
        visit(static_cast<std::size_t>(std::max(a, b)), std::min(a, b), entry.value());
      }
  };
  for_each_entry([&](std::size_t row, int, double) { ++ordered.offsets[row + 1]; });
  for (std::size_t k = 0; k < place_of.size(); ++k) ordered.offsets[k + 1] += ordered.offsets[k];
  ordered.places.resize(static_cast<std::size_t>(ordered.offsets.back()));
  ordered.values.resize(ordered.places.size());
  std::vector<int> next(ordered.offsets.begin(), ordered.offsets.end() - 1);
  for_each_entry([&](std::size_t row, int place, double value) {
    const auto to = static_cast<std::size_t>(next[row]++);
    ordered.places[to] = place;
    ordered.values[to] = value;
  });
  return ordered;
}

class LdlFactor final : public CholeskyFactor {
 public:
  Status analyse(const SparseMatrix& matrix, std::span<const int> order) override {
    workspace_ = {};
    std::vector<int> found;
    if (order.empty()) order = found = ldl_elimination_order(matrix);
    place_of_.resize(order.size());
    for (std::size_t j = 0; j < order.size(); ++j)
      place_of_[static_cast<std::size_t>(order[j])] = static_cast<int>(j);
    find_tree(order_rows(matrix, place_of_));
    std::vector<int> counts_with_diagonal = counts_;
    for (int& count : counts_with_diagonal) ++count;
    cost_ = estimate_cost(parents_, counts_with_diagonal);
    return {};
  }

  Status factorise(const SparseMatrix& matrix) override;

  Status change(const SparseMatrix& columns, FactorChange change) override {
    if (!change_ldl(factor_, order_columns(columns, place_of_), change, workspace_))
      return factor_lost(change);
    return {};
  }

  void solve(const double* right, double* solution, int column_count) const override {
    const auto column_of = [this](std::size_t j) {
      const auto begin = static_cast<std::size_t>(factor_.begins[j]);
      return LdlColumn{factor_.rows.data() + begin, factor_.values.data() + begin,
                       factor_.counts[j], factor_.pivots[j]};
    };
    solve_ldl(column_of, place_of_, right, solution, column_count);
  }

  std::vector<double> pivots() const override { return factor_.pivots; }
  double factorise_ns() const override {
    return kProductNs * cost_.products + kEntryNs * cost_.entries;
  }
  double update_ns(Eigen::Index columns) const override {
    return kUpdateEntryNs * cost_.entries_per_update * static_cast<double>(columns);
  }
  const FactorCost& cost() const override { return cost_; }

 private:
  // Nanoseconds on one core of 2020: see docs/decisions/0007-cholmod-behind-an-interface.md.
  static constexpr double kProductNs = 0.55;
  static constexpr double kEntryNs = 10;
  static constexpr double kUpdateEntryNs = 1.3;

  /// Row k of L has an entry in every column on the paths from the entries of row k of the matrix
  /// up to k.
  void find_tree(const OrderedRows& ordered) {
    const std::size_t size = place_of_.size();
    parents_.assign(size, -1);
    counts_.assign(size, 0);
    std::vector<int> seen_by(size, -1);
    for (std::size_t k = 0; k < size; ++k) {
      const int row = static_cast<int>(k);
      seen_by[k] = row;
      for (int entry = ordered.offsets[k]; entry < ordered.offsets[k + 1]; ++entry)
        for (auto j = static_cast<std::size_t>(ordered.places[static_cast<std::size_t>(entry)]);
             seen_by[j] != row; j = static_cast<std::size_t>(parents_[j])) {
          if (parents_[j] < 0) parents_[j] = row;
          ++counts_[j];
          seen_by[j] = row;
        }
    }
  }

  std::vector<int> place_of_;
  std::vector<int> parents_, counts_;  // of the matrix as it was analysed
  LdlColumns factor_;
  LdlWorkspace workspace_;
  FactorCost cost_;
};

/// Row by row: row k of L solves L(above) D(above) x = row k of the matrix, in the columns that the
/// tree names, children first.
Status LdlFactor::factorise(const SparseMatrix& matrix) {
  const OrderedRows ordered = order_rows(matrix, place_of_);
  const std::size_t size = place_of_.size();
  factor_.begins.resize(size);
  factor_.capacities = counts_;
  std::int64_t total = 0;
  for (std::size_t j = 0; j < size; ++j) {
    factor_.begins[j] = total;
    total += counts_[j];
  }
  factor_.counts.assign(size, 0);
  factor_.rows.resize(static_cast<std::size_t>(total));
  factor_.values.resize(static_cast<std::size_t>(total));
  factor_.pivots.resize(size);

  std::vector<double> x(size, 0);
  std::vector<int> seen_by(size, -1), path, columns;
  for (std::size_t k = 0; k < size; ++k) {
    const int row = static_cast<int>(k);
    seen_by[k] = row;
    columns.clear();
    for (int e = ordered.offsets[k]; e < ordered.offsets[k + 1]; ++e) {
      const auto place = static_cast<std::size_t>(ordered.places[static_cast<std::size_t>(e)]);
      x[place] += ordered.values[static_cast<std::size_t>(e)];
      path.clear();
      for (std::size_t j = place; seen_by[j] != row; j = static_cast<std::size_t>(parents_[j])) {
        seen_by[j] = row;
        path.push_back(static_cast<int>(j));
      }
      // Backwards, for the whole is read backwards: a path found later ends in one found before.
      columns.insert(columns.end(), path.rbegin(), path.rend());
    }
    double pivot = x[k];
    x[k] = 0;
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
      const auto j = static_cast<std::size_t>(*column);
      const double known = x[j];
      x[j] = 0;
      const double value = known / factor_.pivots[j];
      const auto begin = static_cast<std::size_t>(factor_.begins[j]);
      const auto end = begin + static_cast<std::size_t>(factor_.counts[j]++);
      for (std::size_t entry = begin; entry < end; ++entry)
        x[static_cast<std::size_t>(factor_.rows[entry])] -= factor_.values[entry] * known;
      factor_.rows[end] = row;
      factor_.values[end] = value;
      pivot -= value * known;
    }
    if (!(pivot > 0)) return not_positive_definite();
    factor_.pivots[k] = pivot;
  }
  return {};
}

}  // namespace

std::vector<int> ldl_elimination_order(const SparseMatrix& matrix) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().data(), order.indices().data() + order.indices().size()};
}

std::unique_ptr<CholeskyFactor> make_ldl_factor() { return std::make_unique<LdlFactor>(); }

}  // namespace sinew
