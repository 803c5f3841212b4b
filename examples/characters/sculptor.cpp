// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/sculptor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::sculpt {
namespace {

/// Columns: towards `side`, along `along`, and across both.
Mat3 axes_from(const Vec3& along, const Vec3& side) {
  Mat3 axes;
  axes.col(1) = along.normalized();
  axes.col(0) = (side - side.dot(axes.col(1)) * axes.col(1)).normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return axes;
}

Vec3 any_side(const Vec3& along) {
  return std::abs(along.normalized().z()) < 0.8 ? Vec3::UnitZ() : Vec3::UnitX();
}

}  // namespace

Primitive limb(const Vec3& head, double head_radius, const Vec3& tail, double tail_radius,
               double blend) {
  return flat_limb(head, head_radius, tail, tail_radius, any_side(tail - head), 1, 1, blend);
}

Primitive flat_limb(const Vec3& head, double head_radius, const Vec3& tail, double tail_radius,
                    const Vec3& side, double side_stretch, double depth_stretch, double blend) {
  Primitive solid;
  solid.origin = head;
  solid.axes = axes_from(tail - head, side);
  solid.stretch = {side_stretch, 1, depth_stretch};
  solid.length = (tail - head).norm();
  solid.radius_head = head_radius;
  solid.radius_tail = tail_radius;
  solid.blend = blend;
  return solid;
}

Primitive egg(const Vec3& centre, const Vec3& radii, double blend) {
  return egg_along(centre, Vec3::UnitY(), Vec3::UnitX(), radii, blend);
}

Primitive egg_along(const Vec3& centre, const Vec3& along, const Vec3& side, const Vec3& radii,
                    double blend) {
  Primitive solid;
  solid.origin = centre;
  solid.axes = axes_from(along, side);
  solid.stretch = radii;
  solid.radius_head = 1;
  solid.radius_tail = 1;
  solid.blend = blend;
  return solid;
}

Primitive box(const Vec3& centre, const Vec3& half, double rounding, double blend) {
  Primitive solid;
  solid.shape = Primitive::Shape::box;
  solid.origin = centre;
  solid.half = half;
  solid.rounding = rounding;
  solid.blend = blend;
  return solid;
}

Primitive cylinder(const Vec3& centre, const Vec3& axis, double radius, double half_height,
                   double rounding, double blend) {
  Primitive solid;
  solid.shape = Primitive::Shape::cylinder;
  solid.origin = centre;
  solid.axes = axes_from(axis, any_side(axis));
  solid.half = {radius, half_height, radius};
  solid.rounding = rounding;
  solid.blend = blend;
  return solid;
}

Primitive turned(Primitive solid, const Vec3& axis, double angle_deg) {
  const double angle_rad = angle_deg * std::numbers::pi / 180;
  solid.axes = Eigen::AngleAxisd(angle_rad, axis.normalized()).toRotationMatrix() * solid.axes;
  return solid;
}

Primitive carved(Primitive solid) {
  solid.carve = true;
  return solid;
}

double SlopeRamp::slope(double x) const {
  const double t = std::clamp((x - start) / length, 0.0, 1.0);
  return 1 + t * (end_slope - 1);
}

double SlopeRamp::map(double x) const {
  if (x <= start) return x;
  const double inside = std::min(x - start, length);
  return start + inside + inside * inside * (end_slope - 1) / (2 * length) +
         end_slope * (x - start - inside);
}

double SlopeRamp::inverse(double y) const {
  if (y <= start) return y;
  const double ramp_end = map(start + length);
  if (y >= ramp_end) return start + length + (y - ramp_end) / end_slope;
  double low = start, high = start + length;
  for (int i = 0; i < 60; ++i) (map((low + high) / 2) < y ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

}  // namespace sinew::sculpt
