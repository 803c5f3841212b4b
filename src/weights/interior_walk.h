// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skin_weights.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

struct InteriorWalkOptions {
  int cells = 6'000;  // twice as many change who owns what by a thousandth
};

/// Of each welded vertex, the chance that a random walk inside the mesh, which its skin throws
/// back, meets each bone first: harmonic functions on cubes that fill the mesh, 1 on one bone and 0
/// on the others. Long bones in thick flesh win, thin short ones lose: it tells whose a skull is,
/// and a pelvis, and not whose a neck is. Rows of vertices that no walk reaches are empty.
/// The same bits for any number of threads. Cost: that of make_voxel_grid, one factorisation and a
/// solve for each bone.
[[nodiscard]] Result<SkinWeights> interior_walk(const PreparedMesh& prepared,
                                                const BoneSegments& bones,
                                                const InteriorWalkOptions& options = {},
                                                const Progress& progress = {});

}  // namespace sinew
