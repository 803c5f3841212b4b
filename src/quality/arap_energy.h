// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/geometry/mesh_graph.h"
#include "sinew/math/types.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// Linear blend skinning in doubles, to the letter: a vertex without weights goes to the origin, as
/// it does in viewers, so that the figures show it.
void blend_positions(std::span<const Vec3> rest, const SkinWeights& weights,
                     std::span<const Affine3> transforms, std::span<Vec3> deformed);

/// Per vertex Σ_k a_ik |e_ik|², what its energy is relative to.
[[nodiscard]] std::vector<double> rest_energy(const MeshGraph& graph, std::span<const Vec3> rest);

/// Per vertex Σ_k a_ik |e'_ik - R_i e_ik|², R_i the rotation that makes it least. Those that are
/// `is_rigid` move rigidly with their neighbours, as the caller knows, and get 0.
void arap_energy(const MeshGraph& graph, std::span<const Vec3> rest, std::span<const Vec3> deformed,
                 std::span<double> energy, std::span<const unsigned char> is_rigid = {});

}  // namespace sinew
