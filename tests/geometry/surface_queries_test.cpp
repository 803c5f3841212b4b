// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/surface_queries.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

constexpr auto kAll = [](std::size_t) { return true; };

TEST(SurfaceQueries, CornersOfABoxSeeItsInsideAndNotThroughIt) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const SurfaceQueries surface(box);
  for (VertexIndex corner = 0; corner < box.vertex_count(); ++corner) {
    EXPECT_EQ(surface.visibility(corner, {0.5, 0.4, 0.6}), 1);
    const Vec3 beyond =
        Vec3(0.5, 0.45, 0.55) + 2 * (Vec3(0.5, 0.45, 0.55) - box.positions()[corner]);
    EXPECT_EQ(surface.visibility(corner, beyond), 0) << "through the opposite side";
  }
}

TEST(SurfaceQueries, SidesOfFacesDoNotMatterForVisibility) {
  MeshData data = test::box_mesh({0, 0, 0}, {1, 1, 1}).data();
  for (Triangle& triangle : data.triangles) std::swap(triangle[0], triangle[1]);
  const SurfaceQueries surface(test::make_mesh(data));
  EXPECT_EQ(surface.visibility(0, {0.5, 0.4, 0.6}), 1);
  EXPECT_EQ(surface.visibility(0, {2, 1.9, 2.1}), 0);
}

TEST(SurfaceQueries, VertexOnThePointItselfIsVisible) {
  const SurfaceQueries surface(test::box_mesh({0, 0, 0}, {1, 1, 1}));
  EXPECT_EQ(surface.visibility(0, test::box_mesh({0, 0, 0}, {1, 1, 1}).positions()[0]), 1);
}

/// A roof whose ridge along z is at height `ridge`, and a far away vertex to look from.
Mesh roof(double ridge) {
  return test::make_mesh({{{-0.1, -0.1, -1},
                           {-0.1, -0.1, 1},
                           {0, ridge, -1},
                           {0, ridge, 1},
                           {0.1, -0.1, -1},
                           {0.1, -0.1, 1},
                           {-0.5, 0, 0},
                           {-0.5, 0.1, 0},
                           {-0.6, 0, 0}},
                          {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}, {6, 7, 8}},
                          {},
                          {}});
}

/// What gets between an eye and a point hides it the more, the farther it reaches: not at all below
/// zero, wholly from `whole_from` on, and never all at once.
void expect_lost_by_degrees(const std::function<Mesh(double reach)>& mesh_with, VertexIndex eye,
                            const Vec3& point, double whole_from) {
  double last = 1;
  for (double reach = -1e-3; reach < whole_from + 1e-3; reach += 1e-4) {
    const double seen = SurfaceQueries(mesh_with(reach)).visibility(eye, point);
    if (reach < -1e-6) {
      EXPECT_EQ(seen, 1) << reach;
    }
    if (reach > whole_from) {
      EXPECT_EQ(seen, 0) << reach;
    }
    EXPECT_LE(seen, last + 1e-12) << "the farther it reaches, the less: " << reach;
    EXPECT_GT(seen, last - 0.2) << "no sudden loss: " << reach;
    last = seen;
  }
}

TEST(SurfaceQueries, LineOfSightThatGrazesARidgeIsLostByDegrees) {
  constexpr VertexIndex kEye = 6;
  expect_lost_by_degrees(roof, kEye, {0.5, 0, 0}, 4e-3);
}

TEST(SurfaceQueries, SheetCloseToTheSurfaceHidesWhatIsBehindIt) {
  // Both triangles face up: the one below is another layer, not the way back into the first.
  const Mesh layers = test::make_mesh(
      {{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {-1, -5e-4, 1}, {3, -5e-4, 1}, {-1, -5e-4, -3}},
       {{0, 1, 2}, {3, 4, 5}},
       {},
       {}});
  EXPECT_EQ(SurfaceQueries(layers).visibility(0, {0.1, -0.5, -0.1}), 0);
}

TEST(SurfaceQueries, LineOfSightPastTheHemOfASheetIsLostByDegrees) {
  const auto sheet_across = [](double hem) {  // that ends at x = hem
    return test::make_mesh({{{0, 0, 0},
                             {0.1, 0.1, 0},
                             {-0.1, 0.1, 0},
                             {hem, -0.2, -1},
                             {hem, -0.2, 1},
                             {hem - 1, -0.2, 0}},
                            {{0, 1, 2}, {3, 4, 5}},
                            {},
                            {}});
  };
  expect_lost_by_degrees(sheet_across, 0, {0, -0.5, 0}, 2.1e-3);
}

TEST(SurfaceQueries, FoldOfItsOwnPartDoesNotLetAVertexSeeThroughAnotherPart) {
  // From vertex 0 down through a flap that is sewn to its own triangle, then through a sheet.
  const std::vector<Vec3> positions{{0, 0, 0},       {0.1, 0, 0},    {0, 0, -0.1}, {-1, -5e-4, 0.1},
                                    {-1, -6e-4, -2}, {-2, -6e-4, 1}, {3, -6e-4, 1}};
  for (const bool folded : {false, true}) {
    MeshData data{positions, {{0, 1, 2}, {4, 5, 6}}, {}, {}};
    if (folded) data.triangles.push_back({2, 1, 3});
    EXPECT_EQ(SurfaceQueries(test::make_mesh(data)).visibility(0, {0.01, -0.5, -0.01}), 0)
        << folded;
  }
}

TEST(SurfaceQueries, PointsWithinAreThoseOfEveryTriangleInReach) {
  const Mesh mesh = test::make_mesh(test::limb_data({5, 3, 0.3, 1}));
  const SurfaceQueries surface(mesh);
  for (int sample = 0; sample < 20; ++sample) {
    const Vec3 point(std::sin(1.7 * sample), 0.5 + std::sin(2.9 * sample), std::cos(4.1 * sample));
    const auto all = surface.points_within(point, 10, kAll);
    EXPECT_EQ(all.size(), surface.triangles().size());
    const auto nearest = surface.closest_point(point, 10, kAll);
    const auto near = surface.points_within(point, nearest->distance + 0.1, kAll);
    std::size_t expected = 0;
    for (std::size_t t = 0; t < all.size(); ++t) {
      EXPECT_EQ(all[t].triangle, t);
      expected += all[t].distance <= nearest->distance + 0.1;
    }
    EXPECT_EQ(near.size(), expected);
  }
}

/// The distance to a triangle by trying a fine grid of its points.
double literal_distance(const Vec3& point, const Mesh& mesh, const Triangle& t) {
  double best = std::numeric_limits<double>::infinity();
  constexpr int kSteps = 60;
  for (int i = 0; i <= kSteps; ++i)
    for (int k = 0; i + k <= kSteps; ++k) {
      const double u = static_cast<double>(i) / kSteps;
      const double v = static_cast<double>(k) / kSteps;
      const std::vector<Vec3>& p = mesh.positions();
      best = std::min(best, ((1 - u - v) * p[t[0]] + u * p[t[1]] + v * p[t[2]] - point).norm());
    }
  return best;
}

TEST(SurfaceQueries, ClosestPointIsThatOfALiteralSearch) {
  const Mesh mesh = test::make_mesh(test::limb_data({5, 3, 0.3, 1}));
  const SurfaceQueries surface(mesh);
  for (int sample = 0; sample < 40; ++sample) {
    const Vec3 point(std::sin(1.7 * sample), 0.5 + std::sin(2.9 * sample), std::cos(4.1 * sample));
    double expected = std::numeric_limits<double>::infinity();
    for (const Triangle& triangle : mesh.triangles())
      expected = std::min(expected, literal_distance(point, mesh, triangle));
    const auto found = surface.closest_point(point, 10, kAll);
    ASSERT_TRUE(found);
    EXPECT_LE(found->distance, expected + 1e-9);
    EXPECT_NEAR(found->distance, expected, 2e-2);
    EXPECT_NEAR((found->point - point).norm(), found->distance, 1e-12);
    const Triangle& corners = surface.triangles()[found->triangle];
    Vec3 blended = Vec3::Zero();
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_GE(found->barycentric[c], 0);
      blended += found->barycentric[c] * mesh.positions()[corners[c]];
    }
    EXPECT_LT((blended - found->point).norm(), 1e-12);
  }
}

TEST(SurfaceQueries, OnlyTrianglesThatCountAndAreInReachAreFound) {
  const Mesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  const SurfaceQueries surface(box);
  const auto nearest = surface.closest_point({0.5, 0.5, 1.2}, 1, kAll);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->distance, 0.2, 1e-9);
  EXPECT_FALSE(surface.closest_point({0.5, 0.5, 1.2}, 0.1, kAll));
  const auto other = surface.closest_point(
      {0.5, 0.5, 1.2}, 1, [&](std::size_t triangle) { return triangle != nearest->triangle; });
  ASSERT_TRUE(other);
  EXPECT_NE(other->triangle, nearest->triangle);
}

TEST(SurfaceQueries, MeshWithoutTrianglesHidesNothingAndHasNoClosestPoint) {
  const SurfaceQueries surface(test::make_mesh({{{0, 0, 0}, {1, 0, 0}}, {}, {}, {{0, 1}}}));
  EXPECT_EQ(surface.visibility(0, {5, 5, 5}), 1);
  EXPECT_FALSE(surface.closest_point({0, 0, 0}, 10, kAll));
}

TEST(SurfaceQueries, SurfaceOfTetrahedraIsTheirBoundary) {
  const SurfaceQueries surface(test::make_mesh(test::tetrahedral_data()));
  EXPECT_EQ(surface.triangles().size(), 2u * (4 * 2 * 8 + 2 * 4)) << "two per square of the box";
}

}  // namespace
}  // namespace sinew
