// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// The weight of a bone on a vertex, 0 for none.
[[nodiscard]] double weight_on(const SkinWeights& weights, std::size_t vertex, int bone);

/// Patches of each bone's influence beyond one per part of the mesh that it has any on.
[[nodiscard]] std::size_t count_islands(const SkinWeights& weights, const MeshGraph& graph,
                                        const MeshParts& parts);

/// The 99.9th percentile of |w_ij - mean of w_kj over the neighbours k|, over all vertices i with
/// neighbours and all bones j that have weights.
[[nodiscard]] double roughness(const SkinWeights& weights, const MeshGraph& graph);

}  // namespace sinew
