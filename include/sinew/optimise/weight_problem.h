// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/exemplars/sampled_pose.h"
#include "sinew/math/types.h"
#include "sinew/prepare/mesh_graph.h"
#include "sinew/prepare/part_links.h"
#include "sinew/prepare/prepared_mesh.h"
#include "sinew/weights/influence_maps.h"

namespace sinew {

/// Weights that let a mesh deform as rigidly as possible over a set of poses: what is given.
/// Everything is in the unit frame, since sums over poses of a mesh that is far from the origin
/// lose their digits.
struct WeightProblem {
  std::vector<Vec3> positions;
  MeshGraph graph;     // Λ_i and a_ik; with the wires that hold linked parts
  InfluenceMaps maps;  // B(i), and the weights to start from; every row has a bone
  std::vector<std::vector<Affine3>> exemplars;  // of each, per bone: from bind to posed
  SparseMatrix laplacian;  // only for the harmonic term; may be left empty without it
};

/// The problem of a prepared mesh, without links. `exemplars` are in model space. The Laplacian is
/// left empty.
[[nodiscard]] WeightProblem make_weight_problem(const PreparedMesh& prepared, InfluenceMaps maps,
                                                std::span<const SampledPose> exemplars);

/// The graph with a directed wire from each linked vertex to the ends of its link, which together
/// weigh as one wire does ([araplbs] section 6). The way back along a wire weighs nothing.
[[nodiscard]] MeshGraph with_links(const MeshGraph& graph, std::span<const PartLink> links);

}  // namespace sinew
