// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

struct HeatOptions {
  double least_distance_rel = 5e-4;  // of the diagonal; a vertex on a bone would be infinitely hot
  double most_distance_rel = 1;      // of the diagonal; so weak a source would drown in rounding
  double least_weight = 1e-5;   // below it a weight is not worth storing; rows sum to one again
  std::vector<Edge> wires;      // between welded vertices that shall weigh alike
  double wire_stiffness = 1e5;  // d of [araplbs] section 6, for wires of no length
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
/// Wires are not in the Laplacian. Parts that they join, or that have some within, are solved once
/// more together, as [araplbs] section 6 has it: in the sense of least squares, with a line
/// d (w_k − w_l) = 0 for each wire, d = wire_stiffness · exp(−|v_k − v_l|²). Each weight becomes
/// the greater of the two solutions, and rows are scaled to one. A part that no bone sees takes all
/// of its heat through its wires. The residuals are those of −Δw + Hw = Hχ at each vertex, where d
/// is about as stiff as the heat of a mesh with ten thousand vertices.
///
/// Guarantee: every row that is not left out sums to one, and no weight is negative. A vertex that
/// nothing refers to takes its nearest bone. `parts` says which parts to solve, one entry each.
/// Cost: per part one factorisation, and one solve for each bone that it is nearest to; twice where
/// there are wires, and the second of a matrix with the neighbours' neighbours in it.
[[nodiscard]] Result<HeatWeights> heat_weights(const PreparedMesh& prepared, const BoneCells& cells,
                                               const std::vector<bool>& parts,
                                               const HeatOptions& options = {},
                                               const Progress& progress = {});

}  // namespace sinew
