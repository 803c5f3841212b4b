// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/prepare/bone_cells.h"
#include "sinew/prepare/prepared_mesh.h"

namespace sinew {

struct HeatOptions {
  double least_distance_rel = 5e-4;  // of the diagonal; a vertex on a bone would be infinitely hot
  double most_distance_rel = 1;      // of the diagonal; so weak a source would drown in rounding
  double least_weight = 1e-5;  // below it a weight is not worth storing; rows sum to one again
};

struct HeatWeights {
  SkinWeights weights;           // per welded vertex; empty rows for parts that were left out
  std::vector<int> blind_parts;  // that no bone sees: every vertex of theirs was heated instead
};

/// Weights as heat that flows over the surface from the vertices that see their nearest bone:
/// −Δw_j + H w_j = H χ_j with H = 1/d². Follows [araplbs] section 3.1 and Eq. 6. Where no vertex of
/// a part sees its bone, or too little of it, the system would be singular; in that part, and in no
/// other, all of them are heated.
///
/// Guarantee: every row that is not left out sums to one, and no weight is negative. A vertex that
/// nothing refers to takes its nearest bone. `parts` says which parts to solve, one entry each.
/// Cost: per part one factorisation, and one solve for each bone that it is nearest to.
[[nodiscard]] Result<HeatWeights> heat_weights(const PreparedMesh& prepared, const BoneCells& cells,
                                               const std::vector<bool>& parts,
                                               const HeatOptions& options = {},
                                               const Progress& progress = {});

}  // namespace sinew
