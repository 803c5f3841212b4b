// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/math/sparse_cholesky.h"
#include "sinew/volume/elements.h"

namespace sinew {

/// How a cube answers to what is not linear in it. All give a linear field the same energy, the
/// square of its gradient times the volume, and none to a constant.
enum class CubeEnergy {
  trilinear,  // finite elements
  edges,      // springs along the 12 edges, the literal form of [elasticity]: three to nine times
              // as stiff as finite elements against what is not linear
  pairs,      // springs between all 28 pairs of corners: shape matching
};

/// Of a cube of unit edge: that of edge h is h times as much. Rows and columns are corners, in the
/// order of Hexahedron.
[[nodiscard]] Eigen::Matrix<double, 8, 8> unit_cube_stiffness(CubeEnergy energy);

/// The gradient of each corner's shape function, integrated over the element: of values at the
/// corners, the sum of value times this is the mean gradient times the volume. They sum to zero,
/// and are the same for every CubeEnergy. `per_corner` is at least as long as the element has
/// corners.
void integrated_gradients(const Elements& elements, std::size_t element,
                          std::span<Vec3> per_corner);

/// The stiffness L of the interior with its natural boundary: wᵀ L w is the integral of |∇w|², with
/// w linear in tetrahedra and as `energy` has it in cubes. Both triangles are stored, and equal to
/// the bit. Constants on each piece are in its kernel, but for rounding; a point that no element
/// refers to has no entries at all. The same bits for any number of threads.
/// Cost: O(elements), if no point has very many.
[[nodiscard]] SparseMatrix stiffness_of(const Elements& elements,
                                        CubeEnergy energy = CubeEnergy::trilinear);

/// The volume around each point: each corner of an element has its equal share. Zero at a point
/// that no element refers to.
[[nodiscard]] std::vector<double> lumped_mass(const Elements& elements);

}  // namespace sinew
