// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/math/spine.h"

namespace sinew {

/// What a spine does to a point depends, in one exemplar, on the point's parameter u alone, and
/// smoothly. So the solver knows a spine as a few motions, those at fixed parameters, which every
/// vertex mixes by its u: M(u) = Σ_n φ_n(u) M(u_n), the polynomial through them.

/// The motions of a spine. With eight, points around a spine that bends by 60° are off by 2e-8 of
/// its length at most, by 150° by 1e-5, by a whole turn by 4e-3: docs/decisions/spines.md.
constexpr std::size_t kSpineNodes = 8;
using SpineCoefficients = std::array<double, kSpineNodes>;

/// u_n: Chebyshev's points of the second kind on [0, 1], ascending. The ends are among them, since
/// all that lies beyond an end of a spine has the parameter of that end.
[[nodiscard]] double spine_node(std::size_t n);

/// φ_n(u) for u in [0, 1]; they sum to one. At a node all others are exactly zero.
[[nodiscard]] SpineCoefficients spine_coefficients(double u);

/// A parametrised bone of a weight problem.
struct ProblemSpine {
  SpineBone attached;                           // the problem's frame and vertices
  std::vector<SpineMotion> motions;             // in each exemplar, the problem's frame
  std::vector<SpineCoefficients> coefficients;  // of each vertex: those of its parameter
};

}  // namespace sinew
