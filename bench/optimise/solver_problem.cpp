// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/solver_problem.h"

#include <chrono>

#include "characters/characters.h"
#include "sinew/exemplars/exemplars.h"
#include "sinew/model/leaf_tails.h"
#include "sinew/pipeline/bind.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"

namespace sinew::bench {

SolverProblem solver_problem(const std::string& name, int vertices) {
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
  const BoneCells cells = find_bone_cells(mesh, BoneSegments(skeleton, mesh.frame));

  SolverProblem prepared;
  const auto start = std::chrono::steady_clock::now();
  const SkinWeights heat =
      heat_weights(mesh, cells, std::vector<bool>(mesh.parts.count(), true))->weights;
  const InfluenceMaps maps =
      widen_steep_edges(sparsify(heat, mesh.graph, skeleton), mesh.graph, BindOptions().steep_edge);
  ConstrainedProblem constrained = constrain_as_paper(
      make_weight_problem(mesh, maps, sample_exemplars(character.skeleton, roles, hierarchy)),
      cells, {});
  prepared.problem = std::move(constrained.problem);
  prepared.problem.laplacian = mesh.laplacian;
  prepared.constraints = std::move(constrained.constraints);
  prepared.initialisation_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  prepared.bones = character.skeleton.bone_count();
  return prepared;
}

}  // namespace sinew::bench
