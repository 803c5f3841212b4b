// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/exemplars/sampled_pose.h"
#include "sinew/math/types.h"
#include "sinew/prepare/mesh_graph.h"
#include "sinew/prepare/mirror.h"
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
  SparseMatrix laplacian;        // only for the harmonic term; may be left empty without it
  std::optional<Mirror> mirror;  // what has to weigh the same on both sides; maps have to fit it
};

/// Has the problem solved for weights that are the same on both sides: what has an image gets the
/// bones of its image's images too, and starts from the mean of both. Vertices with a bone that has
/// no image lose theirs.
void set_mirror(WeightProblem& problem, Mirror mirror);

/// The mirror without images of vertices whose bones are not images of each other's.
[[nodiscard]] Mirror fitting_mirror(Mirror mirror, const InfluenceMaps& maps);

/// Makes weights, beside maps.bones, that should be the same on both sides so to the last bit.
void copy_to_images(const Mirror& mirror, const InfluenceMaps& maps, std::vector<double>& weights);

/// The problem of a prepared mesh, without links. `exemplars` are in model space. The Laplacian is
/// left empty.
[[nodiscard]] WeightProblem make_weight_problem(const PreparedMesh& prepared, InfluenceMaps maps,
                                                std::span<const SampledPose> exemplars);

/// The graph with a directed wire from each linked vertex to the ends of its link, which together
/// weigh as one wire does ([araplbs] section 6). The way back along a wire weighs nothing.
[[nodiscard]] MeshGraph with_links(const MeshGraph& graph, std::span<const PartLink> links);

}  // namespace sinew
