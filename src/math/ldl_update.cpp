// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "math/ldl_factor.h"

namespace sinew {
namespace {

/// Room for a column that outgrew its own, over what it needs: columns that grow often move seldom.
constexpr int room_for(int count) { return count + count / 4 + 4; }

/// Puts rows into a column whose entries are zero until the numbers follow.
void insert_rows(LdlColumns& factor, int column, std::span<const int> added) {
  const auto j = static_cast<std::size_t>(column);
  const int count = factor.counts[j] + static_cast<int>(added.size());
  const auto old_begin = static_cast<std::size_t>(factor.begins[j]);
  std::size_t begin = old_begin;
  if (count > factor.capacities[j]) {
    begin = factor.rows.size();
    factor.begins[j] = static_cast<std::int64_t>(begin);
    factor.capacities[j] = room_for(count);
    factor.rows.resize(begin + static_cast<std::size_t>(factor.capacities[j]));
    factor.values.resize(factor.rows.size());
  }
  // From the back, so that the column may merge into its own place.
  auto kept = static_cast<std::size_t>(factor.counts[j]);
  std::size_t fresh = added.size();
  for (auto to = static_cast<std::size_t>(count); to-- > 0;) {
    if (fresh == 0 || (kept > 0 && factor.rows[old_begin + kept - 1] > added[fresh - 1])) {
      --kept;
      factor.rows[begin + to] = factor.rows[old_begin + kept];
      factor.values[begin + to] = factor.values[old_begin + kept];
    } else {
      --fresh;
      factor.rows[begin + to] = added[fresh];
      factor.values[begin + to] = 0;
    }
  }
  factor.counts[j] = count;
}

/// Makes places for the fill of one column of C. Up the tree until a column has all the rows that
/// come to it: from there on every parent has them as well.
void make_room(LdlColumns& factor, std::span<const int> rows) {
  std::vector<int> missing;
  int column = rows.front();
  std::vector<int> arriving(rows.begin() + 1, rows.end());
  while (true) {
    const std::span<const int> present = factor.rows_of(column);
    missing.clear();
    std::set_difference(arriving.begin(), arriving.end(), present.begin(), present.end(),
                        std::back_inserter(missing));
    if (missing.empty()) return;
    insert_rows(factor, column, missing);
    const std::span<const int> grown = factor.rows_of(column);
    column = grown.front();
    arriving.assign(grown.begin() + 1, grown.end());
  }
}

/// The columns of L that a pass touches, ascending. `is_on_path` is all false before and after.
std::vector<int> collect_path(const LdlColumns& factor, const OrderedColumns& columns, int first,
                              int last, std::vector<char>& is_on_path) {
  std::vector<int> path;
  for (int c = first; c < last; ++c)
    for (int j = columns.rows_of(c).front(); j >= 0 && !is_on_path[static_cast<std::size_t>(j)];
         j = factor.parent_of(j)) {
      is_on_path[static_cast<std::size_t>(j)] = true;
      path.push_back(j);
    }
  std::sort(path.begin(), path.end());
  for (const int j : path) is_on_path[static_cast<std::size_t>(j)] = false;
  return path;
}

/// What a pass carries up the tree.
struct Pass {
  double sign;
  LdlRow scales;  // a of method C1: what is left of a column counts 1/a of its square
};

/// What a column of L gets from one column of C, as in method C1.
struct Share {
  std::size_t column;
  double left;  // p: what is left of the column of C in the pivot's row
  double gain;  // how much of what is left below goes into L
};

/// Compiled for every number of shares: unrolled, their numbers stay in registers.
template <std::size_t Count>
void change_entries(LdlColumns& factor, std::size_t j, const Share* given,
                    std::vector<LdlRow>& left) {
  std::array<Share, Count> shares;
  std::copy_n(given, Count, shares.begin());
  const auto begin = static_cast<std::size_t>(factor.begins[j]);
  const auto end = begin + static_cast<std::size_t>(factor.counts[j]);
  for (std::size_t entry = begin; entry < end; ++entry) {
    LdlRow& row = left[static_cast<std::size_t>(factor.rows[entry])];
    double value = factor.values[entry];
    for (std::size_t s = 0; s < Count; ++s) {
      const double below = row[shares[s].column] - shares[s].left * value;
      value += shares[s].gain * below;
      row[shares[s].column] = below;
    }
    factor.values[entry] = value;
  }
}

template <std::size_t... Counts>
void change_entries(LdlColumns& factor, std::size_t j, std::span<const Share> shares,
                    std::vector<LdlRow>& left, std::index_sequence<Counts...>) {
  (void)((Counts + 1 == shares.size() &&
          (change_entries<Counts + 1>(factor, j, shares.data(), left), true)) ||
         ...);
}

/// False when the pivot does not survive.
bool change_column(LdlColumns& factor, int column, Pass& pass, std::vector<LdlRow>& left) {
  const auto j = static_cast<std::size_t>(column);
  std::array<Share, kLdlColumnsPerPass> shares;
  std::size_t count = 0;
  double pivot = factor.pivots[j];
  for (std::size_t c = 0; c < kLdlColumnsPerPass; ++c) {
    const double p = left[j][c];
    if (p == 0) continue;
    const double scale = pass.scales[c] + pass.sign * p * p / pivot;
    if (!(scale > 0)) return false;
    shares[count++] = {c, p, pass.sign * p / (pivot * scale)};
    pivot *= scale / pass.scales[c];
    pass.scales[c] = scale;
  }
  if (!(pivot > kLeastPivotKeptRel * factor.pivots[j]) || !std::isfinite(pivot)) return false;
  factor.pivots[j] = pivot;
  left[j] = {};
  change_entries(factor, j, std::span(shares).first(count), left,
                 std::make_index_sequence<kLdlColumnsPerPass>());
  return true;
}

}  // namespace

bool change_ldl(LdlColumns& factor, const OrderedColumns& columns, FactorChange change,
                LdlWorkspace& workspace) {
  for (int c = 0; c < columns.count(); ++c) make_room(factor, columns.rows_of(c));
  const auto size = static_cast<std::size_t>(factor.size());
  workspace.is_on_path.resize(size, false);
  workspace.left.resize(size, LdlRow{});
  constexpr auto kPerPass = static_cast<int>(kLdlColumnsPerPass);
  for (int first = 0; first < columns.count(); first += kPerPass) {
    const int last = std::min(first + kPerPass, columns.count());
    Pass pass{change == FactorChange::update ? 1.0 : -1.0, {}};
    pass.scales.fill(1);
    for (int c = first; c < last; ++c)
      for (std::size_t entry = 0; entry < columns.rows_of(c).size(); ++entry)
        workspace.left[static_cast<std::size_t>(columns.rows_of(c)[entry])]
                      [static_cast<std::size_t>(c - first)] = columns.values_of(c)[entry];
    for (const int j : collect_path(factor, columns, first, last, workspace.is_on_path))
      if (!change_column(factor, j, pass, workspace.left)) {
        workspace = {};
        return false;
      }
  }
  return true;
}

}  // namespace sinew
