// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/swing_twist.h"

#include <numbers>

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

Quat from_vector(const Vec3& rotation_rad) {
  const double angle = rotation_rad.norm();
  if (angle == 0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(angle, rotation_rad / angle));
}

TEST(SwingTwist, GivesBackWhatARotationWasMadeOf) {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 axis = Vec3(random.normal(), random.normal(), random.normal()).normalized();
    const Vec3 across = axis.cross(Vec3(random.normal(), random.normal(), random.normal()));
    const Vec3 swing = across.normalized() * random.uniform(0, 0.99 * std::numbers::pi);
    const double twist = random.uniform(-0.99, 0.99) * std::numbers::pi;
    Quat rotation = from_vector(swing) * from_vector(axis * twist);
    if (trial % 2 != 0) rotation.coeffs() = -rotation.coeffs();
    const SwingTwist parts = swing_twist(rotation, axis);
    EXPECT_LT((parts.swing_rad - swing).norm(), 1e-12);
    EXPECT_NEAR(parts.twist_rad, twist, 1e-12);
  }
}

TEST(SwingTwist, AHalfTurnAcrossHasNoTwist) {
  const SwingTwist parts = swing_twist(Quat(0, 1, 0, 0), Vec3::UnitY());
  EXPECT_EQ(parts.twist_rad, 0);
  EXPECT_LT((parts.swing_rad - Vec3(std::numbers::pi, 0, 0)).norm(), 1e-15);
}

TEST(SwingTwist, TheIdentityIsNeither) {
  const SwingTwist parts = swing_twist(Quat::Identity(), Vec3::UnitZ());
  EXPECT_EQ(parts.twist_rad, 0);
  EXPECT_EQ(parts.swing_rad, Vec3(0, 0, 0));
}

}  // namespace
}  // namespace sinew
