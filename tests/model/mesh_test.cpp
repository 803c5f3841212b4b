// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/mesh.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

double signed_area_xy(const std::vector<Triangle>& triangles, const std::vector<Vec3>& p) {
  double area = 0;
  for (const Triangle& t : triangles)
    area += 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z();
  return area;
}

double unsigned_area(const std::vector<Triangle>& triangles, const std::vector<Vec3>& p) {
  double area = 0;
  for (const Triangle& t : triangles)
    area += 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).norm();
  return area;
}

std::vector<VertexIndex> all_corners(const std::vector<Vec3>& polygon) {
  std::vector<VertexIndex> corners(polygon.size());
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<VertexIndex>(i);
  return corners;
}

TEST(Mesh, RefusesWhatNothingCanBeBuiltOnAndSaysWhere) {
  MeshData nan;
  nan.positions = {Vec3(0, 0, 0), Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0)};
  EXPECT_EQ(Mesh::create(nan).error().place, "positions[1]");
  MeshData far;
  far.positions.assign(3, Vec3::Zero());
  far.triangles = {{0, 1, 2}, {0, 1, 3}};
  EXPECT_EQ(Mesh::create(far).error().place, "triangles[1]");
  far.triangles.clear();
  far.tetrahedra = {{0, 1, 2, 9}};
  EXPECT_EQ(Mesh::create(far).error().place, "tetrahedra[0]");
  far.tetrahedra.clear();
  far.wires = {{0, 1}, {7, 1}};
  EXPECT_EQ(Mesh::create(far).error().place, "wires[1]");
}

TEST(Mesh, UglyMeshesAreWelcome) {
  MeshData ugly;
  ugly.positions.assign(4, Vec3::Zero());
  ugly.triangles = {{0, 0, 0}, {0, 1, 2}, {0, 1, 2}};
  EXPECT_TRUE(Mesh::create(ugly).ok());
  EXPECT_TRUE(Mesh::create({}).ok());
}

TEST(TriangulatePolygon, ATriangulatedPolygonCoversItOnceWhateverItsShape) {
  // An L, a star and a comb: concave, so that a fan from the first corner would leave the polygon.
  const std::vector<std::vector<Vec3>> polygons = {
      {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}},
      {{1, 1, 0},
       {0, 2, 0},
       {0.2, 0.5, 0},
       {-1, 0, 0},
       {0.2, -0.5, 0},
       {0, -2, 0},
       {1, -1, 0},
       {3, 0, 0}},
      {{0, 0, 0}, {5, 0, 0}, {5, 3, 0}, {4, 1, 0}, {3, 3, 0}, {2, 1, 0}, {1, 3, 0}, {0.5, 1, 0}},
  };
  for (const std::vector<Vec3>& polygon : polygons) {
    double exact = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i)
      exact += 0.5 * polygon[i].cross(polygon[(i + 1) % polygon.size()]).z();
    for (std::size_t turn = 0; turn < polygon.size(); ++turn) {
      std::vector<VertexIndex> corners = all_corners(polygon);
      std::rotate(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(turn),
                  corners.end());
      std::vector<Triangle> triangles;
      triangulate_polygon(corners, polygon, triangles);
      ASSERT_EQ(triangles.size(), polygon.size() - 2);
      EXPECT_NEAR(signed_area_xy(triangles, polygon), exact, 1e-12);
      EXPECT_NEAR(unsigned_area(triangles, polygon), std::abs(exact), 1e-12)
          << "no triangle is turned over";
    }
  }
}

TEST(TriangulatePolygon, DegeneratePolygonsStillGiveTheirNumberOfTriangles) {
  const std::vector<Vec3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}};
  std::vector<Triangle> triangles;
  triangulate_polygon(all_corners(line), line, triangles);
  EXPECT_EQ(triangles.size(), 3U);
  triangles.clear();
  triangulate_polygon(std::vector<VertexIndex>{0, 1}, line, triangles);
  EXPECT_TRUE(triangles.empty());
}

TEST(BoundaryTriangles, TheBoundaryOfATetrahedralCubeIsItsSurfaceTurnedOutward) {
  // Kuhn's six tetrahedra around the diagonal of the unit cube, all positively oriented.
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i) p.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  std::vector<Tetrahedron> tetrahedra{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                      {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  for (Tetrahedron& t : tetrahedra)
    if ((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).dot(p[t[3]] - p[t[0]]) < 0)
      std::swap(t[1], t[2]);
  const std::vector<Triangle> surface = boundary_triangles(tetrahedra);
  EXPECT_EQ(surface.size(), 12U);
  EXPECT_NEAR(unsigned_area(surface, p), 6, 1e-12);
  double volume = 0;
  for (const Triangle& t : surface) volume += p[t[0]].dot(p[t[1]].cross(p[t[2]])) / 6;
  EXPECT_NEAR(volume, 1, 1e-12);
}

}  // namespace
}  // namespace sinew
