// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/embedding.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/parallel.h"

namespace sinew {

Eigen::MatrixXd at_embedded(const Embedding& embedding, const Eigen::MatrixXd& at_points) {
  Eigen::MatrixXd values(static_cast<Eigen::Index>(embedding.size()), at_points.cols());
  parallel_for(embedding.size(), [&](std::size_t p) {
    const auto corners = embedding.corners_of(p);
    const auto coefficients = embedding.coefficients_of(p);
    auto row = values.row(static_cast<Eigen::Index>(p));
    row.setZero();
    for (std::size_t c = 0; c < corners.size(); ++c) {
      assert(corners[c] < at_points.rows());
      row += coefficients[c] * at_points.row(corners[c]);
    }
  });
  return values;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> matrix_of(const Embedding& embedding,
                                                       std::size_t point_count) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(static_cast<Eigen::Index>(embedding.size()),
                                                      static_cast<Eigen::Index>(point_count));
  matrix.reserve(static_cast<Eigen::Index>(embedding.corner.size()));
  std::vector<std::pair<ElementPoint, double>> row;
  for (std::size_t p = 0; p < embedding.size(); ++p) {
    row.clear();
    const auto corners = embedding.corners_of(p);
    const auto coefficients = embedding.coefficients_of(p);
    for (std::size_t c = 0; c < corners.size(); ++c)
      if (coefficients[c] != 0) row.emplace_back(corners[c], coefficients[c]);
    std::ranges::sort(row);
    const auto index = static_cast<Eigen::Index>(p);
    matrix.startVec(index);
    for (const auto& [corner, coefficient] : row) matrix.insertBack(index, corner) = coefficient;
  }
  matrix.finalize();
  return matrix;
}

}  // namespace sinew
