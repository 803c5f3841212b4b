// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

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
/// which takes longer to fetch than to multiply with, serves them all.
template <int Columns, class ColumnOf>
void solve_ldl_together(const ColumnOf& column_of, std::span<const int> place_of,
                        const double* right, double* solution) {
  using Row = Eigen::Array<double, 1, Columns>;
  const std::size_t size = place_of.size();
  std::vector<Row, Eigen::aligned_allocator<Row>> x(size);
  for (std::size_t i = 0; i < size; ++i)
    for (int c = 0; c < Columns; ++c)
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
    for (int c = 0; c < Columns; ++c)
      solution[static_cast<std::size_t>(c) * size + i] =
          x[static_cast<std::size_t>(place_of[i])][c];
}

/// Solves L D Lᵀ x = b for dense columns, one after the other in memory. column_of(j) gives the
/// LdlColumn of pivot j, place_of[i] the pivot of row i.
template <class ColumnOf>
void solve_ldl(const ColumnOf& column_of, std::span<const int> place_of, const double* right,
               double* solution, int column_count) {
  int done = 0;
  const auto solve_next = [&]<int Columns>() {
    for (; done + Columns <= column_count; done += Columns) {
      const std::size_t first = static_cast<std::size_t>(done) * place_of.size();
      solve_ldl_together<Columns>(column_of, place_of, right + first, solution + first);
    }
  };
  solve_next.template operator()<8>();
  solve_next.template operator()<4>();
  solve_next.template operator()<2>();
  solve_next.template operator()<1>();
}

}  // namespace sinew
