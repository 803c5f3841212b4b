// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernode_analysis.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "math/factor_change.h"

namespace sinew {
namespace {

/// From the diagonal down.
std::span<const int> rows_of(const SparseMatrix& lower, int column) {
  const int* const end = lower.innerIndexPtr() + lower.outerIndexPtr()[column + 1];
  const int* begin = lower.innerIndexPtr() + lower.outerIndexPtr()[column];
  if (begin != end && *begin < column) begin = std::lower_bound(begin, end, column);
  return {begin, end};
}

/// Whether a column has the entries of the one before it but for that one's diagonal.
bool continues(const SparseMatrix& lower, int column) {
  const std::span<const int> before = rows_of(lower, column - 1);
  return before.size() > 1 && before.front() == column - 1 &&
         std::ranges::equal(before.subspan(1), rows_of(lower, column));
}

}  // namespace

RowGroups RowGroups::of_rows(std::span<const int> order) {
  RowGroups groups{{order.begin(), order.end()}, std::vector<int>(order.size() + 1)};
  std::iota(groups.begin.begin(), groups.begin.end(), 0);
  return groups;
}

RowGroups RowGroups::of_blocks(const SparseMatrix& lower, std::span<const int> order) {
  RowGroups groups{{order.begin(), order.end()}, {}};
  for (std::size_t j = 0; j < order.size(); ++j)
    if (j == 0 || order[j] != order[j - 1] + 1 || !continues(lower, order[j]))
      groups.begin.push_back(static_cast<int>(j));
  groups.begin.push_back(static_cast<int>(order.size()));
  return groups;
}

LowerPattern pattern_of(const SparseMatrix& lower, const RowGroups& groups) {
  std::vector<int> group_of(groups.rows.size());
  for (std::size_t g = 0; g < groups.count(); ++g)
    for (int j = groups.begin[g]; j < groups.begin[g + 1]; ++j)
      group_of[static_cast<std::size_t>(groups.rows[static_cast<std::size_t>(j)])] =
          static_cast<int>(g);
  // The first column of a group has the entries of all. Those of a block follow each other.
  const auto for_entries = [&](const auto& use) {
    for (std::size_t g = 0; g < groups.count(); ++g) {
      int last = -1;
      for (const int row : rows_of(lower, groups.rows[static_cast<std::size_t>(groups.begin[g])])) {
        const int other = group_of[static_cast<std::size_t>(row)];
        if (other == std::exchange(last, other)) continue;
        const int own = static_cast<int>(g);
        use(static_cast<std::size_t>(std::min(own, other)), std::max(own, other));
      }
    }
  };
  LowerPattern pattern{std::vector<int>(groups.count() + 1, 0), {}};
  for_entries([&](std::size_t column, int) { ++pattern.offsets[column + 1]; });
  std::partial_sum(pattern.offsets.begin(), pattern.offsets.end(), pattern.offsets.begin());
  pattern.rows.resize(static_cast<std::size_t>(pattern.offsets.back()));
  std::vector<int> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
  for_entries([&](std::size_t column, int row) {
    pattern.rows[static_cast<std::size_t>(next[column]++)] = row;
  });
  return pattern;
}

Result<SupernodeAnalysis> SupernodeAnalysis::of(const RowGroups& groups, ColumnAnalysis columns) {
  const double rows_each = groups.rows.empty() ? 1
                                               : static_cast<double>(groups.rows.size()) /
                                                     static_cast<double>(groups.count());
  SupernodeAnalysis analysis(
      groups,
      analyse_supernodes(std::move(columns), SupernodeRelaxation::for_blocks_of(rows_each)));
  if (analysis.rows_.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return factor_too_large();
  return analysis;
}

SupernodeAnalysis::SupernodeAnalysis(const RowGroups& groups, const SupernodeSymbolic& of_groups)
    : place_of_(groups.rows.size()) {
  std::vector<std::size_t> group_at(groups.count());  // in the order of elimination
  for (std::size_t g = 0; g < groups.count(); ++g)
    group_at[static_cast<std::size_t>(of_groups.place[g])] = g;
  std::vector<int> place_of_group(groups.count() + 1, 0);
  for (std::size_t j = 0; j < groups.count(); ++j) {
    int place = place_of_group[j];
    for (int r = groups.begin[group_at[j]]; r < groups.begin[group_at[j] + 1]; ++r)
      place_of_[static_cast<std::size_t>(groups.rows[static_cast<std::size_t>(r)])] = place++;
    place_of_group[j + 1] = place;
  }
  std::size_t value_count = 0;
  for (std::size_t s = 0; s < of_groups.count(); ++s) {
    first_column_.push_back(place_of_group[static_cast<std::size_t>(of_groups.first_column[s])]);
    first_row_.push_back(static_cast<int>(rows_.size()));
    first_value_.push_back(value_count);
    for (std::size_t r = of_groups.first_row[s]; r < of_groups.first_row[s + 1]; ++r) {
      const auto group = static_cast<std::size_t>(of_groups.rows[r]);
      for (int row = place_of_group[group]; row < place_of_group[group + 1]; ++row)
        rows_.push_back(row);
    }
    const int end = place_of_group[static_cast<std::size_t>(of_groups.first_column[s + 1])];
    value_count += (rows_.size() - static_cast<std::size_t>(first_row_.back())) *
                   static_cast<std::size_t>(end - first_column_.back());
  }
  first_column_.push_back(static_cast<int>(place_of_.size()));
  first_row_.push_back(static_cast<int>(rows_.size()));
  first_value_.push_back(value_count);
}

SupernodeStructure SupernodeAnalysis::structure() const {
  return {first_column_.size() - 1, first_column_.data(), first_row_.data(), first_value_.data(),
          rows_.data()};
}

}  // namespace sinew
