// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "bind/prepared_bind.h"
#include "sinew/bind/bind.h"
#include "sinew/poses/exemplars.h"
#include "sinew/poses/joint_motions.h"

namespace sinew {

/// The poses that weights are made for: random ones, frames of clips, and those that were given.
/// With displacements of joints, random ones are drawn for the moved skeleton, whose bones point
/// elsewhere; the others keep every rotation.
[[nodiscard]] std::vector<Exemplar> draw_exemplars(
    const Character& character, const std::vector<BoneRole>& roles,
    const EffectiveHierarchy& hierarchy, const BindExemplars& options,
    std::span<const Vec3> displacements = {},
    ExemplarOptions::Draw draw = ExemplarOptions::Draw::freely);

/// Poses that were drawn once for all who want some of them.
struct DrawnPoses {
  std::vector<Exemplar> to_solve;
  std::vector<Exemplar> to_round;  // none where these have to be drawn for rigid bones
};

/// As many as the plan says. Random poses are the same ones however many are drawn, so that who
/// wants fewer has the first of them.
[[nodiscard]] DrawnPoses draw_planned(const Character& character, const PreparedBind& prepared,
                                      const BindExemplars& options, const BindPlan& plan);

/// What exemplars, which are in model space, do to points of a frame. Bones count as rigid: a spine
/// has to be converted to joints before its weights are rounded by these.
[[nodiscard]] std::vector<std::vector<Affine3>> poses_in_frame(std::span<const Exemplar> exemplars,
                                                               const UnitFrame& frame);

/// The joints as they are now, with what hangs on what in exemplars.
[[nodiscard]] SkeletonJoints joints_of(const Character& character, const PreparedBind& prepared);

}  // namespace sinew
