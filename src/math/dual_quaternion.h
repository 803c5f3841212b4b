// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/math/types.h"

namespace sinew {

/// An affine map cut into a stretch at rest and the rigid motion that follows: p' = rotation ·
/// (stretch · p) + translation.
struct RigidAndStretch {
  Quat rotation = Quat::Identity();
  Vec3 translation = Vec3::Zero();
  Eigen::Matrix3d stretch =
      Eigen::Matrix3d::Identity();  // symmetric; negative definite for a mirror
  bool rigid =
      true;  // the stretch is the identity, exactly: the map was rigid within kRigidTolerance
};

/// A linear part counts as a rotation when AᵀA differs from the identity by no more than this, in
/// any entry. It is what products of float matrices from files leave behind; floats at run time
/// could not show less.
inline constexpr double kRigidTolerance = 2e-6;

/// The polar decomposition of the linear part, with a rotation that is always proper.
[[nodiscard]] RigidAndStretch split_stretch(const Affine3& map);

/// A rigid motion as real + ε dual, real a unit quaternion and dual orthogonal to it. q and −q are
/// the same motion.
struct DualQuat {
  Quat real = Quat::Identity();
  Quat dual = Quat(0, 0, 0, 0);

  [[nodiscard]] static DualQuat from_rigid(const Quat& rotation, const Vec3& translation);
};

}  // namespace sinew
