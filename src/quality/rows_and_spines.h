// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/geometry/weld.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// The weights with those of rows on the bones that they stand for (bones_stood_for).
[[nodiscard]] SkinWeights with_rows_as_bones(const SkinWeights& weights,
                                             const std::vector<int>& stood_for);

/// The spines of a skeleton on the vertices of a welded mesh. `given` is per vertex of the mesh
/// before the weld, where copies of a vertex sit alike; spines that are not there are linear.
[[nodiscard]] std::vector<SpineBone> welded_spines(const WeldedMesh& welded,
                                                   const Skeleton& skeleton,
                                                   std::span<const SpineBone> given);

}  // namespace sinew
