// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/solver_problem.h"

#include <chrono>

#include "bind/effort.h"
#include "characters/characters.h"
#include "math/random.h"
#include "rig/leaf_tails.h"
#include "sinew/bind/bind.h"
#include "sinew/poses/exemplars.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"

namespace sinew::bench {
namespace {

constexpr double kBend = 0.7;  // radians, either way

/// The bones of that name as spines, which bend in every pose.
std::vector<SpineBone> bend(const std::string& name, const Skeleton& skeleton,
                            const std::vector<Vec3>& positions, std::vector<Exemplar>& poses) {
  std::vector<SpineBone> spines;
  if (name.empty()) return spines;
  Random random(1);
  for (const Segment& segment : skeleton.segments()) {
    const auto bone = static_cast<std::size_t>(segment.bone);
    if (segment.is_virtual || skeleton.bones()[bone].name != name) continue;
    SpineBone& spine =
        spines.emplace_back(SpineBone{segment.bone, {segment.head, segment.tail}, {}, {}});
    const Vec3 along = segment.tail - segment.head;
    for (const Vec3& position : positions) {
      const double u = spine_parameter(spine.rest, position);
      spine.parameters.push_back(u);
      spine.gradients.push_back(u > 0 && u < 1 ? Vec3(along / along.squaredNorm()) : Vec3::Zero());
    }
    for (Exemplar& pose : poses) {
      pose.spines.resize(pose.transforms.size());
      const Vec3 axis(random.normal(), random.normal(), random.normal());
      pose.spines[bone] = {pose.transforms[bone], axis.normalized(), random.uniform(-kBend, kBend)};
    }
    break;
  }
  return spines;
}

}  // namespace

SolverProblem solver_problem(const std::string& name, int vertices, const std::string& spine) {
  ExampleOptions options;
  options.vertices = vertices;
  Character character = make_example(name, options)->character;
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  const std::vector<BoneRole> roles = decide_deforming_bones(character);
  const EffectiveHierarchy hierarchy = find_effective_hierarchy(character, roles);
  const Skeleton skeleton =
      guess_leaf_tails(effective_skeleton(character.skeleton, roles, hierarchy), character.mesh,
                       character.weights)
          .skeleton;
  const PreparedMesh mesh = prepare_mesh(character.mesh);
  const BoneSegments segments(skeleton, mesh.frame);
  const BoneCells cells = find_bone_cells(mesh, segments);

  SolverProblem prepared;
  const auto start = std::chrono::steady_clock::now();
  const SkinWeights heat =
      heat_weights(mesh, cells, std::vector<bool>(mesh.parts.count(), true))->weights;
  const InfluenceMaps maps =
      widen_steep_edges(sparsify(heat, mesh.graph, skeleton), mesh.graph, BindOptions().steep_edge);
  std::vector<Exemplar> poses = sample_exemplars(character.skeleton, roles, hierarchy);
  const std::vector<SpineBone> spines = bend(spine, skeleton, mesh.welded.mesh.positions(), poses);
  ConstrainedProblem constrained =
      constrain_as_paper(make_weight_problem(mesh, maps, poses, spines), cells, {});
  prepared.problem = std::move(constrained.problem);
  prepared.problem.laplacian = mesh.laplacian;
  const Effort effort = effort_of(find_edge_to_bone(mesh, segments, cells), mesh.parts, {});
  prepared.problem.turning = {mesh.parts.of_vertex, effort.clusters};
  prepared.rotations = effort.is_exact ? RotationMode::exact : RotationMode::clustered;
  prepared.constraints = std::move(constrained.constraints);
  prepared.initialisation_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  prepared.bones = character.skeleton.bone_count();
  prepared.joints = find_joints(character.skeleton, hierarchy.parent);
  prepared.poses = std::move(poses);
  prepared.frame = mesh.frame;
  return prepared;
}

WeightSolverOptions usual_solver(const SolverProblem& prepared) {
  WeightSolverOptions options = BindOptions().solver;
  options.rotations = prepared.rotations;
  return options;
}

}  // namespace sinew::bench
