// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry/mesh_graph.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin_weights.h"
#include "sinew/weights/influence_maps.h"

namespace sinew {

/// The defaults are those of [araplbs] section 3.2.
struct SparsifyOptions {
  int least_bones = 1;         // M: a vertex keeps at least so many, and never less than one
  double least_sum = 0.95;     // t: what is kept of a row sums to more than this
  double relative_max = 0.05;  // α: only weights below this part of their row's largest may go
};

/// Removes influences that do not matter, and closes the gaps that this leaves in the skeleton.
/// Follows [araplbs] section 3.2.
///
/// Weights go by increasing value, equal ones by vertex and bone. Bone j leaves vertex i if (i) M
/// bones stay, (ii) the rest sums to more than t, (iii) w_ij < α max_k w_ik, and (iv) no neighbour
/// that still has j has less of it, so that no bone's map gets a new local minimum (P1). Then the
/// bones of each vertex are completed to the smallest set that is connected in every component of
/// the skeleton, virtual segments collapsed (P2): siblings that meet in one joint do without their
/// parent. Bones that come back for this have the weight that they had, which may be zero.
///
/// Guarantee: rows sum to one; a row that had a bone keeps its largest. `skeleton` is what the
/// weights were made for, see effective_skeleton. Cost: linear in the stored weights times the
/// neighbours of a vertex.
[[nodiscard]] InfluenceMaps sparsify(const SkinWeights& weights, const MeshGraph& graph,
                                     const Skeleton& skeleton, const SparsifyOptions& options = {});

}  // namespace sinew
