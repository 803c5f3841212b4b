// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/math/sparse_cholesky.h"
#include "sinew/model/mesh.h"

namespace sinew {

/// The stiffness matrix L of a mesh, both triangles of it: wᵀLw is the Dirichlet energy of w, and
/// the Laplacian at vertex i is −(Lw)_i / Λ_i. Unit-free on surfaces, a length on tetrahedra.
///
/// Guarantee, on any mesh, however degenerate or non-manifold: symmetric, rows sum to zero,
/// off-diagonal entries ≤ 0, and < 0 somewhere in every row of a vertex that has a neighbour.
/// Hence solutions of (L + D) w = D χ with D ≥ 0 stay between the least and the greatest χ.
/// Neither the orientation of faces nor how a flat patch is cut into triangles matters.
///
/// Surfaces: cotangents of the intrinsic Delaunay triangulation of the tufted cover, after lengths
/// were stretched until no triangle is flat ([tufted]). Tetrahedra: cotangents, with obtuse ones
/// left out; triangles that only restate their boundary give nothing. A wire conducts like a
/// well-shaped edge.
/// Cost: O(n) memory, in practice O(n) time.
[[nodiscard]] SparseMatrix make_laplacian(const Mesh& mesh);

}  // namespace sinew
