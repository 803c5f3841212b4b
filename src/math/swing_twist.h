// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "sinew/math/types.h"

namespace sinew {

/// A rotation as a turn about an axis and then the shortest turn that moves the axis where it goes.
struct SwingTwist {
  Vec3 swing_rad = Vec3::Zero();  // rotation vector, orthogonal to the axis, at most π long
  double twist_rad = 0;           // about the axis, in [-π, π]
};

/// `rotation` = swing · twist; both are unit. The twist of a half turn about an axis across is not
/// defined, and is 0 here.
[[nodiscard]] inline SwingTwist swing_twist(const Quat& rotation, const Vec3& axis) {
  const double along = rotation.vec().dot(axis);
  const double cosine = std::hypot(rotation.w(), along);
  Quat twist = Quat::Identity();
  if (cosine > 0) {
    const double sign = rotation.w() < 0 ? -1 : 1;
    twist.w() = sign * rotation.w() / cosine;
    twist.vec() = axis * (sign * along / cosine);
  }
  Quat swing = rotation * twist.conjugate();
  if (swing.w() < 0) swing.coeffs() = -swing.coeffs();
  const Vec3 across = swing.vec() - axis * axis.dot(swing.vec());
  const double sine = across.norm();
  SwingTwist parts;
  if (sine > 0) parts.swing_rad = across * (2 * std::atan2(sine, swing.w()) / sine);
  parts.twist_rad = 2 * std::atan2(twist.vec().dot(axis), twist.w());
  return parts;
}

}  // namespace sinew
