// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/kept_weights.h"
#include "sinew/exemplars/exemplars.h"
#include "sinew/optimise/finish_weights.h"
#include "sinew/pipeline/bind.h"
#include "sinew/prepare/bone_cells.h"
#include "sinew/prepare/part_links.h"
#include "sinew/prepare/prepared_mesh.h"

namespace sinew {

/// What is known of a character once its first weights are there.
struct BoundSoFar {
  const Character& character;
  const PreparedMesh& prepared;
  const Skeleton& skeleton;  // effective, with tails
  const BoneSegments& segments;
  const BoneCells& cells;
  const std::vector<PartLink>& links;
  const std::vector<int>& rigid_parts;  // the bone that each part is bound to; -1 for none
  const KeptWeights& kept;
  const std::vector<BoneRole>& roles;
  const EffectiveHierarchy& hierarchy;
  const std::vector<SpineBone>& spines;  // model space, on the vertices of prepared.welded
};

struct OptimisedWeights {
  SkinWeights weights;                   // per welded vertex, finished
  std::vector<FinishedWeights> further;  // the same for each of BindOptions::further_budgets
  SolveReport report;
  std::vector<StageTime> times;
};

/// The poses that weights are made for: random ones, frames of clips, and those that were given.
[[nodiscard]] std::vector<Exemplar> draw_exemplars(const Character& character,
                                                   const std::vector<BoneRole>& roles,
                                                   const EffectiveHierarchy& hierarchy,
                                                   const BindExemplars& options);

/// [araplbs] sections 3.2 to 5: sparsify, draw exemplars, constrain, alternate, finish.
[[nodiscard]] Result<OptimisedWeights> optimise_weights(const BoundSoFar& so_far,
                                                        const SkinWeights& initial,
                                                        const BindOptions& options,
                                                        const Progress& progress);

}  // namespace sinew
