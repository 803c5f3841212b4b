// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_border.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr Eigen::Index kPanel = 64;  // columns of the small matrix that are eliminated together

/// L y = b for a supernode's own rows of columns that are solved together; use(row, change) is what
/// each row below then gets less.
template <class Scalar, class Own, class Rows, class Use>
void forward(const SupernodeArrays<Scalar>& factor, std::size_t s, Own&& own, Rows& scratch,
             const Use& use) {
  using Dense = Eigen::Map<const Eigen::MatrixX<Scalar>, 0, Eigen::OuterStride<>>;
  const std::span<const int> below = factor.below(s);
  const Eigen::Index columns = own.rows();
  const auto height = static_cast<Eigen::Index>(below.size());
  const Eigen::OuterStride<> stride(columns + height);
  const Dense diagonal(factor.values + factor.first_value[s], columns, columns, stride);
  diagonal.template triangularView<Eigen::Lower>().solveInPlace(own);
  if (height == 0) return;
  if (scratch.rows() < height) scratch.resize(height, kColumnsTogether);
  auto changes = scratch.topRows(height);
  changes.noalias() = Dense(diagonal.data() + columns, height, columns, stride) * own;
  for (Eigen::Index r = 0; r < height; ++r) use(below[static_cast<std::size_t>(r)], changes.row(r));
}

}  // namespace

template <class Scalar>
SupernodalBorder<Scalar>::SupernodalBorder(const SupernodeArrays<Scalar>& factor)
    : factor_(factor), supernode_of_(supernodes_of_columns(factor)), parents_(factor.count, -1) {
  for (std::size_t s = 0; s < factor.count; ++s)
    if (const std::span<const int> below = factor.below(s); !below.empty())
      parents_[s] = supernode_of_[static_cast<std::size_t>(below.front())];
}

template <class Scalar>
bool SupernodalBorder<Scalar>::add(const ColumnChange& change) {
  const OrderedColumns& columns = change.columns;
  // Columns that begin near each other have most of their way to the root in common.
  std::vector<int> order(static_cast<std::size_t>(columns.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int c) { return columns.rows_of(c).front(); });
  const std::size_t before = blocks_.size();
  blocks_.resize(before + chunk_count(order.size(), kColumnsTogether));
  parallel_for_chunks(order.size(), kColumnsTogether, [&](ChunkRange range) {
    blocks_[before + range.begin / kColumnsTogether] =
        solved(columns, std::span(order).subspan(range.begin, range.end - range.begin));
  });

  const auto first = static_cast<Eigen::Index>(before * kColumnsTogether);
  const auto size = static_cast<Eigen::Index>(count());
  lower_.conservativeResize(size, size);
  pivots_.conservativeResize(size);
  parallel_for(
      blocks_.size() - before,
      [&](std::size_t n) {
        const auto row = first + static_cast<Eigen::Index>(n * kColumnsTogether);
        for (std::size_t a = 0; a <= before + n; ++a)
          lower_.block<kColumnsTogether, kColumnsTogether>(
              row, static_cast<Eigen::Index>(a * kColumnsTogether)) =
              product(blocks_[before + n], blocks_[a]);
      },
      1);
  signs_.conservativeResize(size);
  signs_.tail(size - first).setOnes();  // of what fills up the last block too: it changes nothing
  if (change.direction == FactorChange::downdate)
    signs_.segment(first, static_cast<Eigen::Index>(order.size())).setConstant(-1);
  lower_.diagonal().tail(size - first) += signs_.tail(size - first);
  return factorise_from(first);
}

template <class Scalar>
bool SupernodalBorder<Scalar>::factorise_from(Eigen::Index first) {
  const Eigen::Index added = lower_.rows() - first;
  auto left = lower_.bottomLeftCorner(added, first);
  auto right = lower_.bottomRightCorner(added, added);
  if (first > 0) {
    Eigen::MatrixXd solved = left.transpose();
    lower_.topLeftCorner(first, first).triangularView<Eigen::UnitLower>().solveInPlace(solved);
    const Eigen::MatrixXd scaled = pivots_.head(first).cwiseInverse().asDiagonal() * solved;
    left = scaled.transpose();
    right.noalias() -= left * solved;
  }
  for (Eigen::Index panel = 0; panel < added; panel += kPanel) {
    const Eigen::Index end = std::min(panel + kPanel, added);
    for (Eigen::Index c = panel; c < end; ++c) {
      const double pivot = right(c, c);
      if (!(signs_[first + c] * pivot > kLeastPivotKeptRel) || !std::isfinite(pivot)) return false;
      pivots_[first + c] = pivot;
      const Eigen::Index rest = added - c - 1;
      const Eigen::VectorXd column = right.col(c).tail(rest);
      right.col(c).tail(rest) /= pivot;
      for (Eigen::Index k = c + 1; k < end; ++k)
        right.col(k).tail(added - k) -= right(k, c) * column.tail(added - k);
    }
    const Eigen::Index rest = added - end;
    const auto solved = right.block(end, panel, rest, end - panel);
    const Eigen::MatrixXd scaled =
        solved * pivots_.segment(first + panel, end - panel).asDiagonal();
    right.bottomRightCorner(rest, rest).noalias() -= scaled * solved.transpose();
  }
  return true;
}

template <class Scalar>
SupernodalBorder<Scalar>::Columns SupernodalBorder<Scalar>::solved(
    const OrderedColumns& columns, std::span<const int> chosen) const {
  Columns result;
  std::vector<int> place(factor_.count, -1);  // by supernode
  for (const int c : chosen)
    for (const int row : columns.rows_of(c))
      for (int s = supernode_of_[static_cast<std::size_t>(row)];
           s >= 0 && place[static_cast<std::size_t>(s)] < 0;
           s = parents_[static_cast<std::size_t>(s)]) {
        place[static_cast<std::size_t>(s)] = 0;
        result.supernodes.push_back(s);
      }
  std::ranges::sort(result.supernodes);
  int height = 0;
  for (const int s : result.supernodes) {
    place[static_cast<std::size_t>(s)] = height;
    result.place.push_back(height);
    height += factor_.first_column[s + 1] - factor_.first_column[s];
  }
  const auto row_at = [&](int column) {
    const auto s = static_cast<std::size_t>(supernode_of_[static_cast<std::size_t>(column)]);
    return place[s] + column - factor_.first_column[s];
  };
  result.values = Block::Zero(height, kColumnsTogether);
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    const std::span<const int> rows = columns.rows_of(chosen[n]);
    for (std::size_t r = 0; r < rows.size(); ++r)
      result.values(row_at(rows[r]), static_cast<Eigen::Index>(n)) =
          static_cast<Scalar>(columns.values_of(chosen[n])[r]);
  }
  Block scratch;
  for (const int s : result.supernodes) {
    const auto own = static_cast<std::size_t>(s);
    forward(factor_, own,
            result.values.middleRows(place[own],
                                     factor_.first_column[own + 1] - factor_.first_column[own]),
            scratch,
            [&](int row, const auto& change) { result.values.row(row_at(row)) -= change; });
  }
  return result;
}

template <class Scalar>
SupernodalBorder<Scalar>::Gram SupernodalBorder<Scalar>::product(const Columns& a,
                                                                 const Columns& b) const {
  Gram sum = Gram::Zero();
  for (std::size_t i = 0, k = 0; i < a.supernodes.size() && k < b.supernodes.size();) {
    const int s = a.supernodes[i];
    if (s != b.supernodes[k]) {
      ++(s < b.supernodes[k] ? i : k);
      continue;
    }
    const int height = factor_.first_column[s + 1] - factor_.first_column[s];
    using Product = Eigen::Matrix<Scalar, kColumnsTogether, kColumnsTogether>;
    const Product of_supernode = a.values.middleRows(a.place[i++], height).transpose() *
                                 b.values.middleRows(b.place[k++], height);
    sum += of_supernode.template cast<double>();
  }
  return sum;
}

template <class Scalar>
template <int Width>
void SupernodalBorder<Scalar>::apply_to(std::span<Scalar> x) const {
  using Rows = SupernodeRows<Scalar, Width>;
  Eigen::Map<Rows> all(x.data(), static_cast<Eigen::Index>(x.size()) / Width, Width);
  using InnerRows = SupernodeRows<double, Width>;
  InnerRows inner = InnerRows::Zero(static_cast<Eigen::Index>(count()), Width);
  const auto for_each = [&](const auto& use) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      auto of_block =
          inner.middleRows(static_cast<Eigen::Index>(b * kColumnsTogether), kColumnsTogether);
      for (std::size_t n = 0; n < blocks_[b].supernodes.size(); ++n) {
        const int s = blocks_[b].supernodes[n];
        const int first = factor_.first_column[s];
        const int height = factor_.first_column[s + 1] - first;
        use(of_block, blocks_[b].values.middleRows(blocks_[b].place[n], height),
            all.middleRows(first, height));
      }
    }
  };
  for_each([](auto&& of_block, const auto& values, auto&& rows) {
    const Eigen::Matrix<Scalar, kColumnsTogether, Width> product = values.transpose() * rows;
    of_block += product.template cast<double>();
  });
  const auto lower = lower_.triangularView<Eigen::UnitLower>();
  lower.solveInPlace(inner);
  inner.array().colwise() /= pivots_.array();
  lower.transpose().solveInPlace(inner);
  for_each([](auto&& of_block, const auto& values, auto&& rows) {
    const Eigen::Matrix<Scalar, kColumnsTogether, Width> factors = of_block.template cast<Scalar>();
    rows.noalias() -= values * factors;
  });
}

template <class Scalar>
void SupernodalBorder<Scalar>::apply(std::span<Scalar> x) const {
  apply_to<1>(x);
}
template <class Scalar>
void SupernodalBorder<Scalar>::apply_together(std::span<Scalar> x) const {
  apply_to<kColumnsTogether>(x);
}

template class SupernodalBorder<float>;
template class SupernodalBorder<double>;

}  // namespace sinew
