// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin_weights.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

/// Who owns the skin: of each welded vertex, how likely it is that an artist would have each bone
/// lead it most, from mesh and skeleton alone. Rows sum to one; at most twelve bones have a chance
/// on a vertex, and a row is empty where nothing refers to the vertex. Where one bone has more than
/// 0.7 it is the artist's on nine of ten vertices; where several share, taste or deformation
/// decides. Learnt from characters that artists weighted (tests/compare/train_owners.py, which also
/// tells how often it is right on characters unlike those that it learnt from).
struct SkinOwners {
  SkinWeights chance;
};

/// `skeleton` is what the segments are of; `heat` are weights by heat, per welded vertex, whose
/// rows may be empty. Guarantee: scale and place change nothing, a mirrored character has mirrored
/// owners but for rounding, and there are the same bits for any number of threads. Names are not
/// looked at. Cost: O(vertices × (segments + candidates)), a ray for each candidate, and the cubes
/// of interior_walk with a solve for each bone.
[[nodiscard]] Result<SkinOwners> find_skin_owners(const PreparedMesh& prepared,
                                                  const Skeleton& skeleton,
                                                  const BoneSegments& bones,
                                                  const SkinWeights& heat,
                                                  const Progress& progress = {});

}  // namespace sinew
