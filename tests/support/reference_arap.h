// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/model/skin_weights.h"

namespace sinew::test {

/// The figure as it is defined, by two loops over all pairs of vertices: Σ_ik a_ik |e'_ik - R_i
/// e_ik|² / Σ_ik a_ik |e_ik|², a_ik the sum over the triangles at edge ik of their areas, R_i the
/// best rotation by singular values. The mesh must be welded.
[[nodiscard]] double reference_arap(const Mesh& mesh, const SkinWeights& weights,
                                    std::span<const Affine3> transforms);

/// Dense linear blend skinning.
[[nodiscard]] std::vector<Vec3> reference_blend(const Mesh& mesh, const SkinWeights& weights,
                                                std::span<const Affine3> transforms);

}  // namespace sinew::test
