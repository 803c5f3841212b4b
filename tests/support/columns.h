// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace sinew::test {

/// Right-hand sides without any pattern that a matrix of meshes could have.
inline Eigen::MatrixXd some_columns(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index c = 0; c < columns; ++c)
    for (Eigen::Index r = 0; r < rows; ++r)
      matrix(r, c) = std::sin(0.7 * static_cast<double>(r) + 1.3 * static_cast<double>(c));
  return matrix;
}

}  // namespace sinew::test
