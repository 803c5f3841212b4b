// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/math/sparse_cholesky.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// One step of Laplacian filtering: every vertex takes the mean of its neighbours' weights, as they
/// conduct, on the bones that it has, scaled to sum to one. Evens out what capping left uneven
/// ([araplbs] section 5, local maxima).
///
/// Guarantee: no vertex gets a bone that it did not have, and what it gets goes to nothing with
/// what it had. A vertex without neighbours, or whose neighbours share no bone with it, stays as it
/// is. `laplacian` as from make_laplacian.
[[nodiscard]] SkinWeights laplacian_filter(const SkinWeights& weights,
                                           const SparseMatrix& laplacian);

}  // namespace sinew
