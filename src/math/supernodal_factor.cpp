// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "math/supernodal_border.h"
#include "math/supernodal_factorise.h"

namespace sinew {
namespace {

template <class Scalar>
class FactorOf final : public SupernodalFactor {
 public:
  FactorOf(const SupernodeStructure& structure, std::span<const int> place_of)
      : structure_(structure), place_of_(place_of), pieces_(SupernodePieces::of(structure)) {}

  [[nodiscard]] bool factorise(const SparseMatrix& lower) {
    values_ = std::make_unique_for_overwrite<Scalar[]>(structure_.first_value[structure_.count]);
    return factorise_supernodes(structure_, pieces_, place_of_, lower, values_.get());
  }

  CholeskyPrecision precision() const override {
    return std::is_same_v<Scalar, float> ? CholeskyPrecision::single : CholeskyPrecision::full;
  }

  void solve(const double* right, double* solution, int column_count) const override {
    if (column_count == 1) {
      solve_some<1>(right, solution, 1, [&](std::span<Scalar> x) {
        solve_supernodes<Scalar>(arrays(), pieces_, border_, x);
      });
      return;
    }
    for (int done = 0; done < column_count; done += kColumnsTogether) {
      const std::size_t first = static_cast<std::size_t>(done) * place_of_.size();
      solve_some<kColumnsTogether>(
          right + first, solution + first,
          static_cast<std::size_t>(std::min(column_count - done, kColumnsTogether)),
          [&](std::span<Scalar> x) { solve_supernodes_together<Scalar>(arrays(), border_, x); });
    }
  }

  bool change(const ColumnChange& change) override {
    if (border_.empty()) border_ = SupernodalBorder<Scalar>(arrays());
    return border_.add(change);
  }
  std::size_t changed_count() const override { return border_.count(); }

  std::vector<double> pivots() const override {
    std::vector<double> pivots(place_of_.size());
    for (std::size_t s = 0; s < structure_.count; ++s) {
      const int height = structure_.first_row[s + 1] - structure_.first_row[s];
      const int begin = structure_.first_column[s];
      for (int j = begin; j < structure_.first_column[s + 1]; ++j) {
        const double root =
            values_[structure_.first_value[s] +
                    static_cast<std::size_t>(j - begin) * static_cast<std::size_t>(height + 1)];
        pivots[static_cast<std::size_t>(j)] = root * root;
      }
    }
    return pivots;
  }

 private:
  [[nodiscard]] SupernodeArrays<Scalar> arrays() const { return {structure_, values_.get()}; }

  /// Columns side by side, the missing ones zero.
  template <int Width, class Solve>
  void solve_some(const double* right, double* solution, std::size_t count,
                  const Solve& solve) const {
    const std::size_t size = place_of_.size();
    const auto in_x = [&](std::size_t row, std::size_t column) {
      return static_cast<std::size_t>(place_of_[row]) * Width + column;
    };
    std::vector<Scalar> x(size * Width, 0);
    std::array<double, Width> scales{};
    for (std::size_t c = 0; c < count; ++c) {
      const std::span column(right + c * size, size);
      scales[c] = scale_of(column);
      for (std::size_t i = 0; i < size; ++i)
        x[in_x(i, c)] = static_cast<Scalar>(column[i] / scales[c]);
    }
    solve(x);
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t i = 0; i < size; ++i)
        solution[c * size + i] = scales[c] * static_cast<double>(x[in_x(i, c)]);
  }
  /// Floats are solved as if the largest entry were one, so that none overflows or vanishes.
  [[nodiscard]] static double scale_of(std::span<const double> column) {
    double largest = 0;
    if (std::is_same_v<Scalar, float>)
      for (const double each : column) largest = std::max(largest, std::abs(each));
    return largest > 0 ? largest : 1;
  }

  SupernodeStructure structure_;
  std::span<const int> place_of_;
  SupernodePieces pieces_;
  std::unique_ptr<Scalar[]> values_;
  SupernodalBorder<Scalar> border_;
};

template <class Scalar>
std::unique_ptr<SupernodalFactor> made(const SupernodeStructure& structure,
                                       std::span<const int> place_of, const SparseMatrix& lower) {
  auto factor = std::make_unique<FactorOf<Scalar>>(structure, place_of);
  if (!factor->factorise(lower)) return nullptr;
  return factor;
}

}  // namespace

std::unique_ptr<SupernodalFactor> SupernodalFactor::make(CholeskyPrecision precision,
                                                         const SupernodeStructure& structure,
                                                         std::span<const int> place_of,
                                                         const SparseMatrix& lower) {
  return precision == CholeskyPrecision::single ? made<float>(structure, place_of, lower)
                                                : made<double>(structure, place_of, lower);
}

}  // namespace sinew
