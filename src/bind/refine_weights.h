// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "bind/optimise_weights.h"

namespace sinew {

/// Weights that came from fewer vertices, made better on all of them: what is wrong is between
/// neighbours, and a few steps of conjugate gradients mend that without a factor, whose memory and
/// time grow faster than the mesh. Keeps every vertex's bones.
[[nodiscard]] Result<SkinWeights> refine_weights(const BoundSoFar& so_far,
                                                 const SkinWeights& carried,
                                                 std::span<const Exemplar> exemplars,
                                                 const BindOptions& options,
                                                 const Progress& progress);

}  // namespace sinew
