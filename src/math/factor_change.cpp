// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/factor_change.h"

#include <algorithm>
#include <utility>

namespace sinew {

std::span<const int> OrderedColumns::rows_of(int column) const {
  const auto c = static_cast<std::size_t>(column);
  return std::span(rows).subspan(static_cast<std::size_t>(offsets[c]),
                                 static_cast<std::size_t>(offsets[c + 1] - offsets[c]));
}

std::span<const double> OrderedColumns::values_of(int column) const {
  const auto c = static_cast<std::size_t>(column);
  return std::span(values).subspan(static_cast<std::size_t>(offsets[c]),
                                   static_cast<std::size_t>(offsets[c + 1] - offsets[c]));
}

OrderedColumns order_columns(const SparseMatrix& columns, std::span<const int> place_of) {
  OrderedColumns ordered;
  std::vector<std::pair<int, double>> entries;
  for (Eigen::Index c = 0; c < columns.outerSize(); ++c) {
    entries.clear();
    for (SparseMatrix::InnerIterator entry(columns, c); entry; ++entry)
      if (entry.value() != 0)
        entries.emplace_back(place_of[static_cast<std::size_t>(entry.row())], entry.value());
    if (entries.empty()) continue;
    std::sort(entries.begin(), entries.end());
    for (const auto& [row, value] : entries) {
      ordered.rows.push_back(row);
      ordered.values.push_back(value);
    }
    ordered.offsets.push_back(static_cast<int>(ordered.rows.size()));
  }
  return ordered;
}

Error not_positive_definite() {
  return {ErrorCode::bad_argument, "", "the matrix is not positive definite"};
}

Error factor_lost(FactorChange change) {
  return {ErrorCode::bad_argument, "",
          change == FactorChange::update
              ? "with these columns the matrix is beyond the range of numbers"
              : "without these columns the matrix is not positive definite, or all rounding"};
}

Error factor_too_large() {
  return {ErrorCode::too_large, "",
          "the factor of the matrix does not fit into memory or 32-bit indices"};
}

}  // namespace sinew
