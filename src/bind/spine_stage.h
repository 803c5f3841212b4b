// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"

namespace sinew {

/// The bones of a character that bend or twist while weights are made.
struct SpineStage {
  std::vector<SpineRequest> asked;   // by the options, and found
  std::vector<TwistLimb> limbs;      // that were looked at
  std::vector<SpineBone> bones;      // model space, on the vertices of prepared.welded
  std::optional<Character> bending;  // the character with these kinds of bones; none: all are rigid
};

/// Refuses parameters on spines that are not one per vertex of the character.
[[nodiscard]] Status check_spine_parameters(const Character& character, const BindOptions& options);

/// What the options ask for, what the skeleton itself says, and with find_twist_bones the limbs
/// that `first`, weights per welded vertex, let collapse, but for those whose weights stay.
/// `displacements` of joints, per bone, may be empty: spines are where they take them, and the
/// bending character is as it was given.
[[nodiscard]] Result<SpineStage> find_spines(const Character& character,
                                             std::span<const Vec3> displacements,
                                             const PreparedMesh& prepared,
                                             const std::vector<BoneRole>& roles,
                                             const SkinWeights& first, const BindOptions& options);

}  // namespace sinew
