// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "src/geometry/winding_number.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

constexpr double kAccuracy = 0.01;  // turns

/// Triangle by triangle, by the angles of its spherical triangle.
double literal_winding(const Mesh& mesh, const Vec3& point) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 a = (mesh.positions()[t[0]] - point).normalized();
    const Vec3 b = (mesh.positions()[t[1]] - point).normalized();
    const Vec3 c = (mesh.positions()[t[2]] - point).normalized();
    const auto angle = [](const Vec3& at, const Vec3& to, const Vec3& other) {
      return std::atan2(at.cross(to).cross(at.cross(other)).norm(),
                        at.cross(to).dot(at.cross(other)));
    };
    const double excess = angle(a, b, c) + angle(b, c, a) + angle(c, a, b) - std::numbers::pi;
    sum += a.dot(b.cross(c)) < 0 ? -excess : excess;
  }
  return sum / (4 * std::numbers::pi);
}

Vec3 scattered(int sample) {
  return {0.5 * std::sin(1.7 * sample), 1 + 1.5 * std::sin(2.9 * sample),
          0.5 * std::cos(4.1 * sample)};
}

class Winding : public ::testing::TestWithParam<bool> {};

TEST_P(Winding, IsTheSumOverAllTrianglesOpenOrClosed) {
  const Mesh mesh =
      make_mesh(GetParam() ? sleeve_data(0.3) : limb_data({.sides = 40, .rings = 60}));
  const WindingNumber winding(mesh.positions(), mesh.triangles());
  for (int sample = 0; sample < 200; ++sample) {
    const Vec3 point = scattered(sample);
    EXPECT_NEAR(winding.at(point), literal_winding(mesh, point), kAccuracy) << point.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, Winding, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Open" : "Closed"; });

TEST(Winding, IsOneInsideAndMinusOneInsideOfAMeshTurnedInsideOut) {
  MeshData data = limb_data({.sides = 40, .rings = 60});
  const Vec3 inside(0.05, 1.1, -0.02), outside(0.5, 1.1, 0);
  const WindingNumber outward(data.positions, data.triangles);
  EXPECT_NEAR(outward.at(inside), 1, kAccuracy);
  EXPECT_NEAR(outward.at(outside), 0, kAccuracy);
  for (Triangle& t : data.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(WindingNumber(data.positions, data.triangles).at(inside), -1, kAccuracy);
}

TEST(Winding, NothingWindsAroundNothing) {
  EXPECT_EQ(WindingNumber({}, {}).at(Vec3::Zero()), 0);
  const std::vector<Vec3> positions(3, Vec3(1, 2, 3));
  const std::vector<Triangle> point{{0, 1, 2}};
  EXPECT_EQ(WindingNumber(positions, point).at(Vec3::Zero()), 0);
  EXPECT_EQ(WindingNumber(positions, point).at(Vec3(1, 2, 3)), 0);
}

}  // namespace
}  // namespace sinew::test
