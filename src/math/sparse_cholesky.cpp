// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/sparse_cholesky.h"

#include <mutex>

#include "sinew/core/parallel.h"

#ifdef SINEW_WITH_CHOLMOD
#include <cholmod.h>
#else
#include <Eigen/SparseCholesky>
#endif

namespace sinew {
namespace {

/// Columns solved together: enough to share one pass over the factor, few enough to spread.
constexpr std::size_t kColumnsPerBlock = 8;

Error not_positive_definite() {
  return {ErrorCode::bad_argument, "", "the matrix is not positive definite"};
}

}  // namespace

#ifdef SINEW_WITH_CHOLMOD

// There when the BLAS that was found at run time is OpenBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace {

/// BLAS is used for factorising alone, by one thread at a time: the serial OpenBLAS is not safe to
/// call from several, and the sums of a threaded one would depend on their number.
std::mutex& blas_mutex() {
  static std::mutex mutex;
  [[maybe_unused]] static const bool is_told = [] {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return true;
  }();
  return mutex;
}

/// A workspace that never prints. CHOLMOD wants one per thread.
struct Common : cholmod_common {
  Common() : cholmod_common() {
    cholmod_start(this);
    print = 0;
    supernodal = CHOLMOD_AUTO;
    final_asis = 0;
    final_super =
        0;         // solving with a simplicial factor needs no BLAS, so that blocks run in parallel
    final_ll = 1;  // an LDLᵀ of an indefinite matrix would pass unnoticed
  }
  ~Common() { cholmod_finish(this); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
};

cholmod_sparse view(const SparseMatrix& matrix) {
  cholmod_sparse view{};
  view.nrow = static_cast<std::size_t>(matrix.rows());
  view.ncol = static_cast<std::size_t>(matrix.cols());
  view.nzmax = static_cast<std::size_t>(matrix.nonZeros());
  view.p = const_cast<int*>(matrix.outerIndexPtr());
  view.i = const_cast<int*>(matrix.innerIndexPtr());
  view.x = const_cast<double*>(matrix.valuePtr());
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;
  return view;
}

}  // namespace

struct SparseCholesky::Factor {
  Common common;
  cholmod_factor* factor = nullptr;
  ~Factor() { cholmod_free_factor(&factor, &common); }
};

Result<SparseCholesky> SparseCholesky::factor(const SparseMatrix& matrix) {
  const std::lock_guard lock(blas_mutex());
  auto factor = std::make_unique<Factor>();
  cholmod_sparse lower = view(matrix);
  factor->factor = cholmod_analyze(&lower, &factor->common);
  if (factor->factor != nullptr) cholmod_factorize(&lower, factor->factor, &factor->common);
  if (factor->common.status == CHOLMOD_OUT_OF_MEMORY ||
      factor->common.status == CHOLMOD_TOO_LARGE || factor->factor == nullptr)
    return Error{ErrorCode::too_large, "",
                 "the factor of the matrix does not fit into memory or 32-bit indices"};
  if (factor->common.status != CHOLMOD_OK) return not_positive_definite();
  return SparseCholesky(std::move(factor));
}

Eigen::MatrixXd SparseCholesky::solve(const Eigen::MatrixXd& right_hand_sides) const {
  Eigen::MatrixXd solution(right_hand_sides.rows(), right_hand_sides.cols());
  const auto rows = static_cast<std::size_t>(right_hand_sides.rows());
  const auto solve_block = [&](ChunkRange columns) {
    Common common;
    cholmod_dense block{};
    block.nrow = block.d = rows;
    block.ncol = columns.end - columns.begin;
    block.nzmax = block.nrow * block.ncol;
    block.x = const_cast<double*>(right_hand_sides.data() + columns.begin * rows);
    block.xtype = CHOLMOD_REAL;
    block.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* solved = cholmod_solve(CHOLMOD_A, factor_->factor, &block, &common);
    if (solved == nullptr) throw std::bad_alloc();
    const auto* values = static_cast<const double*>(solved->x);
    std::copy(values, values + block.nzmax, solution.data() + columns.begin * rows);
    cholmod_free_dense(&solved, &common);
  };
  parallel_for_chunks(static_cast<std::size_t>(right_hand_sides.cols()), kColumnsPerBlock,
                      solve_block);
  return solution;
}

#else

struct SparseCholesky::Factor {
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> factor;
};

Result<SparseCholesky> SparseCholesky::factor(const SparseMatrix& matrix) {
  auto factor = std::make_unique<Factor>();
  factor->factor.compute(matrix);
  if (factor->factor.info() != Eigen::Success || !(factor->factor.vectorD().minCoeff() > 0))
    return not_positive_definite();
  return SparseCholesky(std::move(factor));
}

Eigen::MatrixXd SparseCholesky::solve(const Eigen::MatrixXd& right_hand_sides) const {
  Eigen::MatrixXd solution(right_hand_sides.rows(), right_hand_sides.cols());
  parallel_for_chunks(static_cast<std::size_t>(right_hand_sides.cols()), kColumnsPerBlock,
                      [&](ChunkRange columns) {
                        const auto first = static_cast<Eigen::Index>(columns.begin);
                        const auto count = static_cast<Eigen::Index>(columns.end - columns.begin);
                        solution.middleCols(first, count) =
                            factor_->factor.solve(right_hand_sides.middleCols(first, count));
                      });
  return solution;
}

#endif

SparseCholesky::SparseCholesky(std::unique_ptr<Factor> factor) : factor_(std::move(factor)) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

}  // namespace sinew
