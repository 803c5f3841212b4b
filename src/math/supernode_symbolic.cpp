// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernode_symbolic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace sinew {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// For each row, the columns before it.
LowerPattern columns_of_row(const LowerPattern& pattern) {
  const std::size_t size = pattern.column_count();
  LowerPattern result{std::vector<int>(size + 1, 0), {}};
  for (const int row : pattern.rows) ++result.offsets[at(row) + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.rows.resize(pattern.rows.size());
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t j = 0; j < size; ++j)
    for (const int row : pattern.rows_of(j)) result.rows[at(next[at(row)]++)] = static_cast<int>(j);
  return result;
}

/// J. Liu, A compact row storage scheme for Cholesky factors using elimination trees, ACM
/// Transactions on Mathematical Software 12(2), 1986: each row becomes the parent of the roots that
/// its entries are under. Roots are found by shortcuts that every search leaves behind.
std::vector<int> elimination_tree(const LowerPattern& columns_of_row) {
  const std::size_t size = columns_of_row.column_count();
  std::vector<int> parents(size, -1), shortcut(size, -1);
  for (std::size_t row = 0; row < size; ++row)
    for (int column : columns_of_row.rows_of(row))
      while (column >= 0 && at(column) != row) {
        const int above = std::exchange(shortcut[at(column)], static_cast<int>(row));
        if (above < 0) parents[at(column)] = static_cast<int>(row);
        column = above;
      }
  return parents;
}

/// The places of a tree's nodes when every node comes after all that are under it. Children ascend
/// by weight, at most the number of nodes, and where that is equal, and for roots, as they come.
std::vector<int> postorder(std::span<const int> parents, std::span<const int> weights) {
  const std::size_t size = parents.size();
  std::vector<int> by_weight(size), begin(size + 2, 0);
  for (const int weight : weights) ++begin[at(weight) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (std::size_t j = 0; j < size; ++j)
    by_weight[at(begin[at(weights[j])]++)] = static_cast<int>(j);

  std::vector<int> nodes(size, 1);  // of each subtree
  for (std::size_t j = 0; j < size; ++j)
    if (parents[j] >= 0) nodes[at(parents[j])] += nodes[j];
  std::vector<int> first(size, 0), taken(size, 0);  // place of a subtree, at first in its parent's
  for (const int j : by_weight)
    if (const int parent = parents[at(j)]; parent >= 0)
      first[at(j)] = std::exchange(taken[at(parent)], taken[at(parent)] + nodes[at(j)]);
  int of_roots = 0;
  for (std::size_t j = 0; j < size; ++j)
    if (parents[j] < 0) first[j] = std::exchange(of_roots, of_roots + nodes[j]);
  std::vector<int> place(size);
  for (std::size_t j = size; j-- > 0;) {  // parents come after their children in any order
    if (parents[j] >= 0) first[j] += first[at(parents[j])];
    place[j] = first[j] + nodes[j] - 1;
  }
  return place;
}

/// J. Gilbert, E. Ng and B. Peyton, An efficient algorithm to compute row and column counts for
/// sparse Cholesky factorization, SIAM Journal on Matrix Analysis and Applications 15(4), 1994,
/// figure 3. A row of the factor has its entries in a subtree of the elimination tree. Column j
/// has as many as there are subtrees with j among them: as many as have leaves under j, less one
/// for every two leaves of a row that meet there, less what ends there.
std::vector<int> column_counts(const LowerPattern& pattern, std::span<const int> parents,
                               std::span<const int> place) {
  const std::size_t size = pattern.column_count();
  std::vector<int> column_at(size), first_under(size), weights(size, 1);
  for (std::size_t j = 0; j < size; ++j) column_at[at(place[j])] = static_cast<int>(j);
  for (std::size_t j = 0; j < size; ++j) first_under[j] = place[j];
  for (const int j : column_at)
    if (const int parent = parents[at(j)]; parent >= 0) {
      first_under[at(parent)] = std::min(first_under[at(parent)], first_under[at(j)]);
      weights[at(parent)] = 0;
    }
  std::vector<int> last_neighbour(size, -1), last_leaf(size, -1);  // of each row, by its columns
  std::vector<int> above(size);  // a forest: a column's root is its last ancestor so far
  std::iota(above.begin(), above.end(), 0);
  const auto root_of = [&](int j) {
    for (; above[at(j)] != j; j = above[at(j)]) above[at(j)] = above[at(above[at(j)])];
    return j;
  };
  for (const int j : column_at) {
    const int parent = parents[at(j)];
    if (parent >= 0) --weights[at(parent)];
    for (const int row : pattern.rows_of(at(j))) {
      if (row == j) continue;
      if (first_under[at(j)] > last_neighbour[at(row)]) {  // a leaf of the row's subtree
        ++weights[at(j)];
        const int before = std::exchange(last_leaf[at(row)], j);
        if (before >= 0) --weights[at(root_of(before))];
      }
      last_neighbour[at(row)] = place[at(j)];
    }
    if (parent >= 0) above[at(j)] = parent;
  }
  for (const int j : column_at)
    if (parents[at(j)] >= 0) weights[at(parents[at(j)])] += weights[at(j)];
  return weights;
}

/// Columns next to each other that are to have the same rows.
struct Supernode {
  int begin;
  int end;
  double rows;       // of the first column
  double zeros = 0;  // of all columns, where merging was to be decided

  [[nodiscard]] double columns() const { return end - begin; }
  [[nodiscard]] double entries() const {
    return columns() * (columns() + 1) / 2 + columns() * (rows - columns());
  }
};

/// A supernode's columns are one path of the tree, and each has the rows of the one before it but
/// for its diagonal; no other column is the child of any but the first.
std::vector<Supernode> fundamental_supernodes(std::span<const int> parents,
                                              std::span<const int> counts) {
  const std::size_t size = parents.size();
  std::vector<int> children(size, 0);
  for (const int parent : parents)
    if (parent >= 0) ++children[at(parent)];
  std::vector<Supernode> found;
  for (std::size_t j = 0; j < size; ++j) {
    const int column = static_cast<int>(j);
    const bool goes_on =
        j > 0 && parents[j - 1] == column && counts[j - 1] == counts[j] + 1 && children[j] == 1;
    if (!goes_on) found.push_back({column, column, static_cast<double>(counts[j])});
    found.back().end = column + 1;
  }
  return found;
}

/// Both as one, if that is worth it: the columns of the child get all rows of its parent.
std::optional<Supernode> merged(const Supernode& child, const Supernode& parent,
                                const SupernodeRelaxation& relaxation) {
  const double rows = child.columns() + parent.rows;
  Supernode both{child.begin, parent.end, rows, parent.zeros};
  if (both.columns() <= relaxation.columns_always) return both;
  const double more_zeros = child.columns() * (rows - child.rows);
  both.zeros += more_zeros;
  const double zeros_rel = both.zeros / both.entries();
  const auto is_within = [&](const SupernodeRelaxation::Limit& limit) {
    return both.columns() <= limit.columns && zeros_rel < limit.zeros_rel;
  };
  if (more_zeros == 0 || zeros_rel < relaxation.zeros_rel_always ||
      std::ranges::any_of(relaxation.limits, is_within))
    return both;
  return std::nullopt;
}

/// From the roots down: each supernode is merged with what the next one has become, if its parent
/// is there.
std::vector<Supernode> relaxed_supernodes(std::span<const int> parents, std::span<const int> counts,
                                          const SupernodeRelaxation& relaxation) {
  const std::vector<Supernode> fundamental = fundamental_supernodes(parents, counts);
  std::vector<Supernode> found;
  for (auto each = fundamental.rbegin(); each != fundamental.rend(); ++each) {
    const int parent = parents[at(each->end - 1)];
    std::optional<Supernode> both;
    if (parent >= 0 && parent < found.back().end) both = merged(*each, found.back(), relaxation);
    if (both)
      found.back() = *both;
    else
      found.push_back(*each);
  }
  std::ranges::reverse(found);
  return found;
}

/// A row of the factor has entries in the supernodes on the ways from the matrix's entries in that
/// row up to the row's own.
void find_rows(const LowerPattern& columns_of_row, std::span<const int> parents,
               SupernodeSymbolic& result) {
  std::vector<int> supernode_of(parents.size()), parent_of(result.count(), -1);
  std::vector<std::size_t> next(result.first_row.begin(), result.first_row.end() - 1);
  for (std::size_t s = 0; s < result.count(); ++s)
    for (int column = result.first_column[s]; column < result.first_column[s + 1]; ++column) {
      supernode_of[at(column)] = static_cast<int>(s);
      result.rows[next[s]++] = column;
    }
  for (std::size_t s = 0; s < result.count(); ++s)
    if (const int parent = parents[at(result.first_column[s + 1] - 1)]; parent >= 0)
      parent_of[s] = supernode_of[at(parent)];
  std::vector<int> seen_by(result.count(), -1), row_of_matrix(parents.size());
  for (std::size_t j = 0; j < parents.size(); ++j)
    row_of_matrix[at(result.place[j])] = static_cast<int>(j);
  for (int row = 0; at(row) < parents.size(); ++row) {
    seen_by[at(supernode_of[at(row)])] = row;
    for (const int column : columns_of_row.rows_of(at(row_of_matrix[at(row)])))
      for (int s = supernode_of[at(result.place[at(column)])]; seen_by[at(s)] != row;
           s = parent_of[at(s)]) {
        seen_by[at(s)] = row;
        result.rows[next[at(s)]++] = row;
      }
  }
}

}  // namespace

std::span<const int> LowerPattern::rows_of(std::size_t column) const {
  return std::span(rows).subspan(at(offsets[column]), at(offsets[column + 1] - offsets[column]));
}

double ColumnAnalysis::products() const {
  double products = 0;
  for (const double count : counts) products += count * count;
  return products;
}

SupernodeRelaxation SupernodeRelaxation::for_blocks_of(double size) {
  SupernodeRelaxation relaxation;
  relaxation.columns_always = std::ceil(relaxation.columns_always / size);
  for (Limit& limit : relaxation.limits) limit.columns = std::ceil(limit.columns / size);
  return relaxation;
}

ColumnAnalysis analyse_columns(const LowerPattern& pattern) {
  ColumnAnalysis result;
  result.columns_of_row = columns_of_row(pattern);
  result.parents = elimination_tree(result.columns_of_row);
  const std::vector<int> alike(pattern.column_count(), 0);
  result.counts = column_counts(pattern, result.parents, postorder(result.parents, alike));
  result.place = postorder(result.parents, result.counts);
  return result;
}

SupernodeSymbolic analyse_supernodes(ColumnAnalysis columns,
                                     const SupernodeRelaxation& relaxation) {
  const std::size_t size = columns.parents.size();
  std::vector<int> parents(size, -1), counts(size);  // in the postorder
  for (std::size_t j = 0; j < size; ++j) {
    const std::size_t place = at(columns.place[j]);
    counts[place] = columns.counts[j];
    if (columns.parents[j] >= 0) parents[place] = columns.place[at(columns.parents[j])];
  }
  SupernodeSymbolic result;
  std::size_t row_count = 0;
  for (const Supernode& each : relaxed_supernodes(parents, counts, relaxation)) {
    result.first_column.push_back(each.begin);
    result.first_row.push_back(row_count);
    row_count += static_cast<std::size_t>(each.rows);
  }
  result.first_column.push_back(static_cast<int>(size));
  result.first_row.push_back(row_count);
  result.rows.resize(row_count);
  result.place = std::move(columns.place);
  find_rows(columns.columns_of_row, parents, result);
  return result;
}

}  // namespace sinew
