// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/math/types.h"

namespace sinew {

/// A spine at rest: the straight segment [e0, e1] of [spines] section 3, model space.
struct SpineRest {
  Vec3 head = Vec3::Zero();  // e0
  Vec3 tail = Vec3::Zero();  // e1
};

/// What a spine undergoes: infinitely many small bones that all turn alike. A stretch-twist bone is
/// a spine that turns about itself.
struct SpineMotion {
  Affine3 base = Affine3::Identity();  // (R_s, t_s): rigid, what the head undergoes
  Vec3 axis = Vec3::UnitX();           // a_s: unit, model space, before the base
  double angle_rad = 0;                // θ_s: from the head to the tail
  double stretch = 1;                  // σ_s: length relative to rest
};

/// Which of the small bones a point is attached to, 0 at the head and 1 at the tail: where on the
/// segment it is nearest ([spines] section 3.1).
[[nodiscard]] double spine_parameter(const SpineRest& rest, const Vec3& point);

/// What a point with parameter u undergoes: [spines] Eq. 2 to 4, exact for every angle. In Eq. 4
/// the sign of the term with a × d is printed the wrong way round: what it is derived from in
/// section 4, and any row of small bones, bends to the other side.
///
/// With d = e1 − e0 the equations are e0 + R(u)(p − e0 − u d) + σ ∫₀ᵘ R(x) d dx before the base:
/// the offset from the segment, turned, on the arc that the segment became. In this form nothing
/// cancels as θ → 0.
[[nodiscard]] Affine3 spine_transform(const SpineRest& rest, const SpineMotion& motion, double u);

/// A(u) and B(u): before the base, what a point with parameter u undergoes is
/// p ↦ R(u) p + A(u) e0 + B(u) e1 ([araplbs] section 4.4.1). Linear in both ends, so that it says
/// what becomes of the motion when they move; the motion's base does not matter.
struct SpineTranslation {
  Eigen::Matrix3d of_head;  // A(u)
  Eigen::Matrix3d of_tail;  // B(u)
};
[[nodiscard]] SpineTranslation spine_translation(const SpineMotion& motion, double u);

/// The Jacobian at a point with parameter u, whose gradient is given: [araplbs] Eq. A.1,
///   R_s (R(u) + (R'(u)(p − e0 − u d) + (σ − 1) R(u) d) ∇uᵀ).
/// The paper prints another derivative of t(u), which is not the one of its Eq. 4 either; this one
/// is what finite differences say.
[[nodiscard]] Eigen::Matrix3d spine_jacobian(const SpineRest& rest, const SpineMotion& motion,
                                             double u, const Vec3& point, const Vec3& gradient);

}  // namespace sinew
