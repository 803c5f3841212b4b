// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/volume/elements.h"

namespace sinew {

/// Where points lie in an interior: each as a mean of the points of one element, with coefficients
/// that are not negative and sum to one. What is known at the points of the interior is so known at
/// these, and stays between the least and the greatest of it.
struct Embedding {
  std::vector<std::size_t> begin;      // points + 1
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
[[nodiscard]] Eigen::MatrixXd at_embedded(const Embedding& embedding,
                                          const Eigen::MatrixXd& at_points);

/// The same as a matrix: a row for each embedded point, a column for each of the interior's
/// `point_count`.
[[nodiscard]] Eigen::SparseMatrix<double, Eigen::RowMajor> matrix_of(const Embedding& embedding,
                                                                     std::size_t point_count);

}  // namespace sinew
