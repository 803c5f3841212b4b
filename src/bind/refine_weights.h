// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "bind/prepared_bind.h"
#include "sinew/poses/exemplars.h"

namespace sinew {

/// Weights that came from fewer vertices, made better on all of them: what is wrong is between
/// neighbours, and a few steps of conjugate gradients mend that without a factor, whose memory and
/// time grow faster than the mesh. Keeps every vertex's bones.
[[nodiscard]] Result<SkinWeights> refine_weights(const Character& character,
                                                 const PreparedBind& prepared,
                                                 const SkinWeights& carried,
                                                 std::span<const Exemplar> exemplars,
                                                 const BindPlan& plan, const Progress& progress);

}  // namespace sinew
