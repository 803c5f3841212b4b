// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_solve.h"

#include <algorithm>
#include <limits>

#include "math/supernodal_border.h"

namespace sinew {
namespace {

/// Supernodes with more entries below their diagonal than this are cut into strips of so many rows
/// or columns: above all pieces there is nothing else that could be done at the same time.
constexpr Eigen::Index kLeastEntriesToCut = 30'000;
constexpr std::size_t kStrip = 64;

template <class Scalar>
bool is_worth_cutting(const Supernode<Scalar>& node) {
  return node.under.size() > kLeastEntriesToCut;
}

/// Lᵀ x = y for a supernode's own rows; those below are known.
template <class Scalar, int Width>
void backward(const Supernode<Scalar>& node, Eigen::Map<SupernodeRows<Scalar, Width>>& x,
              SupernodeRows<Scalar, Width>& scratch) {
  auto own = x.middleRows(node.column, node.columns);
  const auto height = static_cast<Eigen::Index>(node.below.size());
  if (height > 0) {
    if (scratch.rows() < height) scratch.resize(height, Width);
    auto known = scratch.topRows(height);
    for (Eigen::Index r = 0; r < height; ++r)
      known.row(r) = x.row(node.below[static_cast<std::size_t>(r)]);
    own.noalias() -= node.under.transpose() * known;
  }
  node.diagonal.template triangularView<Eigen::Lower>().transpose().solveInPlace(own);
}

template <class Scalar>
using Column = SupernodeRows<Scalar, 1>;

template <class Scalar>
void forward_at_top(const Supernode<Scalar>& node, Eigen::Map<Column<Scalar>>& x,
                    Column<Scalar>& scratch) {
  auto own = x.segment(node.column, node.columns);
  if (!is_worth_cutting(node)) {
    forward(node, own, scratch, [&](int row, const auto& change) { x[row] -= change.value(); });
    return;
  }
  node.diagonal.template triangularView<Eigen::Lower>().solveInPlace(own);
  parallel_for_chunks(node.below.size(), kStrip, [&](ChunkRange range) {
    const auto first = static_cast<Eigen::Index>(range.begin);
    const auto count = static_cast<Eigen::Index>(range.end - range.begin);
    const Column<Scalar> changes = node.under.middleRows(first, count) * own;
    for (Eigen::Index r = 0; r < count; ++r)
      x[node.below[static_cast<std::size_t>(first + r)]] -= changes[r];
  });
}

template <class Scalar>
void backward_at_top(const Supernode<Scalar>& node, Eigen::Map<Column<Scalar>>& x,
                     Column<Scalar>& scratch) {
  if (!is_worth_cutting(node)) {
    backward(node, x, scratch);
    return;
  }
  auto own = x.segment(node.column, node.columns);
  const auto height = static_cast<Eigen::Index>(node.below.size());
  Column<Scalar> known(height);
  for (Eigen::Index r = 0; r < height; ++r) known[r] = x[node.below[static_cast<std::size_t>(r)]];
  parallel_for_chunks(static_cast<std::size_t>(node.columns), kStrip, [&](ChunkRange range) {
    const auto first = static_cast<Eigen::Index>(range.begin);
    const auto count = static_cast<Eigen::Index>(range.end - range.begin);
    own.segment(first, count).noalias() -= node.under.middleCols(first, count).transpose() * known;
  });
  node.diagonal.template triangularView<Eigen::Lower>().transpose().solveInPlace(own);
}

}  // namespace

template <class Scalar>
Supernode<Scalar>::Supernode(const SupernodeArrays<Scalar>& factor, std::size_t index)
    : column(factor.first_column[index]),
      columns(factor.first_column[index + 1] - column),
      below(factor.below(index)),
      diagonal(factor.values + factor.first_value[index], columns, columns,
               Eigen::OuterStride<>(columns + static_cast<Eigen::Index>(below.size()))),
      under(diagonal.data() + columns, static_cast<Eigen::Index>(below.size()), columns,
            Eigen::OuterStride<>(diagonal.outerStride())) {}

std::span<const int> SupernodeStructure::below(std::size_t supernode) const {
  const int columns = first_column[supernode + 1] - first_column[supernode];
  const int begin = first_row[supernode] + columns;
  return {rows + begin, static_cast<std::size_t>(first_row[supernode + 1] - begin)};
}

std::vector<int> supernodes_of_columns(const SupernodeStructure& structure) {
  std::vector<int> supernode_of(static_cast<std::size_t>(structure.column_count()));
  for (std::size_t s = 0; s < structure.count; ++s)
    std::fill(supernode_of.begin() + structure.first_column[s],
              supernode_of.begin() + structure.first_column[s + 1], static_cast<int>(s));
  return supernode_of;
}

SupernodePieces SupernodePieces::of(const SupernodeStructure& structure) {
  const std::vector<int> supernode_of = supernodes_of_columns(structure);
  std::vector<int> parents(structure.count, -1);
  std::vector<int> entries(structure.count);
  for (std::size_t s = 0; s < structure.count; ++s) {
    const std::span<const int> below = structure.below(s);
    if (!below.empty()) parents[s] = supernode_of[static_cast<std::size_t>(below.front())];
    const std::size_t size = structure.first_value[s + 1] - structure.first_value[s];
    entries[s] = static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
  }
  SupernodePieces result{SolvePieces::of(parents, entries),
                         std::vector<int>(supernode_of.size(), -1), 0};
  for (const int top : result.of_supernodes.top)
    for (int column = structure.first_column[top]; column < structure.first_column[top + 1];
         ++column)
      result.column_in_top[static_cast<std::size_t>(column)] =
          static_cast<int>(result.top_columns++);
  return result;
}

template <class Scalar>
void solve_supernodes(const SupernodeArrays<Scalar>& factor, const SupernodePieces& pieces,
                      const SupernodalBorder<Scalar>& border, std::span<Scalar> x) {
  const std::vector<ChunkRange>& ranges = pieces.of_supernodes.pieces;
  const std::vector<int>& top = pieces.of_supernodes.top;
  Eigen::Map<Column<Scalar>> all(x.data(), static_cast<Eigen::Index>(x.size()));
  std::vector<Column<Scalar>> above(ranges.size());  // what pieces change in the top
  parallel_for(
      ranges.size(),
      [&](std::size_t p) {
        Column<Scalar> scratch;
        above[p] = Column<Scalar>::Zero(static_cast<Eigen::Index>(pieces.top_columns));
        const int end = factor.first_column[ranges[p].end];
        for (std::size_t s = ranges[p].begin; s != ranges[p].end; ++s) {
          const Supernode node(factor, s);
          forward(node, all.segment(node.column, node.columns), scratch,
                  [&](int row, const auto& change) {
                    Scalar& changed =
                        row < end ? all[row]
                                  : above[p][pieces.column_in_top[static_cast<std::size_t>(row)]];
                    changed -= change.value();
                  });
        }
      },
      1);
  for (std::size_t c = 0; c < x.size(); ++c)
    if (const int place = pieces.column_in_top[c]; place >= 0)
      for (const Column<Scalar>& of_piece : above) x[c] += of_piece[place];
  Column<Scalar> scratch;
  for (const int s : top)
    forward_at_top(Supernode(factor, static_cast<std::size_t>(s)), all, scratch);
  if (!border.empty()) border.apply(x);
  for (std::size_t t = top.size(); t-- > 0;)
    backward_at_top(Supernode(factor, static_cast<std::size_t>(top[t])), all, scratch);
  parallel_for(
      ranges.size(),
      [&](std::size_t p) {
        Column<Scalar> own_scratch;
        for (std::size_t s = ranges[p].end; s-- > ranges[p].begin;)
          backward(Supernode(factor, s), all, own_scratch);
      },
      1);
}

template <class Scalar>
void solve_supernodes_together(const SupernodeArrays<Scalar>& factor,
                               const SupernodalBorder<Scalar>& border, std::span<Scalar> x) {
  using Rows = SupernodeRows<Scalar, kColumnsTogether>;
  Eigen::Map<Rows> all(x.data(), static_cast<Eigen::Index>(x.size()) / kColumnsTogether,
                       kColumnsTogether);
  Rows scratch;
  for (std::size_t s = 0; s < factor.count; ++s) {
    const Supernode node(factor, s);
    forward(node, all.middleRows(node.column, node.columns), scratch,
            [&](int row, const auto& change) { all.row(row) -= change; });
  }
  if (!border.empty()) border.apply_together(x);
  for (std::size_t s = factor.count; s-- > 0;) backward(Supernode(factor, s), all, scratch);
}

template struct Supernode<float>;
template struct Supernode<double>;
template void solve_supernodes(const SupernodeArrays<float>&, const SupernodePieces&,
                               const SupernodalBorder<float>&, std::span<float>);
template void solve_supernodes(const SupernodeArrays<double>&, const SupernodePieces&,
                               const SupernodalBorder<double>&, std::span<double>);
template void solve_supernodes_together(const SupernodeArrays<float>&,
                                        const SupernodalBorder<float>&, std::span<float>);
template void solve_supernodes_together(const SupernodeArrays<double>&,
                                        const SupernodalBorder<double>&, std::span<double>);

}  // namespace sinew
