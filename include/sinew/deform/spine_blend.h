// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/model/driven_spines.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// Linear blend skinning with rigid bones and spines together: v' = Σ_j w_j T_j(u_j) v, where T_j
/// is spine_transform for those bones that are in `spines` and the transform of all others
/// ([spines] Eq. 1 and 2, exact). A vertex without weights is copied.
///
/// `pose.transforms` has one entry per bone of the weights, `pose.spines` too where `spines` is not
/// empty; each SpineBone has one parameter per vertex, and gradients only where they are asked for.
/// Time: about 0.1 µs per vertex and spine.
[[nodiscard]] std::vector<Vec3> deform_with_spines(std::span<const Vec3> positions,
                                                   const SkinWeights& weights,
                                                   const PosedBones& pose,
                                                   std::span<const SpineBone> spines);

/// Σ_j w_j J_j at every vertex, J_j being spine_jacobian of spines and the linear part of all other
/// bones; the identity without weights. Tangents are turned by it and normals by its cofactors, as
/// in linear_blend: how weights change over the surface is left out.
[[nodiscard]] std::vector<Eigen::Matrix3d> spine_blend_jacobians(std::span<const Vec3> positions,
                                                                 const SkinWeights& weights,
                                                                 const PosedBones& pose,
                                                                 std::span<const SpineBone> spines);

}  // namespace sinew
