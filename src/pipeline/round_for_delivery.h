// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/exemplars/exemplars.h"
#include "sinew/pipeline/bind.h"
#include "sinew/prepare/prepared_mesh.h"

namespace sinew {

/// What exemplars, which are in model space, do to points of a frame. Bones count as rigid: a spine
/// has to be converted to joints before its weights are rounded by these.
[[nodiscard]] std::vector<std::vector<Affine3>> poses_in_frame(std::span<const Exemplar> exemplars,
                                                               const UnitFrame& frame);

/// Rounds weights, per welded vertex, in place to what the format can say. Fails only when
/// cancelled.
[[nodiscard]] Result<RoundingReport> round_for_delivery(
    SkinWeights& weights, const PreparedMesh& prepared,
    std::span<const std::vector<Affine3>> poses_in_unit_frame, WeightFormat format,
    const Progress& progress = {});

}  // namespace sinew
