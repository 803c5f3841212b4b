// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "src/geometry/outside_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

/// A limb of radius 0.2 from y = 0 to 2, many-sided: it is as good as round.
Mesh round_limb() { return make_mesh(limb_data({.sides = 48, .rings = 64})); }

/// Two hundredths of the limb's diagonal.
constexpr double kMargin = 0.02 * 2.08;

TEST(OutsideMesh, IsWhatIsFarFromTheSurfaceAndNotInside) {
  const OutsideMesh outside(round_limb());
  for (int sample = 0; sample < 500; ++sample) {
    const double radius = 0.4 * std::abs(std::sin(1.7 * sample));
    const double y = 1 + 1.3 * std::sin(2.9 * sample);
    const double turn = 4.1 * sample;
    const double beyond = std::hypot(std::max(radius - 0.2, 0.0), std::max({y - 2, -y, 0.0}));
    if (std::abs(beyond - kMargin) < 0.002) continue;  // the limb is not quite round
    EXPECT_EQ(outside.contains({radius * std::cos(turn), y, radius * std::sin(turn)}),
              beyond > kMargin)
        << radius << " from the axis, " << y << " high";
  }
}

TEST(OutsideMesh, BoxOfTheMeshIsNotItsInside) {
  // A corner between two limbs: in the box, beyond the margin of the surface.
  MeshData lying = limb_data({.sides = 24, .rings = 32});
  for (Vec3& p : lying.positions) p = Vec3(p.y(), p.x(), p.z());
  for (Triangle& t : lying.triangles) std::swap(t[1], t[2]);
  const OutsideMesh outside(make_mesh(together(limb_data({.sides = 24, .rings = 32}), lying)));
  EXPECT_TRUE(outside.contains({1.2, 1.2, 0}));
  EXPECT_FALSE(outside.contains({1.2, 0.05, 0}));
  EXPECT_FALSE(outside.contains({0.05, 1.2, 0}));
}

TEST(OutsideMesh, PartsThatFaceOppositeWaysDoNotCancel) {
  MeshData inward = limb_data({.radius = 0.5, .height = 2.4});
  for (Vec3& p : inward.positions) p.y() -= 0.2;  // no vertex of one is a vertex of the other
  for (Triangle& t : inward.triangles) std::swap(t[1], t[2]);
  const OutsideMesh outside(make_mesh(together(limb_data({.radius = 0.3}), inward)));
  EXPECT_FALSE(outside.contains({0, 1, 0}));
  EXPECT_TRUE(outside.contains({0.9, 1, 0}));
}

TEST(OutsideMesh, PlaceAndUnitsOfTheMeshDoNotMatter) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    MeshData data = limb_data();
    const Vec3 away(70, -30, 20);
    for (Vec3& p : data.positions) p = scale * (p + away);
    const OutsideMesh outside(make_mesh(std::move(data)));
    EXPECT_FALSE(outside.contains(scale * (Vec3(0, 1, 0) + away))) << scale;
    EXPECT_FALSE(outside.contains(scale * (Vec3(0.22, 1, 0) + away))) << scale;
    EXPECT_TRUE(outside.contains(scale * (Vec3(0.27, 1, 0) + away))) << scale;
    EXPECT_TRUE(outside.contains(Vec3::Zero())) << scale;
  }
}

TEST(OutsideMesh, TetrahedraCountByTheirBoundary) {
  const Mesh mesh = make_mesh(tetrahedral_data());
  const Box box = bounding_box(mesh.positions());
  const OutsideMesh outside(mesh);
  EXPECT_FALSE(outside.contains(box.center()));
  EXPECT_TRUE(outside.contains(box.max() + box.sizes()));
}

TEST(OutsideMesh, NothingIsOutsideAMeshWithoutFaces) {
  EXPECT_FALSE(OutsideMesh(Mesh()).contains({5, 5, 5}));
  EXPECT_FALSE(OutsideMesh(make_mesh({{Vec3(1, 1, 1)}, {}, {}, {}})).contains({5, 5, 5}));
}

}  // namespace
}  // namespace sinew::test
