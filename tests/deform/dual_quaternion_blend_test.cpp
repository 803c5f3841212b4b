// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/dual_quaternion_blend.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "math/dual_quaternion.h"
#include "support/deform_scene.h"

namespace sinew::test {
namespace {

Affine3 turn_about_z(double degrees) {
  return Affine3(Eigen::AngleAxisd(degrees * M_PI / 180, Vec3::UnitZ()));
}

double smallest_radius(const Deformed& out) {
  double smallest = 1e9;
  for (std::size_t v = 0; 3 * v < out.positions.size(); ++v)
    smallest = std::min(smallest, point_at(out.positions, v).head<2>().norm());
  return smallest;
}

TEST(DualQuaternion, ATwistedCylinderKeepsItsRadiusWhereLinearBlendingCollapses) {
  const DeformScene cylinder = two_bone_cylinder();
  const std::vector<Affine3> bones{turn_about_z(0), turn_about_z(179)};
  EXPECT_LT(smallest_radius(deform(Method::linear, cylinder, bones)), 0.02);
  EXPECT_NEAR(smallest_radius(deform(Method::dual, cylinder, bones)), 1, 1e-6);
}

// Turns of 100° and −100° are 160° apart across the back: their middle is 180°, not 0°.
TEST(DualQuaternion, BonesFarApartBlendTheShortWayRound) {
  DeformScene scene = two_bone_cylinder();
  const std::vector<Affine3> bones{turn_about_z(100), turn_about_z(-100)};
  const Deformed out = deform(Method::dual, scene, bones);
  for (std::size_t v = 20 * 24; v < 21 * 24; ++v) {
    const Vec3 expected = turn_about_z(180) * scene.positions[v];
    EXPECT_LT((point_at(out.positions, v) - expected).norm(), 1e-6);
  }
}

TEST(DualQuaternion, TheSignOfABonesQuaternionDoesNotMatter) {
  const DeformScene scene = two_bone_cylinder();
  const Deformed one =
      deform(Method::dual, scene, std::vector{turn_about_z(30), turn_about_z(200)});
  const Deformed other =
      deform(Method::dual, scene, std::vector{turn_about_z(390), turn_about_z(-160)});
  for (std::size_t k = 0; k < one.positions.size(); ++k)
    EXPECT_NEAR(one.positions[k], other.positions[k], 2e-6);
}

TEST(DualQuaternion, AScrewIsBlendedAtConstantPitch) {
  const DeformScene scene = two_bone_cylinder();
  std::vector<Affine3> bones{turn_about_z(0), turn_about_z(90)};
  bones[1].translation() = Vec3(0, 0, 3);
  const Deformed out = deform(Method::dual, scene, bones);
  const std::size_t middle = 20 * 24;
  Vec3 expected = turn_about_z(45) * scene.positions[middle];
  expected.z() += 1.5;
  EXPECT_LT((point_at(out.positions, middle) - expected).norm(), 1e-5);
}

TEST(SplitStretch, PutsTheMapBackTogether) {
  for (unsigned seed = 1; seed < 50; ++seed) {
    Affine3 map = random_affine(seed);
    if (seed % 3 == 0) map.linear().col(1) *= -1;
    const RigidAndStretch parts = split_stretch(map);
    EXPECT_FALSE(parts.rigid);
    EXPECT_LT((parts.rotation.toRotationMatrix() * parts.stretch - map.linear()).norm(), 1e-12);
    EXPECT_LT((parts.stretch - parts.stretch.transpose()).norm(), 1e-12);
  }
}

TEST(SplitStretch, ARigidMapHasExactlyNoStretch) {
  for (unsigned seed = 1; seed < 50; ++seed) {
    const RigidAndStretch parts = split_stretch(random_rigid(seed));
    EXPECT_TRUE(parts.rigid);
    EXPECT_EQ(parts.stretch, Eigen::Matrix3d::Identity());
  }
}

TEST(SplitStretch, AMapOfRankZeroStillHasARotation) {
  Affine3 map = Affine3::Identity();
  map.linear().setZero();
  const RigidAndStretch parts = split_stretch(map);
  EXPECT_NEAR(parts.rotation.norm(), 1, 1e-12);
  EXPECT_EQ(parts.stretch.norm(), 0);
}

}  // namespace
}  // namespace sinew::test
