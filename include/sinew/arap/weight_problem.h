// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/arap/spine_motions.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/math/types.h"
#include "sinew/poses/sampled_pose.h"
#include "sinew/rig/mirror.h"
#include "sinew/rig/part_links.h"
#include "sinew/weights/influence_maps.h"

namespace sinew {

/// Which vertices may turn together where rotations are clustered: those of one part, in about so
/// many clusters of it. What other parts are like changes nothing about the clusters of a part.
struct PartClusters {
  std::vector<int> part;      // of each vertex; below 0 for one that turns by itself
  std::vector<int> clusters;  // of each part, at least 1
};

/// Weights that let a mesh deform as rigidly as possible over a set of poses: what is given.
/// Everything is in the unit frame, since sums over poses of a mesh that is far from the origin
/// lose their digits.
struct WeightProblem {
  std::vector<Vec3> positions;
  MeshGraph graph;     // Λ_i and a_ik; with the wires that hold linked parts
  InfluenceMaps maps;  // B(i), and the weights to start from; every row has a bone
  /// Of each, the motions: per bone from bind to posed, of a spine what its head does; then, for
  /// one of `spines` after the other, what it does at each of its nodes.
  std::vector<std::vector<Affine3>> exemplars;
  std::vector<ProblemSpine> spines;  // bones that are not rigid; add_spine adds them
  SparseMatrix laplacian;            // only for the harmonic term; may be left empty without it
  std::optional<Mirror> mirror;  // what has to weigh the same on both sides; maps have to fit it
  std::optional<PartClusters> turning;  // without it the solver's options say how many clusters
                                        // there are in all
};

/// Makes a bone of a problem a spine. All in the problem's frame: where its vertices are attached,
/// and what the spine does in each exemplar, which is where exemplars get its motions from.
void add_spine(WeightProblem& problem, SpineBone attached, std::vector<SpineMotion> motions);

/// How many motions each exemplar has.
[[nodiscard]] inline std::size_t motion_count(const WeightProblem& problem) {
  return problem.maps.bone_count + kSpineNodes * problem.spines.size();
}
/// The first of a spine's motions.
[[nodiscard]] inline std::size_t first_motion(const WeightProblem& problem, std::size_t spine) {
  return problem.maps.bone_count + kSpineNodes * spine;
}
/// Of each bone, its place in problem.spines, or -1; empty where all bones are rigid.
[[nodiscard]] std::vector<int> spine_of_bones(const WeightProblem& problem);

/// Has the problem solved for weights that are the same on both sides: what has an image gets the
/// bones of its image's images too, and starts from the mean of both. Vertices with a bone that has
/// no image lose theirs.
void set_mirror(WeightProblem& problem, Mirror mirror);

/// The mirror without images of vertices whose bones are not images of each other's.
[[nodiscard]] Mirror fitting_mirror(Mirror mirror, const InfluenceMaps& maps);

/// Makes weights, beside maps.bones, that should be the same on both sides so to the last bit.
void copy_to_images(const Mirror& mirror, const InfluenceMaps& maps, std::vector<double>& weights);

/// The problem of a prepared mesh, without links. `exemplars` are in model space, and so are the
/// bones that are not rigid, on the vertices of prepared.welded; in an exemplar that says nothing
/// of spines they move as rigid bones. The Laplacian is left empty.
[[nodiscard]] WeightProblem make_weight_problem(const PreparedMesh& prepared, InfluenceMaps maps,
                                                std::span<const SampledPose> exemplars,
                                                std::span<const SpineBone> spines = {});

/// The graph with a directed wire from each linked vertex to the ends of its link, which together
/// weigh as so many wires of [araplbs] section 6. The way back along a wire weighs nothing.
[[nodiscard]] MeshGraph with_links(const MeshGraph& graph, std::span<const PartLink> links,
                                   double wires_per_link = 1);

}  // namespace sinew
