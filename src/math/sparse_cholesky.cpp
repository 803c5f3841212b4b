// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/sparse_cholesky.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "core/parallel.h"
#include "math/cholesky_factor.h"

namespace sinew {
namespace {

/// Columns solved together: enough to share one pass over the factor, few enough to spread.
constexpr std::size_t kColumnsPerBlock = 8;

bool is_finite(const SparseMatrix& compressed) {
  const double* values = compressed.valuePtr();
  return std::all_of(values, values + compressed.nonZeros(),
                     [](double value) { return std::isfinite(value); });
}

SparseMatrix compressed_copy(const SparseMatrix& matrix) {
  SparseMatrix copy = matrix;
  copy.makeCompressed();
  return copy;
}

bool is_order(std::span<const int> order, Eigen::Index rows) {
  std::vector<bool> is_named(static_cast<std::size_t>(rows), false);
  for (const int row : order) {
    if (row < 0 || row >= rows || is_named[static_cast<std::size_t>(row)]) return false;
    is_named[static_cast<std::size_t>(row)] = true;
  }
  return order.size() == is_named.size();
}

/// The places of a matrix's entries.
struct Pattern {
  std::vector<int> offsets, rows;
  bool operator==(const Pattern&) const = default;
};

Pattern pattern_of(const SparseMatrix& compressed) {
  const int* offsets = compressed.outerIndexPtr();
  const int* rows = compressed.innerIndexPtr();
  return {{offsets, offsets + compressed.cols() + 1}, {rows, rows + compressed.nonZeros()}};
}

}  // namespace

struct SparseCholesky::State {
  CholeskyFactor factor;
  Pattern analysed;
  Eigen::Index size = -1;  // no matrix yet
  bool is_factorised = false;

  Status factorise(const SparseMatrix& matrix, std::span<const int> order);
  Status change(const SparseMatrix& columns, FactorChange direction);
};

Status SparseCholesky::State::factorise(const SparseMatrix& matrix, std::span<const int> order) {
  if (!matrix.isCompressed()) return factorise(compressed_copy(matrix), order);
  is_factorised = false;
  if (matrix.rows() != matrix.cols())
    return Error{ErrorCode::bad_argument, "", "the matrix is not square"};
  if (!is_finite(matrix))
    return Error{ErrorCode::bad_argument, "", "the matrix has an entry that is not finite"};
  if (!order.empty() && !is_order(order, matrix.rows()))
    return Error{ErrorCode::bad_argument, "order", "does not name every row once"};
  try {
    Pattern pattern = pattern_of(matrix);
    if (size != matrix.rows() || pattern != analysed) {
      size = -1;
      SINEW_CHECK(factor.analyse(matrix, order));
      analysed = std::move(pattern);
      size = matrix.rows();
    }
    SINEW_CHECK(factor.factorise(matrix));
  } catch (const std::bad_alloc&) {
    return factor_too_large();
  }
  is_factorised = true;
  return {};
}

Status SparseCholesky::State::change(const SparseMatrix& columns, FactorChange direction) {
  assert(is_factorised);
  if (!columns.isCompressed()) return change(compressed_copy(columns), direction);
  if (columns.rows() != size)
    return Error{ErrorCode::bad_argument, "", "the columns have not as many rows as the matrix"};
  if (!is_finite(columns))
    return Error{ErrorCode::bad_argument, "", "the columns have an entry that is not finite"};
  is_factorised = false;
  try {
    SINEW_CHECK(factor.change(columns, direction));
  } catch (const std::bad_alloc&) {
    return factor_too_large();
  }
  is_factorised = true;
  return {};
}

Result<SparseCholesky> SparseCholesky::factor(const SparseMatrix& matrix,
                                              const CholeskyOptions& options) {
  return factor(matrix, {}, options);
}

Result<SparseCholesky> SparseCholesky::factor(const SparseMatrix& matrix,
                                              std::span<const int> order,
                                              const CholeskyOptions& options) {
  auto state = std::make_unique<State>(State{CholeskyFactor(options.precision), {}});
  SINEW_CHECK(state->factorise(matrix, order));
  return SparseCholesky(std::move(state));
}

Status SparseCholesky::factorise(const SparseMatrix& matrix) {
  return state_->factorise(matrix, {});
}

Status SparseCholesky::factorise(const SparseMatrix& matrix, std::span<const int> order) {
  return state_->factorise(matrix, order);
}

Eigen::MatrixXd SparseCholesky::solve(const Eigen::MatrixXd& right_hand_sides) const {
  assert(state_->is_factorised && right_hand_sides.rows() == state_->size);
  Eigen::MatrixXd solution(right_hand_sides.rows(), right_hand_sides.cols());
  if (solution.size() == 0) return solution;
  const auto rows = static_cast<std::size_t>(right_hand_sides.rows());
  parallel_for_chunks(
      static_cast<std::size_t>(right_hand_sides.cols()), kColumnsPerBlock, [&](ChunkRange columns) {
        const std::size_t first = columns.begin * rows;
        state_->factor.solve(right_hand_sides.data() + first, solution.data() + first,
                             static_cast<int>(columns.end - columns.begin));
      });
  return solution;
}

Status SparseCholesky::update(const SparseMatrix& columns) {
  return state_->change(columns, FactorChange::update);
}

Status SparseCholesky::downdate(const SparseMatrix& columns) {
  return state_->change(columns, FactorChange::downdate);
}

bool SparseCholesky::is_factorised() const { return state_->is_factorised; }

bool SparseCholesky::prefers_refactorisation(Eigen::Index column_count) const {
  return state_->factor.update_ns(column_count) > state_->factor.factorise_ns();
}

double SparseCholesky::pivot_ratio() const {
  assert(state_->is_factorised);
  const std::vector<double> pivots = state_->factor.pivots();
  if (pivots.empty()) return 1;
  const auto [least, greatest] = std::minmax_element(pivots.begin(), pivots.end());
  return *least / *greatest;
}

CholeskyPrecision SparseCholesky::precision() const { return state_->factor.precision(); }

SparseCholesky::SparseCholesky(std::unique_ptr<State> state) : state_(std::move(state)) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

}  // namespace sinew
