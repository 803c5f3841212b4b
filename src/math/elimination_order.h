// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "math/supernode_symbolic.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// The rows of a matrix in an order, and what of its factor follows from that.
struct AnalysedOrder {
  std::vector<int> rows;
  ColumnAnalysis columns;

  [[nodiscard]] static AnalysedOrder of(const SparseMatrix& lower, std::vector<int> rows);
  /// A postorder of the tree: the factor has the same entries.
  [[nodiscard]] std::vector<int> postordered() const;
};

/// Approximate minimum degree: P. Amestoy, T. Davis and I. Duff, Algorithm 837: AMD, ACM
/// Transactions on Mathematical Software 30(3), 2004. Of the lower triangle; fails with too_large.
[[nodiscard]] Result<AnalysedOrder> minimum_degree_order(const SparseMatrix& lower);

/// Nested dissection: G. Karypis and V. Kumar, A fast and high quality multilevel scheme for
/// partitioning irregular graphs, SIAM Journal on Scientific Computing 20(1), 1998 (METIS). Takes
/// five to ten times as long, and saves up to a third of a large factor's products. Fails with
/// too_large.
[[nodiscard]] Result<AnalysedOrder> dissection_order(const SparseMatrix& lower);

/// The better one, as elimination_order() has it.
[[nodiscard]] Result<AnalysedOrder> best_order(const SparseMatrix& lower, double products_each);

}  // namespace sinew
