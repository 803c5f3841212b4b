// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_solve.h"

#include <algorithm>
#include <limits>

#include "math/matrix_kernels.h"
#include "math/supernodal_border.h"

namespace sinew {
namespace {

/// Supernodes with more entries than this are cut: above all pieces there is nothing else that
/// could be done at the same time.
constexpr std::size_t kLeastEntriesToCut = 60'000;
/// Columns whose triangle is solved before others hear of it, and the rows or columns of a task
/// that then does so.
constexpr std::size_t kPanel = 192;
constexpr std::size_t kStripRows = 256;
constexpr std::size_t kStripColumns = 32;

/// Solves with one right-hand side, supernode by supernode.
template <class Scalar>
class OneColumn {
  using Matrix = matrix_kernels::Matrix<const Scalar>;

 public:
  OneColumn(const SupernodeArrays<Scalar>& factor, Scalar* x) : factor_(factor), x_(x) {}

  /// L y = b for a supernode's own rows, and what the rows below get less by it: those from `end`
  /// on take(row, change).
  template <class Take>
  void forward(std::size_t s, int end, std::vector<Scalar>& scratch, const Take& take) const {
    const std::span<const int> below = factor_.below(s);
    if (scratch.size() < below.size()) scratch.resize(below.size());
    kernels_->forward(columns_of(s), below.size(), block_of(s), own_of(s), scratch.data());
    std::size_t r = 0;  // rows ascend
    for (; r < below.size() && below[r] < end; ++r) x_[below[r]] -= scratch[r];
    for (; r < below.size(); ++r) take(below[r], scratch[r]);
  }

  /// Lᵀ x = y for a supernode's own rows; those below are known.
  void backward(std::size_t s, std::vector<Scalar>& scratch) const {
    const std::span<const int> below = factor_.below(s);
    if (scratch.size() < below.size()) scratch.resize(below.size());
    for (std::size_t r = 0; r < below.size(); ++r) scratch[r] = x_[below[r]];
    kernels_->backward(columns_of(s), below.size(), block_of(s), scratch.data(), own_of(s));
  }

  /// The same where nothing else runs: panel by panel, all rows after one in parallel.
  void forward_at_top(std::size_t s, std::vector<Scalar>& scratch) const {
    const auto take = [&](int row, Scalar change) { x_[row] -= change; };
    if (!is_worth_cutting(s)) return forward(s, factor_.column_count(), scratch, take);
    const std::size_t columns = columns_of(s);
    const std::span<const int> below = factor_.below(s);
    const std::size_t rows = columns + below.size();
    scratch.assign(std::max(scratch.size(), rows), 0);  // what each row gets less
    Scalar* const own = own_of(s);
    for (std::size_t first = 0; first < columns; first += kPanel) {
      const std::size_t wide = std::min(kPanel, columns - first);
      const std::size_t next = first + wide;
      for (std::size_t c = first; c < next; ++c) own[c] -= scratch[c];
      kernels_->forward(wide, 0, block_of(s).at(first, first), own + first, nullptr);
      parallel_for_chunks(rows - next, kStripRows, [&](ChunkRange strip) {
        kernels_->add_product(strip.end - strip.begin, wide,
                              block_of(s).at(next + strip.begin, first), own + first,
                              scratch.data() + next + strip.begin);
      });
    }
    for (std::size_t r = 0; r < below.size(); ++r) take(below[r], scratch[columns + r]);
  }

  void backward_at_top(std::size_t s, std::vector<Scalar>& scratch) const {
    if (!is_worth_cutting(s)) return backward(s, scratch);
    const std::size_t columns = columns_of(s);
    const std::span<const int> below = factor_.below(s);
    const std::size_t rows = columns + below.size();
    if (scratch.size() < rows) scratch.resize(rows);  // what is known of each row
    for (std::size_t r = 0; r < below.size(); ++r) scratch[columns + r] = x_[below[r]];
    Scalar* const own = own_of(s);
    std::vector<Scalar> sums;
    for (std::size_t next = columns; next > 0;) {
      const std::size_t wide = next % kPanel == 0 ? kPanel : next % kPanel;
      const std::size_t first = next - wide;
      sums.assign(wide, 0);
      parallel_for_chunks(wide, kStripColumns, [&](ChunkRange strip) {
        kernels_->add_transposed_product(rows - next, strip.end - strip.begin,
                                         block_of(s).at(next, first + strip.begin),
                                         scratch.data() + next, sums.data() + strip.begin);
      });
      for (std::size_t c = 0; c < wide; ++c) own[first + c] -= sums[c];
      kernels_->backward(wide, 0, block_of(s).at(first, first), nullptr, own + first);
      std::copy_n(own + first, wide, scratch.data() + first);
      next = first;
    }
  }

 private:
  [[nodiscard]] std::size_t columns_of(std::size_t s) const {
    return static_cast<std::size_t>(factor_.first_column[s + 1] - factor_.first_column[s]);
  }
  [[nodiscard]] Matrix block_of(std::size_t s) const {
    return {factor_.values + factor_.first_value[s], columns_of(s) + factor_.below(s).size()};
  }
  [[nodiscard]] Scalar* own_of(std::size_t s) const { return x_ + factor_.first_column[s]; }
  [[nodiscard]] bool is_worth_cutting(std::size_t s) const {
    return factor_.first_value[s + 1] - factor_.first_value[s] > kLeastEntriesToCut;
  }

  const SupernodeArrays<Scalar>& factor_;
  Scalar* x_;
  const matrix_kernels::KernelSet<Scalar>* kernels_ = &matrix_kernels::kernels<Scalar>();
};

}  // namespace

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
  const OneColumn<Scalar> solve(factor, x.data());
  std::vector<std::vector<Scalar>> above(ranges.size());  // what pieces change in the top
  parallel_for(
      ranges.size(),
      [&](std::size_t p) {
        std::vector<Scalar> scratch;
        above[p].assign(pieces.top_columns, 0);
        const int end = factor.first_column[ranges[p].end];
        for (std::size_t s = ranges[p].begin; s != ranges[p].end; ++s)
          solve.forward(s, end, scratch, [&](int row, Scalar change) {
            const int place = pieces.column_in_top[static_cast<std::size_t>(row)];
            above[p][static_cast<std::size_t>(place)] -= change;
          });
      },
      1);
  for (std::size_t c = 0; c < x.size(); ++c)
    if (const int place = pieces.column_in_top[c]; place >= 0)
      for (const std::vector<Scalar>& of_piece : above)
        x[c] += of_piece[static_cast<std::size_t>(place)];
  std::vector<Scalar> scratch;
  for (const int s : top) solve.forward_at_top(static_cast<std::size_t>(s), scratch);
  if (!border.empty()) border.apply(x);
  for (std::size_t t = top.size(); t-- > 0;)
    solve.backward_at_top(static_cast<std::size_t>(top[t]), scratch);
  parallel_for(
      ranges.size(),
      [&](std::size_t p) {
        std::vector<Scalar> own_scratch;
        for (std::size_t s = ranges[p].end; s-- > ranges[p].begin;) solve.backward(s, own_scratch);
      },
      1);
}

template <class Scalar>
void solve_supernodes_together(const SupernodeArrays<Scalar>& factor,
                               const SupernodalBorder<Scalar>& border, std::span<Scalar> x) {
  const matrix_kernels::KernelSet<Scalar>& kernels = matrix_kernels::kernels<Scalar>();
  const auto solve = [&](std::size_t s, const auto& kernel) {
    const std::span<const int> below = factor.below(s);
    const auto first = static_cast<std::size_t>(factor.first_column[s]);
    const std::size_t columns = static_cast<std::size_t>(factor.first_column[s + 1]) - first;
    kernel(columns, below.size(), below.data(),
           {factor.values + factor.first_value[s], columns + below.size()},
           x.data() + first * kColumnsTogether, x.data());
  };
  for (std::size_t s = 0; s < factor.count; ++s) solve(s, kernels.forward_together);
  if (!border.empty()) border.apply_together(x);
  for (std::size_t s = factor.count; s-- > 0;) solve(s, kernels.backward_together);
}

template void solve_supernodes(const SupernodeArrays<float>&, const SupernodePieces&,
                               const SupernodalBorder<float>&, std::span<float>);
template void solve_supernodes(const SupernodeArrays<double>&, const SupernodePieces&,
                               const SupernodalBorder<double>&, std::span<double>);
template void solve_supernodes_together(const SupernodeArrays<float>&,
                                        const SupernodalBorder<float>&, std::span<float>);
template void solve_supernodes_together(const SupernodeArrays<double>&,
                                        const SupernodalBorder<double>&, std::span<double>);

}  // namespace sinew
