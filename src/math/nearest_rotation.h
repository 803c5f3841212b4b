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

/// Matrices side by side, so that one instruction serves several.
struct Lanes3x3 {
  static constexpr int kCount = 8;
  alignas(64) double entries[9][kCount];  // row by row

  [[nodiscard]] Eigen::Matrix3d at(int lane) const {
    Eigen::Matrix3d matrix;
    for (int e = 0; e < 9; ++e) matrix(e / 3, e % 3) = entries[e][lane];
    return matrix;
  }
  void set(int lane, const Eigen::Matrix3d& matrix) {
    for (int e = 0; e < 9; ++e) entries[e][lane] = matrix(e / 3, e % 3);
  }
};

/// nearest_rotation, to the bit, of the first `count` matrices, wherever among them a matrix is;
/// what comes out in lanes beyond is a rotation of whatever was in them. A quarter of the cost.
void nearest_rotations(const Lanes3x3& covariances, int count, Lanes3x3& rotations);

}  // namespace sinew
