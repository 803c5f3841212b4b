// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/spine.h"

#include <cmath>

#include "math/segment.h"

namespace sinew {
namespace {

/// Below this angle the first three terms of a series are exact to the last bit of a double.
constexpr double kSeriesBelowRad = 1e-2;

/// sin φ / φ.
double sine_ratio(double phi) {
  if (std::abs(phi) >= kSeriesBelowRad) return std::sin(phi) / phi;
  const double square = phi * phi;
  return 1 - square / 6 * (1 - square / 20 * (1 - square / 42));
}

/// (1 − cos φ) / φ.
double versine_ratio(double phi) {
  const double half = sine_ratio(phi / 2);
  return phi / 2 * half * half;
}

Eigen::Matrix3d rotation_at(const SpineMotion& motion, double u) {
  return Eigen::AngleAxisd(u * motion.angle_rad, motion.axis).toRotationMatrix();
}

/// ∫₀ᵘ Rot(a, xθ) d dx.
Vec3 arc(const SpineMotion& motion, const Vec3& along, double u) {
  const double phi = u * motion.angle_rad;
  const Vec3 axial = motion.axis * motion.axis.dot(along);
  return u * (sine_ratio(phi) * (along - axial) + versine_ratio(phi) * motion.axis.cross(along) +
              axial);
}

}  // namespace

double spine_parameter(const SpineRest& rest, const Vec3& point) {
  return closest_on_segment(point, rest.head, rest.tail);
}

Affine3 spine_transform(const SpineRest& rest, const SpineMotion& motion, double u) {
  const Vec3 along = rest.tail - rest.head;
  Affine3 local;
  local.linear() = rotation_at(motion, u);
  local.translation() =
      rest.head + motion.stretch * arc(motion, along, u) - local.linear() * (rest.head + u * along);
  return motion.base * local;
}

SpineTranslation spine_translation(const SpineMotion& motion, double u) {
  const Eigen::Matrix3d rotation = rotation_at(motion, u);
  SpineTranslation result;
  for (Eigen::Index c = 0; c < 3; ++c)
    result.of_tail.col(c) = motion.stretch * arc(motion, Vec3::Unit(c), u) - u * rotation.col(c);
  result.of_head = Eigen::Matrix3d::Identity() - rotation - result.of_tail;
  return result;
}

Eigen::Matrix3d spine_jacobian(const SpineRest& rest, const SpineMotion& motion, double u,
                               const Vec3& point, const Vec3& gradient) {
  const Vec3 along = rest.tail - rest.head;
  const Eigen::Matrix3d rotation = rotation_at(motion, u);
  const Vec3 offset = point - rest.head - u * along;
  const Vec3 turning = motion.angle_rad * motion.axis.cross(rotation * offset);
  const Vec3 growing = (motion.stretch - 1) * (rotation * along);
  return motion.base.linear() * (rotation + (turning + growing) * gradient.transpose());
}

}  // namespace sinew
