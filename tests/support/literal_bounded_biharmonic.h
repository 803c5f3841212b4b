// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/weights/bounded_biharmonic.h"

namespace sinew::test {

/// Q of a level as a dense matrix, scaled to a mean diagonal of one.
[[nodiscard]] Eigen::MatrixXd dense_biharmonic(const BiharmonicLevel& level);

/// The weights of one level, a column for each handle, by the primal-dual active set method as it
/// is written down: of everything, in dense matrices.
[[nodiscard]] Eigen::MatrixXd literal_bounded_biharmonic(const BiharmonicLevel& level,
                                                         int handle_count);

/// How far weights are from obeying the conditions of a minimum within the bounds: the largest
/// |w - clip(w - (Q w) / diag Q)| over free points.
[[nodiscard]] double dense_residual(const BiharmonicLevel& level, const Eigen::MatrixXd& weights);

}  // namespace sinew::test
