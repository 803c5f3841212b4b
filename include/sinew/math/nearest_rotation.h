// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace sinew {

/// The rotation R, det R = +1, that maximises tr(RᵀC), and with it minimises |R - C|: the one that
/// fits a covariance C = Σ a d eᵀ of deformed edges d and edges at rest e best, d ≈ R e.
///
/// For any finite C, whatever its scale; reflections (det C < 0) are answered with the best
/// rotation. Where several are equally good (rank 1, or σ₂ = σ₃ with det C < 0) it is one of them;
/// for C = 0, and for a C that is not finite, the identity. Accurate to about 1e-12 where the
/// answer is well defined, and in any case as good as a singular value decomposition. Cost: about
/// 0.1 µs.
[[nodiscard]] Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& covariance);

}  // namespace sinew
