// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "arap/arap_system.h"
#include "arap/clusterings.h"
#include "sinew/arap/weight_constraints.h"

namespace sinew {

/// The vertices that no more than so many edges lead to from one of these, ascending.
[[nodiscard]] std::vector<VertexIndex> within_rings(const MeshGraph& graph,
                                                    std::span<const VertexIndex> from, int rings);

/// A whole problem with what constrains it, of which a part is to be cut out.
struct WholeProblem {
  const WeightProblem& problem;
  const std::vector<Clustering>& clusterings;
  std::span<const WeightConstraint> constraints;
  std::span<const FlatConstraint> flat;
  Coupling coupling = Coupling::edges;
};

/// Some vertices of a whole problem, which are free, and all others that their weights have to do
/// with: those that pull on a cluster that a free vertex pulls on, and those that a Laplacian draws
/// a free one to. Seen as a function of the free weights and of the rotations here, the energy is
/// that of the whole problem but for a constant.
struct PatchProblem {
  std::vector<VertexIndex> vertices;  // of the whole problem: free ones, then the others; each
                                      // ascending
  std::size_t free_count = 0;
  WeightProblem problem;                // beside vertices
  std::vector<Clustering> clusterings;  // clusters that no free vertex pulls on are kNoCluster
  std::vector<WeightConstraint> constraints;  // of free vertices
  std::vector<FlatConstraint> flat;           // that free weights have to do with
};
/// `free` ascends.
[[nodiscard]] PatchProblem make_patch_problem(const WholeProblem& whole,
                                              std::span<const VertexIndex> free);

}  // namespace sinew
