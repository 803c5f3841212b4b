// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

struct DistanceOptions {
  double joint_region_rel = 0.5;     // radius around a joint, of the shorter of the bones that meet
  double least_distance_rel = 5e-4;  // of the diagonal; a vertex on a bone would divide by zero
};

/// Weights from distances alone: w_j = d_j⁻⁴ / Σ_k d_k⁻⁴ over the bones that a vertex is attached
/// to. Follows [pbd-skinning] Eq. 2: a vertex in the region around a joint is attached to the three
/// nearest bones, any other to two. Bones are taken among the nearest one and those that it meets
/// at a joint, so that skin that is nearest to one leg is never moved by the other. Fast and never
/// smooth: a start, and a thing to compare with.
///
/// Guarantee: every row sums to one. `skeleton` is the one that the segments came from.
[[nodiscard]] SkinWeights distance_weights(const PreparedMesh& prepared, const Skeleton& skeleton,
                                           const BoneSegments& bones, const BoneCells& cells,
                                           const DistanceOptions& options = {});

}  // namespace sinew
