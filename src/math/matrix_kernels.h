// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

/// As many right-hand sides as are solved together.
inline constexpr int kColumnsTogether = 8;

}  // namespace sinew

namespace sinew::matrix_kernels {

/// A matrix of floats or doubles, column after column.
template <class Scalar>
struct Matrix {
  Scalar* data;
  std::size_t stride;  // from one column to the next

  [[nodiscard]] Matrix at(std::size_t row, std::size_t column) const {
    return {data + row + column * stride, stride};
  }
};

/// Entries of a vector that are neighbours in another one too.
struct Run {
  std::size_t begin;
  std::size_t end;
  std::size_t place;  // of the first in the other vector
};

/// Which entries of a product are wanted.
enum class Wanted { all, lower };  // lower: rows that are not above their column

/// One instruction set's kernels. What they compute for an entry depends on nothing but its row and
/// its column, however a matrix is cut into pieces; what `backward` and `add_transposed_product`
/// add up over rows, where it is cut into columns.
template <class Scalar>
struct KernelSet {
  /// c = a bᵀ, with `rows` rows of a, `columns` rows of b, and as many columns of both as `depth`.
  /// Entries that are not wanted may be anything. The scratch is for all calls of one thread.
  void (*multiply)(std::size_t rows, std::size_t columns, std::size_t depth, Matrix<Scalar> a,
                   Matrix<Scalar> b, Matrix<Scalar> c, Wanted wanted, std::vector<Scalar>& scratch);
  /// c −= a bᵀ, of the same; entries that are not wanted may change.
  void (*take_product)(std::size_t rows, std::size_t columns, std::size_t depth, Matrix<Scalar> a,
                       Matrix<Scalar> b, Matrix<Scalar> c, Wanted wanted,
                       std::vector<Scalar>& scratch);
  /// Takes entries of `from`, of these runs and not before `first`, from those of `to`. The entry
  /// at `first` is where `from` points.
  void (*take_runs)(const Run* begin, const Run* end, std::size_t first, const Scalar* from,
                    Scalar* to);
  /// Replaces the lower triangle by its Cholesky factor; false if a pivot is not positive.
  bool (*factorise)(std::size_t size, Matrix<Scalar> lower);
  /// x = x l⁻ᵀ for `rows` rows, l lower triangular.
  void (*solve)(std::size_t rows, std::size_t size, Matrix<Scalar> l, Matrix<Scalar> x);
  /// Of a vector: x = l⁻¹ x and changes = u x, where l is lower triangular and u the rows below it.
  void (*forward)(std::size_t size, std::size_t below, Matrix<const Scalar> l, Scalar* x,
                  Scalar* changes);
  /// x = l⁻ᵀ (x − uᵀ known) of the same matrices.
  void (*backward)(std::size_t size, std::size_t below, Matrix<const Scalar> l, const Scalar* known,
                   Scalar* x);
  /// The same of kColumnsTogether vectors side by side, row after row, in place: rows[r] is which
  /// row of x is the r-th of those below, and `own` points to the first of the solved rows.
  void (*forward_together)(std::size_t size, std::size_t below, const int* rows,
                           Matrix<const Scalar> l, Scalar* own, Scalar* x);
  void (*backward_together)(std::size_t size, std::size_t below, const int* rows,
                            Matrix<const Scalar> l, Scalar* own, const Scalar* x);
  /// y += a x, and x += aᵀ y.
  void (*add_product)(std::size_t rows, std::size_t columns, Matrix<const Scalar> a,
                      const Scalar* x, Scalar* y);
  void (*add_transposed_product)(std::size_t rows, std::size_t columns, Matrix<const Scalar> a,
                                 const Scalar* y, Scalar* x);
};

/// The best for this processor, for floats or doubles.
template <class Scalar>
[[nodiscard]] const KernelSet<Scalar>& kernels();
/// The best without AVX-512, and those for any processor.
template <class Scalar>
[[nodiscard]] const KernelSet<Scalar>& narrow_kernels();
template <class Scalar>
[[nodiscard]] const KernelSet<Scalar>& baseline_kernels();
template <>
const KernelSet<float>& kernels();
template <>
const KernelSet<double>& kernels();
template <>
const KernelSet<float>& narrow_kernels();
template <>
const KernelSet<double>& narrow_kernels();
template <>
const KernelSet<float>& baseline_kernels();
template <>
const KernelSet<double>& baseline_kernels();

}  // namespace sinew::matrix_kernels
