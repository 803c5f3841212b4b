// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/weld.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::make_mesh;

/// Two triangles over a shared edge whose ends are stored twice.
MeshData split_quad() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
          {{0, 1, 2}, {3, 4, 5}},
          {},
          {}};
}

TEST(Weld, CopiesAreOnePlaceAndFacesUseIt) {
  const WeldedMesh welded = weld(make_mesh(split_quad()));
  EXPECT_EQ(welded.mesh.vertex_count(), 4u);
  EXPECT_EQ(welded.welded, (std::vector<VertexIndex>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(welded.mesh.triangles()[1], (Triangle{0, 2, 3}));
  EXPECT_EQ(welded.copies, (std::vector<VertexIndex>{0, 3, 1, 2, 4, 5}));
  EXPECT_EQ(welded.copies_begin, (std::vector<std::size_t>{0, 2, 3, 5, 6}));
}

TEST(Weld, TheMapsLeadThereAndBackOnEveryMeshOfTheZoo) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const WeldedMesh welded = weld(zoo.mesh);
    ASSERT_EQ(welded.copies.size(), zoo.mesh.vertex_count()) << zoo.name;
    for (std::size_t place = 0; place < welded.mesh.vertex_count(); ++place)
      for (std::size_t c = welded.copies_begin[place]; c < welded.copies_begin[place + 1]; ++c)
        EXPECT_EQ(welded.welded[welded.copies[c]], place) << zoo.name;
  }
}

TEST(Weld, PointsWithinTheToleranceJoinWhereverTheyLieInTheGrid) {
  // Pairs half a tolerance apart along lines of several cells: borders of one axis, or of all
  // three, fall between some of them.
  for (const Vec3& along : {Vec3(1, 0, 0), Vec3(1, 1, 1)})
    for (int step = 0; step < 900; ++step) {
      const Vec3 at = (0.3 + 1.3e-7 * step) * along;
      const Vec3 beside = at + 5e-7 * along.normalized();
      const Mesh mesh = make_mesh({{{0, 0, 0}, {1, 1, 1}, at, beside}, {}, {}, {}});
      EXPECT_EQ(weld(mesh).mesh.vertex_count(), 3u) << at.transpose();
    }
}

TEST(Weld, EveryPointJoinsTheFirstPlaceWithinTheTolerance) {
  // Crowds of some tolerances, so that cells have many places, and neighbours.
  constexpr double kTolerance = 1e-6;
  Random random(3);
  std::vector<Vec3> points{{0, 0, 0}, {1, 1, 1}};
  for (int crowd = 0; crowd < 8; ++crowd) {
    const Vec3 middle(random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(0.1, 0.9));
    const double size = kTolerance * random.uniform(1, 60);
    for (int n = 0; n < 120; ++n)
      points.push_back(middle + size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1),
                                            random.uniform(-1, 1)));
  }
  std::vector<Vec3> places;
  std::vector<VertexIndex> expected;
  for (const Vec3& point : points) {
    const auto place = std::ranges::find_if(
        places, [&](const Vec3& each) { return (each - point).norm() <= kTolerance; });
    expected.push_back(static_cast<VertexIndex>(place - places.begin()));
    if (place == places.end()) places.push_back(point);
  }
  const WeldedMesh welded = weld(make_mesh({points, {}, {}, {}}));
  EXPECT_EQ(welded.welded, expected);
  EXPECT_LT(places.size(), points.size());
}

TEST(Weld, PointsFartherApartThanTheToleranceStay) {
  const Mesh mesh =
      make_mesh({{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5 + 2e-6, 0, 0}}, {}, {}, {}});
  EXPECT_EQ(weld(mesh).mesh.vertex_count(), 4u);
}

TEST(Weld, FacesWhoseCornersFallTogetherAreGoneAndCounted) {
  MeshData data = split_quad();
  data.triangles.push_back({0, 3, 1});
  data.wires.push_back({2, 4});
  const WeldedMesh welded = weld(make_mesh(data));
  EXPECT_EQ(welded.mesh.triangles().size(), 2u);
  EXPECT_TRUE(welded.mesh.wires().empty());
  EXPECT_EQ(welded.collapsed_triangles, 1u);
}

TEST(Weld, ScaleDoesNotMatter) {
  for (const double factor : {1e-6, 1.0, 1e7}) {
    MeshData data = split_quad();
    for (Vec3& position : data.positions) position = factor * (position + Vec3(100, 0, 0));
    EXPECT_EQ(weld(make_mesh(data)).mesh.vertex_count(), 4u) << factor;
  }
}

TEST(Weld, WeightsGoToAllCopiesAndBackAsTheirMean) {
  const WeldedMesh welded = weld(make_mesh(split_quad()));
  const SkinWeights differing = SkinWeights::from_rows(
      2, std::vector<std::vector<Influence>>{
             {{0, 1}}, {{0, 1}}, {{0, 0.25}, {1, 0.75}}, {{1, 1}}, {}, {{1, 1}}});
  const SkinWeights mean = mean_of_copies(welded, differing);
  EXPECT_EQ(mean.row(0)[0], (Influence{0, 0.5}));
  EXPECT_EQ(mean.row(2)[1], (Influence{1, 0.75})) << "a copy without weights does not count";
  const SkinWeights spread = spread_to_copies(welded, mean);
  ASSERT_EQ(spread.vertex_count(), 6u);
  for (const auto& [a, b] : {std::pair(0, 3), std::pair(2, 4)})
    EXPECT_TRUE(std::ranges::equal(spread.row(static_cast<std::size_t>(a)),
                                   spread.row(static_cast<std::size_t>(b))));
}

}  // namespace
}  // namespace sinew
