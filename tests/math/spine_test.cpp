// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/spine.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

Vec3 normal_vector(Random& random) {
  return Vec3(random.normal(), random.normal(), random.normal());
}

Affine3 random_rigid(Random& random) {
  Affine3 rigid = Affine3::Identity();
  rigid.linear() = Quat(random.normal(), random.normal(), random.normal(), random.normal())
                       .normalized()
                       .toRotationMatrix();
  rigid.translation() = normal_vector(random);
  return rigid;
}

struct Case {
  SpineRest rest;
  SpineMotion motion;
};

Case random_case(Random& random) {
  Case drawn;
  drawn.rest = {normal_vector(random), normal_vector(random)};
  drawn.motion.base = random_rigid(random);
  drawn.motion.axis = normal_vector(random).normalized();
  drawn.motion.angle_rad = random.uniform(-2.6, 2.6);
  drawn.motion.stretch = random.uniform(0.5, 4);
  return drawn;
}

/// [spines] Eq. 2 to 4, as printed but for the sign of the term with a × d.
Affine3 as_printed(const SpineRest& rest, const SpineMotion& motion, double u) {
  const Vec3 along = rest.tail - rest.head;
  const Vec3& axis = motion.axis;
  const double theta = motion.angle_rad;
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(u * theta, axis).toRotationMatrix();
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - axis * axis.transpose();
  Affine3 local;
  local.linear() = turn;
  local.translation() =
      (Eigen::Matrix3d::Identity() - turn) * rest.head +
      motion.stretch * (std::sin(u * theta) / theta - u * std::cos(u * theta)) * across * along -
      motion.stretch * (u * std::sin(u * theta) + (std::cos(u * theta) - 1) / theta) *
          axis.cross(along) +
      u * (motion.stretch - 1) * turn * along;
  return motion.base * local;
}

double difference(const Affine3& a, const Affine3& b) { return (a.matrix() - b.matrix()).norm(); }

TEST(Spine, IsThePapersWithOneSignMended) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Case drawn = random_case(random);
    const double u = random.uniform(0, 1);
    EXPECT_LT(difference(spine_transform(drawn.rest, drawn.motion, u),
                         as_printed(drawn.rest, drawn.motion, u)),
              1e-12);
  }
}

/// N bones in a row, each turned by θ/N on the one before and stretched by σ along the segment.
Affine3 by_small_bones(const Case& drawn, int bones, double u) {
  const Vec3 along = drawn.rest.tail - drawn.rest.head;
  const int at = std::min(bones - 1, static_cast<int>(u * bones));
  Affine3 chain = drawn.motion.base;
  for (int bone = 1; bone <= at; ++bone) {
    const Vec3 joint = drawn.rest.head + drawn.motion.stretch * bone / bones * along;
    Affine3 turn = Affine3::Identity();
    turn.linear() =
        Eigen::AngleAxisd(drawn.motion.angle_rad / bones, drawn.motion.axis).toRotationMatrix();
    turn.translation() = joint - turn.linear() * joint;
    chain = chain * turn;
  }
  Affine3 stretched = Affine3::Identity();
  stretched.translation() = u * (drawn.motion.stretch - 1) * along;
  return chain * stretched;
}

TEST(Spine, IsTheLimitOfManySmallBones) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Case drawn = random_case(random);
    const double size = 1 + drawn.motion.stretch * (drawn.rest.tail - drawn.rest.head).norm();
    for (const double u : {0.25, 0.5, 0.8, 1.0}) {
      const Affine3 limit = spine_transform(drawn.rest, drawn.motion, u);
      for (int bones = 4; bones <= 256; bones *= 2) {
        // Halving the bones halves the error at worst: it is below c / N for every N.
        EXPECT_LT(difference(by_small_bones(drawn, bones, u), limit), 8 * size / bones);
      }
    }
  }
}

TEST(Spine, IsWhatIntegrationAlongItGives) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Case drawn = random_case(random);
    const Vec3 along = drawn.rest.tail - drawn.rest.head;
    const double u = random.uniform(0, 1);
    // Simpson's rule over the two integrals of [spines] section 4, then the stretch, then the base.
    const Eigen::Matrix3d cross =
        (Eigen::Matrix3d() << 0, -drawn.motion.axis.z(), drawn.motion.axis.y(),
         drawn.motion.axis.z(), 0, -drawn.motion.axis.x(), -drawn.motion.axis.y(),
         drawn.motion.axis.x(), 0)
            .finished();
    const auto slope = [&](double x) -> Eigen::Matrix3d {
      return drawn.motion.angle_rad * cross *
             Eigen::AngleAxisd(x * drawn.motion.angle_rad, drawn.motion.axis).toRotationMatrix();
    };
    Vec3 moved = Vec3::Zero();
    const int steps = 400;
    for (int step = 0; step <= steps; ++step) {
      const double x = u * step / steps;
      const double share =
          (step == 0 || step == steps ? 1 : (step % 2 == 0 ? 2 : 4)) * u / (3.0 * steps);
      moved -= share * slope(x) * (drawn.rest.head + drawn.motion.stretch * x * along);
    }
    Affine3 local;
    local.linear() =
        Eigen::AngleAxisd(u * drawn.motion.angle_rad, drawn.motion.axis).toRotationMatrix();
    local.translation() = moved + u * (drawn.motion.stretch - 1) * local.linear() * along;
    EXPECT_LT(difference(spine_transform(drawn.rest, drawn.motion, u), drawn.motion.base * local),
              1e-9);
  }
}

TEST(Spine, JacobianIsWhatCentralDifferencesSay) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Case drawn = random_case(random);
    const Vec3 gradient = normal_vector(random);
    const Vec3 point = normal_vector(random);
    const double u = random.uniform(0.2, 0.8);
    const auto moved = [&](const Vec3& at) -> Vec3 {
      return spine_transform(drawn.rest, drawn.motion, u + gradient.dot(at - point)) * at;
    };
    const auto error = [&](double step) {
      Eigen::Matrix3d slope;
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 shift = step * Vec3::Unit(axis);
        slope.col(axis) = (moved(point + shift) - moved(point - shift)) / (2 * step);
      }
      return (slope - spine_jacobian(drawn.rest, drawn.motion, u, point, gradient)).norm();
    };
    const double coarse = error(1e-2);
    const double fine = error(5e-3);
    EXPECT_LT(fine, 1e-2 * (1 + drawn.motion.stretch) * (1 + std::pow(gradient.norm(), 3)));
    EXPECT_NEAR(coarse / fine, 4, 0.1);
  }
}

TEST(Spine, TheAngleMayVanish) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Case drawn = random_case(random);
    const double u = random.uniform(0, 1);
    drawn.motion.angle_rad = 0;
    const Affine3 straight = spine_transform(drawn.rest, drawn.motion, u);
    for (double angle = 1; angle > 1e-18; angle /= 3) {
      drawn.motion.angle_rad = angle;
      const double change = difference(spine_transform(drawn.rest, drawn.motion, u), straight);
      EXPECT_LT(change, 20 * angle + 1e-14);
    }
    // On either side of where the series begins, the values are the same to machine precision.
    drawn.motion.angle_rad = 1e-2 / u;
    const Affine3 closed = spine_transform(drawn.rest, drawn.motion, u);
    drawn.motion.angle_rad = std::nextafter(1e-2 / u, 0) * (1 - 1e-15);
    EXPECT_LT(difference(spine_transform(drawn.rest, drawn.motion, u), closed), 1e-14);
  }
}

TEST(Spine, ATwistKeepsPointsOnTheBoneInPlace) {
  const SpineRest rest{Vec3(1, 2, 3), Vec3(1, 4, 3)};
  SpineMotion twist;
  twist.axis = Vec3::UnitY();
  twist.angle_rad = 2.5;
  for (const double u : {0.0, 0.3, 1.0}) {
    const Vec3 on_bone = rest.head + u * (rest.tail - rest.head);
    EXPECT_LT((spine_transform(rest, twist, u) * on_bone - on_bone).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace sinew
