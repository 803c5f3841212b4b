// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/skin_weights.h"

namespace sinew::test {

/// The deformers again, in doubles and by the letter of their definitions: the oracle for the
/// run-time kernels.
struct ReferenceDeform {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  // unit; empty when none were given
};

/// v' = Σ w M v; n' along Σ w N n, N the inverse transpose of each bone's linear part scaled to
/// Frobenius norm √3.
[[nodiscard]] ReferenceDeform reference_linear_blend(const SkinWeights& weights,
                                                     std::span<const Affine3> bones,
                                                     std::span<const Vec3> positions,
                                                     std::span<const Vec3> normals = {});

/// Blends stretches linearly, then multiplies out the blended and normalised dual quaternion with
/// the point.
[[nodiscard]] ReferenceDeform reference_dual_quaternion_blend(const SkinWeights& weights,
                                                              std::span<const Affine3> bones,
                                                              std::span<const Vec3> positions,
                                                              std::span<const Vec3> normals = {});

}  // namespace sinew::test
