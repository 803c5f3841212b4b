// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/bind/bind_options.h"
#include "sinew/bind/bind_report.h"
#include "sinew/core/notice.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/edit/weight_edits.h"
#include "sinew/model/character.h"
#include "sinew/spines/twist_bones.h"

namespace sinew {

struct Bound {
  SkinWeights weights;               // one row per vertex of the character; every row has weights
  std::vector<SkinWeights> further;  // the same under each of further_budgets, finished by itself
  Skeleton skeleton;  // the character's own; `deforms` says of every bone what was decided
  std::vector<SpineRequest> spines;  // BindOptions::spines, and the limbs that were found
  std::vector<TwistLimb> limbs;      // with find_twist_bones: all that were looked at
  BindReport report;
  Notices notices;  // what a rigger would want to know of the report, in words
};

/// Weights for every vertex of a character, whatever its mesh is like. Old weights serve to tell
/// which bones deform, and are replaced, but for what the options keep of them. Fails only when
/// there is nothing to bind (no vertices, no bones), when the options are wrong, and when
/// cancelled.
///
/// The way of a bind, as src/bind/bind.cpp goes it:
///
///     check_options        options that contradict each other or the character are refused
///     prepare_bind         bones and what they hang on, the welded mesh and its parts, the nearest
///                          bones, old weights that stay, edits, what is the image of what
///     plan_bind            all that there is to decide, with reasons: bind_plan.h
///     make_first_weights   by heat or distance; parts on one bone; bones that bend or twist
///     optimise_weights     poses, influences, constraints, steps, lost bones won back; then the
///                          finish under each cap ([araplbs] sections 3.2 to 5). Methods that do
///                          not optimise cap the first weights instead
///     put_beside_old       what stays is put back; existing weights change as far as they gain
///     round                to integers where the format wants them
///     describe             what was found, guessed and done
///
/// A mesh with very many vertices takes this way as a simplified one, and its weights are carried
/// over and refined (src/bind/bind_coarsely.h); the interior, where the plan says so, takes it as
/// points in place of vertices (src/bind/bind_in_volume.h). Joints that move take it by turns with
/// the solver of joints (fit_joints.h), and coarser levels of detail have their weights from the
/// finest (levels_of_detail.h).
[[nodiscard]] Result<Bound> bind(const Character& character, const BindOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
