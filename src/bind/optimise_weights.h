// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "bind/kept_weights.h"
#include "sinew/arap/finish_weights.h"
#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/poses/exemplars.h"
#include "sinew/poses/joint_motions.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/mirror.h"
#include "sinew/rig/part_links.h"

namespace sinew {

/// What is known of a character once its first weights are there.
struct BoundSoFar {
  const Character& character;
  std::span<const Vec3> displacements;  // of its joints, per bone, model space; may be empty
  const PreparedMesh& prepared;
  const Skeleton& skeleton;  // effective, with tails
  const BoneSegments& segments;
  const BoneCells& cells;
  const std::vector<PartLink>& links;
  const std::vector<int>& rigid_parts;  // the bone that each part is bound to; -1 for none
  const KeptWeights& kept;
  const std::vector<BoneRole>& roles;
  const EffectiveHierarchy& hierarchy;
  std::span<const SpineBone> spines = {};  // model space, on the vertices of prepared.welded
};

struct OptimisedWeights {
  SkinWeights weights;                   // per welded vertex, finished
  std::vector<FinishedWeights> further;  // the same for each of BindOptions::further_budgets
  SolveReport report;
  std::vector<StageTime> times;
  /// Where the skeleton is in several pieces: exemplars in the unit frame with the pieces placed.
  std::vector<std::vector<Affine3>> placed;
};

/// The poses that weights are made for: random ones, frames of clips, and those that were given.
/// With displacements of joints, random ones are drawn for the moved skeleton, whose bones point
/// elsewhere; the others keep every rotation.
[[nodiscard]] std::vector<Exemplar> draw_exemplars(
    const Character& character, const std::vector<BoneRole>& roles,
    const EffectiveHierarchy& hierarchy, const BindExemplars& options,
    std::span<const Vec3> displacements = {},
    ExemplarOptions::Draw draw = ExemplarOptions::Draw::freely);

/// A bone deforms as its role says.
[[nodiscard]] Skeleton with_roles(const Skeleton& skeleton, const std::vector<BoneRole>& roles);

/// The joints as they are now, with what hangs on what in exemplars.
[[nodiscard]] SkeletonJoints joints_of(const BoundSoFar& so_far);

/// What has to weigh the same on both sides. Kept weights and edits are of one side, and what is
/// made better may have been painted so: there it has to be asked for.
[[nodiscard]] std::optional<Mirror> find_sides(const BoundSoFar& so_far,
                                               const BindOptions& options);

/// What there is to solve.
struct PreparedSolve {
  ConstrainedProblem constrained;
  WeightSolverOptions options;
  std::set<std::pair<std::uint32_t, std::uint32_t>> led;  // vertex and bone: what is not kept
};
/// [araplbs] sections 3.2 and 4.3: sparsify, constrain. Says of the mirror in the report.
[[nodiscard]] PreparedSolve prepare_solve(const BoundSoFar& so_far, const SkinWeights& initial,
                                          std::span<const Exemplar> exemplars,
                                          std::optional<Mirror> mirror, const BindOptions& options,
                                          SolveReport& report);

/// The problem of weights that are good on the whole, and may change on the bones they have: led as
/// softly as options say.
[[nodiscard]] ConstrainedProblem make_refined_problem(const BoundSoFar& so_far,
                                                      const SkinWeights& initial,
                                                      std::span<const Exemplar> exemplars,
                                                      const BindOptions& options);

/// [araplbs] sections 3.2 to 5: sparsify, draw exemplars, constrain, alternate, finish.
[[nodiscard]] Result<OptimisedWeights> optimise_weights(const BoundSoFar& so_far,
                                                        const SkinWeights& initial,
                                                        const BindOptions& options,
                                                        const Progress& progress);

}  // namespace sinew
