// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// order[j] is the row that comes j-th, and `products` those of the factor. Both orders are
/// postordered, and of the lower triangle; both fail with too_large.
struct FoundOrder {
  std::vector<int> order;
  double products = 0;
};

/// Approximate minimum degree: P. Amestoy, T. Davis and I. Duff, Algorithm 837: AMD, ACM
/// Transactions on Mathematical Software 30(3), 2004.
[[nodiscard]] Result<FoundOrder> minimum_degree_order(const SparseMatrix& lower);

/// Nested dissection: G. Karypis and V. Kumar, A fast and high quality multilevel scheme for
/// partitioning irregular graphs, SIAM Journal on Scientific Computing 20(1), 1998 (METIS). Takes
/// five to ten times as long, and saves up to a third of a large factor's products.
[[nodiscard]] Result<FoundOrder> dissection_order(const SparseMatrix& lower);

}  // namespace sinew
