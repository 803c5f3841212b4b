// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/mirror.h"

namespace sinew {

/// Rounds weights, per welded vertex, in place to what the format can say. Fails only when
/// cancelled.
[[nodiscard]] Result<RoundingReport> round_for_delivery(
    SkinWeights& weights, const PreparedMesh& prepared,
    std::span<const std::vector<Affine3>> poses_in_unit_frame, WeightFormat format,
    const Progress& progress = {});

/// Rounds weights per stored vertex, as they are delivered, in place. Copies of a vertex that weigh
/// the same go on doing so, the others are rounded each by itself. Rows that are images of each
/// other in the mirror, where there is one, stay so. The report is about the mean of the copies.
[[nodiscard]] Result<RoundingReport> round_stored_for_delivery(
    SkinWeights& stored, const PreparedMesh& prepared,
    std::span<const std::vector<Affine3>> poses_in_unit_frame, WeightFormat format,
    const std::optional<Mirror>& mirror, const Progress& progress = {});

}  // namespace sinew
