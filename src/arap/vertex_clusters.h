// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/geometry/mesh_graph.h"
#include "sinew/math/types.h"

namespace sinew {

struct ClusterOptions {
  int count = 1000;        // at least one for every connected part is made
  int rounds = 3;          // of moving centres to the middle; more change little
  std::uint64_t seed = 1;  // another clustering of the same mesh
};

/// Which cluster each vertex belongs to: compact, connected pieces of about equal size, whatever
/// the triangles are like. Follows [araplbs] section 5: k-means++ whose next seed is vertex i with
/// probability Λ_i d²(v_i, seeds). A cluster grows along the edges of the graph only, so that it
/// never reaches across to another limb.
///
/// Returns one index per vertex; clusters are numbered without gaps. Cost: about
/// O(vertices × log count × log vertices).
[[nodiscard]] std::vector<int> cluster_vertices(std::span<const Vec3> positions,
                                                const MeshGraph& graph,
                                                const ClusterOptions& options = {});

}  // namespace sinew
