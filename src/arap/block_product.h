// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// The inner loop of a symmetric matrix, of which the lower triangle is stored, times a vector, for
// the best instruction set that the processor has; all give the same bits.
namespace sinew::block_product {

/// The columns of one vertex's unknowns, below its own block. Their entries are in the same rows,
/// which are the unknowns of other vertices, all those of one and then all of the next.
struct VertexColumns {
  std::size_t first = 0;  // unknown of the vertex
  std::size_t size = 0;
  const double* const* columns = nullptr;  // where each begins below the block
  const int* rows = nullptr;
  std::size_t below = 0;           // rows
  const int* block_end = nullptr;  // of each unknown, where those of its vertex end
};

/// Adds the entries' products with x: those of rows to the sums of columns, and the other way
/// round. `sums` begins at the unknown `base`.
void add(const VertexColumns& vertex, const double* x, std::size_t base, double* sums);
/// The same for any processor.
void add_baseline(const VertexColumns& vertex, const double* x, std::size_t base, double* sums);

}  // namespace sinew::block_product
