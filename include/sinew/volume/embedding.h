// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/volume/elements.h"

namespace sinew {

/// Where points lie in an interior: each as a mean of the points of one element, with coefficients
/// that are not negative and sum to one. What is known at the points of the interior is so known at
/// these, and stays between the least and the greatest of it, but for rounding.
struct Embedding {
  std::vector<std::size_t> begin;      // of what belongs to each point, and the end; or empty
  std::vector<ElementPoint> corner;    // of the interior, those of each point together
  std::vector<double> coefficient;     // beside corner
  std::vector<std::uint32_t> element;  // of each point: hexahedra first, then tetrahedra

  [[nodiscard]] std::size_t size() const { return element.size(); }
  [[nodiscard]] std::span<const ElementPoint> corners_of(std::size_t point) const {
    return std::span(corner).subspan(begin[point], begin[point + 1] - begin[point]);
  }
  [[nodiscard]] std::span<const double> coefficients_of(std::size_t point) const {
    return std::span(coefficient).subspan(begin[point], begin[point + 1] - begin[point]);
  }
};

/// Values at embedded points, of values at the points of the interior; one column for each field.
/// The same bits for any number of threads. Cost: O(coefficients × fields).
[[nodiscard]] Eigen::MatrixXd at_embedded(const Embedding& embedding,
                                          const Eigen::MatrixXd& at_points);

/// The same as a matrix: a row for each embedded point, a column for each of the interior's
/// `point_count`. Coefficients of zero have no entries.
[[nodiscard]] Eigen::SparseMatrix<double, Eigen::RowMajor> matrix_of(const Embedding& embedding,
                                                                     std::size_t point_count);

}  // namespace sinew
