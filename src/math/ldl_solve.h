// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace sinew {

/// One column of the unit lower triangular L without its diagonal, and its pivot in D.
struct LdlColumn {
  const int* rows;
  const double* values;
  int count;
  double pivot;
};

/// Right-hand sides that are solved in one go lie side by side in memory, so that an entry of L,
/// which takes longer to fetch than to multiply with, serves them all. Those beyond column_count
/// are zero.
template <int Columns, class ColumnOf>
void solve_ldl_together(const ColumnOf& column_of, std::span<const int> place_of,
                        const double* right, double* solution, int column_count) {
  using Row = Eigen::Array<double, 1, Columns>;
  const std::size_t size = place_of.size();
  std::vector<Row, Eigen::aligned_allocator<Row>> x(size, Row::Zero());
  for (std::size_t i = 0; i < size; ++i)
    for (int c = 0; c < column_count; ++c)
      x[static_cast<std::size_t>(place_of[i])][c] = right[static_cast<std::size_t>(c) * size + i];
  for (std::size_t j = 0; j < size; ++j) {
    const LdlColumn column = column_of(j);
    const Row known = x[j];
    for (int entry = 0; entry < column.count; ++entry)
      x[static_cast<std::size_t>(column.rows[entry])] -= column.values[entry] * known;
    x[j] = known / column.pivot;
  }
  for (std::size_t j = size; j-- > 0;) {
    const LdlColumn column = column_of(j);
    Row known = x[j];
    for (int entry = 0; entry < column.count; ++entry)
      known -= column.values[entry] * x[static_cast<std::size_t>(column.rows[entry])];
    x[j] = known;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (int c = 0; c < column_count; ++c)
      solution[static_cast<std::size_t>(c) * size + i] =
          x[static_cast<std::size_t>(place_of[i])][c];
}

/// Solves L D Lᵀ x = b for dense columns, one after the other in memory. column_of(j) gives the
/// LdlColumn of pivot j, place_of[i] the pivot of row i.
template <class ColumnOf>
void solve_ldl(const ColumnOf& column_of, std::span<const int> place_of, const double* right,
               double* solution, int column_count) {
  constexpr int kMostTogether = 8;
  for (int done = 0; done < column_count; done += kMostTogether) {
    const std::size_t first = static_cast<std::size_t>(done) * place_of.size();
    const int count = std::min(column_count - done, kMostTogether);
    const auto solve_together = [&]<int Columns>() {
      solve_ldl_together<Columns>(column_of, place_of, right + first, solution + first, count);
    };
    if (count == 1)
      solve_together.template operator()<1>();
    else if (count == 2)
      solve_together.template operator()<2>();
    else if (count <= 4)
      solve_together.template operator()<4>();
    else
      solve_together.template operator()<kMostTogether>();
  }
}

}  // namespace sinew
