// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bind/prepared_bind.h"
#include "sinew/bind/bind.h"

namespace sinew {

/// Where the first weights end, of all the work of an optimised bind.
inline constexpr double kFirstWeightsEnd = 0.5;

/// Makes the weights to start from as the plan says, and finds the bones that bend or twist: both
/// go into `prepared`. Times are added. With weights that are there already, one row per welded
/// vertex, they are not made.
[[nodiscard]] Status make_first_weights(const Character& character, const BindOptions& options,
                                        const BindPlan& plan, PreparedBind& prepared,
                                        std::vector<StageTime>& times, const Progress& progress,
                                        const SkinWeights* there_already = nullptr);

/// The weights with every vertex of a rigid part on that part's bone.
[[nodiscard]] SkinWeights bound_to_one_bone(const MeshParts& parts,
                                            const std::vector<int>& bone_of_part,
                                            const SkinWeights& weights);

}  // namespace sinew
