// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/math/sparse_cholesky.h"
#include "sinew/volume/elements.h"

namespace sinew {

/// How a cube answers to what is not linear in it. All give a linear field the same energy, the
/// square of its gradient times the volume, and none to a constant.
enum class CubeEnergy {
  trilinear,  // finite elements
  edges,      // springs along the 12 edges: the literal form of [elasticity]
  pairs,      // springs between all 28 pairs of corners: shape matching
};

/// Of a cube of unit edge: that of edge h is h times as much.
[[nodiscard]] Eigen::Matrix<double, 8, 8> unit_cube_stiffness(CubeEnergy energy);

/// The gradient of each corner's shape function, integrated over the element: the derivative of
/// the deformation's mean gradient times the volume. They sum to zero. At least as long as the
/// element has corners.
void integrated_gradients(const Elements& elements, std::size_t element,
                          std::span<Vec3> per_corner);

/// The stiffness L of the interior with its natural boundary: wᵀ L w is the integral of |∇w|².
/// Symmetric, constants in its kernel on each piece; both triangles are stored.
[[nodiscard]] SparseMatrix stiffness_of(const Elements& elements,
                                        CubeEnergy energy = CubeEnergy::trilinear);

/// The volume around each point: each corner of an element has its equal share.
[[nodiscard]] std::vector<double> lumped_mass(const Elements& elements);

}  // namespace sinew
