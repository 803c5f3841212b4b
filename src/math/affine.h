// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <Eigen/LU>

#include "sinew/math/types.h"

namespace sinew {

/// |det| of a linear part over the cube of its norm; below it the inverse carries no digits.
inline constexpr double kSingularRel = 1e-12;

[[nodiscard]] inline bool is_invertible(const Affine3& affine) {
  const double norm = affine.linear().norm();
  return affine.matrix().allFinite() && norm > 0 &&
         std::abs(affine.linear().determinant()) > kSingularRel * norm * norm * norm;
}

/// The inverse; for a map that flattens space (a bone hidden by scaling it to nothing), the inverse
/// of its translation alone. Always finite for finite input.
[[nodiscard]] inline Affine3 inverse_or_translation(const Affine3& affine) {
  if (is_invertible(affine)) return affine.inverse(Eigen::Affine);
  Affine3 back = Affine3::Identity();
  back.translation() = -affine.translation();
  return back;
}

}  // namespace sinew
