// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "characters/blueprint.h"

namespace sinew::sculpt {

/// A tapered limb with round ends.
[[nodiscard]] Primitive limb(const Vec3& head, double head_radius, const Vec3& tail,
                             double tail_radius, double blend);

/// A limb of elliptic section: `side` is made orthogonal to it, and the radii are stretched by
/// `side_stretch` along it and by `depth_stretch` across.
[[nodiscard]] Primitive flat_limb(const Vec3& head, double head_radius, const Vec3& tail,
                                  double tail_radius, const Vec3& side, double side_stretch,
                                  double depth_stretch, double blend);

/// An ellipsoid along the axes of the body.
[[nodiscard]] Primitive egg(const Vec3& centre, const Vec3& radii, double blend);

/// An ellipsoid whose second radius lies along `along` and whose first lies towards `side`.
[[nodiscard]] Primitive egg_along(const Vec3& centre, const Vec3& along, const Vec3& side,
                                  const Vec3& radii, double blend);

[[nodiscard]] Primitive box(const Vec3& centre, const Vec3& half, double rounding, double blend);
/// A cylinder along `axis`.
[[nodiscard]] Primitive cylinder(const Vec3& centre, const Vec3& axis, double radius,
                                 double half_height, double rounding, double blend);

/// The same solid, turned about its own origin.
[[nodiscard]] Primitive turned(Primitive solid, const Vec3& axis, double angle_deg);
/// The same solid, taken away instead of added.
[[nodiscard]] Primitive carved(Primitive solid);

/// A smooth map of a line onto itself: the identity up to `start`, then with a slope that falls to
/// `end_slope` within `length`, and stays there.
struct SlopeRamp {
  double start = 0;
  double length = 1;
  double end_slope = 1;

  [[nodiscard]] double slope(double x) const;
  [[nodiscard]] double map(double x) const;
  [[nodiscard]] double inverse(double y) const;
};

}  // namespace sinew::sculpt
