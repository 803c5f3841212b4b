// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/elements.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "support/made_elements.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::make_mesh;

double total_volume(const Elements& elements) {
  double sum = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) sum += volume_of(elements, e);
  return sum;
}

TEST(Elements, TetrahedraFillTheMeshThatBroughtThem) {
  const MeshData data = test::tetrahedral_data();
  const Elements elements = elements_of(make_mesh(data));
  EXPECT_EQ(elements.points, data.positions);
  EXPECT_EQ(elements.tetrahedra.size(), data.tetrahedra.size());
  EXPECT_NEAR(total_volume(elements), 0.4 * 0.4 * 2, 1e-12);
}

TEST(Elements, TetrahedraThatAreInsideOutAreTurnedOverAndKeepTheirVolume) {
  MeshData data = test::tetrahedral_data();
  for (std::size_t t = 0; t < data.tetrahedra.size(); t += 3)
    std::swap(data.tetrahedra[t][0], data.tetrahedra[t][1]);
  const Elements elements = elements_of(make_mesh(data));
  ASSERT_EQ(elements.size(), data.tetrahedra.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    EXPECT_NEAR(volume_of(elements, e), 0.2 * 0.2 * 0.25 / 6, 1e-15) << e;
    EXPECT_TRUE(std::ranges::is_permutation(elements.tetrahedra[e], data.tetrahedra[e])) << e;
  }
}

TEST(Elements, TetrahedraWithoutVolumeAreLeftOutAndTheirPointsStay) {
  const std::vector<Vec3> positions{{0, 0, 0},    {1, 0, 0},     {0, 1, 0},
                                    {0, 0, 1},    {0.3, 0.4, 0},  // in the plane of the first three
                                    {1, 1, 1e-9}, {9, 9, 9}};
  const Elements elements = elements_of(make_mesh(
      {positions, {}, {{0, 1, 2, 4}, {0, 1, 2, 3}, {0, 1, 1, 3}, {0, 1, 2, 5}, {2, 2, 2, 2}}, {}}));
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(elements.tetrahedra[0], (Tetrahedron{0, 1, 2, 3}));
  EXPECT_EQ(elements.points, positions);
}

TEST(Elements, ThinTetrahedraStay) {
  const Elements elements = elements_of(
      make_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1e-5}}, {}, {{0, 1, 2, 3}}, {}}));
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_NEAR(volume_of(elements, 0), 1e-5 / 6, 1e-18);
}

TEST(Elements, WhatIsLeftOutDoesNotDependOnTheUnit) {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1e-9}};
    for (Vec3& position : positions) position *= unit;
    const Elements elements =
        elements_of(make_mesh({positions, {}, {{0, 1, 2, 4}, {0, 2, 1, 3}}, {}}));
    ASSERT_EQ(elements.size(), 1u) << unit;
    EXPECT_NEAR(volume_of(elements, 0) / (unit * unit * unit), 1.0 / 6, 1e-12);
  }
}

TEST(Elements, CellSizeIsTheMeanEdgeOfTheTetrahedraThatStay) {
  const double slanted = std::sqrt(2);
  const Elements elements =
      elements_of(make_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {50, 0, 0}},
                             {},
                             {{0, 1, 2, 3}, {0, 1, 2, 4}},
                             {}}));
  EXPECT_NEAR(elements.cell_size, (3 + 3 * slanted) / 6, 1e-12);
}

TEST(Elements, MeshWithoutTetrahedraHasNone) {
  const Elements of_surface = elements_of(make_mesh(test::limb_data()));
  EXPECT_EQ(of_surface.size(), 0u);
  EXPECT_TRUE(pieces_of(of_surface).empty());
  EXPECT_EQ(elements_of(Mesh()).size(), 0u);
}

TEST(Elements, CubesHaveTheVolumeOfTheirEdge) {
  const Elements elements = test::block_of_cubes(2, 3, 4, 0.5);
  EXPECT_EQ(elements.size(), 24u);
  EXPECT_EQ(elements.points.size(), 60u);
  EXPECT_DOUBLE_EQ(total_volume(elements), 3);
}

TEST(Elements, CubesThatOnlyTouchAreDifferentPieces) {
  const std::vector<test::PlacedCube> cubes{
      {{0, 0, 0}, 1}, {{1, 0, 0}, 0}, {{2, 0, 0}, 0}, {{0, 1, 0}, 1}, {{1, 0, 0}, 2}};
  EXPECT_EQ(pieces_of(test::placed_cubes(cubes, 1)), (std::vector<int>{0, 1, 1, 0, 2}));
}

TEST(Elements, CubesThatShareOnePointAreOnePiece) {
  const std::vector<test::PlacedCube> cubes{{{0, 0, 0}}, {{1, 1, 1}}};
  EXPECT_EQ(pieces_of(test::placed_cubes(cubes, 1)), (std::vector<int>{0, 0}));
}

TEST(Elements, CubesAndTetrahedraThatSharePointsAreOnePiece) {
  Elements elements = test::block_of_cubes(1, 1, 1, 1);
  const auto first_new = static_cast<ElementPoint>(elements.points.size());
  elements.points.insert(elements.points.end(), {{2, 0, 0}, {2, 1, 0}, {2, 0, 1}, {3, 0, 0}});
  elements.tetrahedra.push_back({first_new, first_new + 3, first_new + 1, first_new + 2});
  EXPECT_EQ(pieces_of(elements), (std::vector<int>{0, 1}));
  elements.tetrahedra.push_back({1, first_new, 3, 5});
  EXPECT_EQ(pieces_of(elements), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(elements.corners_of(2)[0], 1u);
}

}  // namespace
}  // namespace sinew
