// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/deform/spine_bones.h"
#include "sinew/geometry/laplacian.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// Where on a spine vertices are attached: u, 0 at its head and 1 at its tail. The mesh and the
/// segment are in one space, whichever; u has no unit, and gradients have one over that space's.

[[nodiscard]] std::vector<double> linear_parameters(const SpineRest& rest,
                                                    std::span<const Vec3> positions);

/// Harmonic on each connected part: 0 and 1 on the vertices beyond the ends of the segment, where
/// the linear parameter is clamped, and between them without a local minimum or maximum. A part
/// that does not reach past both ends, or whose system has no solution in doubles, gets the linear
/// one, and so does a vertex that belongs to no part. Fails when the system does not fit into
/// memory. Cost: a factorisation for each part.
[[nodiscard]] Result<std::vector<double>> harmonic_parameters(const SpineRest& rest,
                                                              const Mesh& mesh,
                                                              const SparseMatrix& laplacian,
                                                              const MeshParts& parts);

/// Either of them, per vertex of a mesh in model space that need not be welded: copies of a vertex
/// sit alike. Fails as harmonic_parameters does.
[[nodiscard]] Result<std::vector<double>> spine_parameters(const SpineRest& rest, const Mesh& mesh,
                                                           SpineParametrisation parametrisation);

/// What somebody painted, one value per vertex, moved into 0 to 1. A value that is not a number is
/// refused with code bad_mesh and place "<what>[i]".
[[nodiscard]] Result<std::vector<double>> painted_parameters(std::span<const double> values,
                                                             std::string_view what);

/// Puts what was painted, where there is a value, in place of what was computed. Refuses values as
/// painted_parameters does, and another number of them than there are vertices.
[[nodiscard]] Status paint_parameters(std::span<const std::optional<double>> painted,
                                      std::vector<double>& parameters);

/// ∇u at every vertex: of all vectors along the segment, the one that fits the differences of u to
/// the neighbours best, weighted with λ_ik ([araplbs] appendix). Zero where no neighbour is ahead
/// or behind, and where there are none.
[[nodiscard]] std::vector<Vec3> parameter_gradients(const SpineRest& rest,
                                                    std::span<const Vec3> positions,
                                                    const MeshGraph& graph,
                                                    std::span<const double> parameters);

/// All of a spine that a deformer or a solver needs. `parameters` has one entry per vertex.
[[nodiscard]] SpineBone make_spine_bone(int bone, const SpineRest& rest,
                                        std::span<const Vec3> positions, const MeshGraph& graph,
                                        std::vector<double> parameters);

}  // namespace sinew
