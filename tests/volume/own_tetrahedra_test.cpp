// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/own_tetrahedra.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"
#include "volume/grid_looks.h"

namespace sinew::test {
namespace {

OwnTetrahedra own_of(MeshData data) {
  std::optional<OwnTetrahedra> own = own_tetrahedra(make_mesh(std::move(data)));
  EXPECT_TRUE(own);
  return own ? *std::move(own) : OwnTetrahedra();
}

double filled(const Elements& elements) {
  double sum = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) sum += volume_of(elements, e);
  return sum;
}

/// Of what is embedded, every coefficient in [0, 1], all at corners of the element.
void expect_sound(const OwnTetrahedra& own) {
  for (std::size_t v = 0; v < own.embedding.size(); ++v) {
    const auto coefficients = own.embedding.coefficients_of(v);
    EXPECT_NEAR(std::accumulate(coefficients.begin(), coefficients.end(), 0.0), 1, 1e-6);
    const auto element = own.elements.corners_of(own.embedding.element[v]);
    for (const ElementPoint corner : own.embedding.corners_of(v))
      EXPECT_NE(std::ranges::find(element, corner), element.end());
    for (const double coefficient : coefficients) EXPECT_GE(coefficient, 0);
  }
}

TEST(OwnTetrahedra, AreThoseOfTheMeshAndVerticesAreTheirPoints) {
  const MeshData limb = tetrahedral_data();
  const OwnTetrahedra own = own_of(limb);
  EXPECT_EQ(own.elements.tetrahedra.size(), limb.tetrahedra.size());
  EXPECT_EQ(own.elements.points, limb.positions);
  EXPECT_EQ(own.flat_tetrahedra, 0u);
  EXPECT_EQ(own.outside_vertices, 0u);
  EXPECT_NEAR(filled(own.elements), 0.4 * 2 * 0.4, 1e-12);
  for (std::size_t v = 0; v < limb.positions.size(); ++v)
    EXPECT_EQ(embedded(own.embedding, own.elements, v), limb.positions[v]);
  expect_sound(own);
}

TEST(OwnTetrahedra, AreNoneWhereAMeshBringsNoVolume) {
  EXPECT_FALSE(own_tetrahedra(make_mesh(limb_data())));
  MeshData flat = limb_data();
  flat.tetrahedra = {{0, 1, 2, 2}, {0, 0, 0, 0}};
  EXPECT_FALSE(own_tetrahedra(make_mesh(std::move(flat))));
}

TEST(OwnTetrahedra, VerticesThatNoneRefersToLieAtTheClosestPointOfTheirBoundary) {
  MeshData limb = tetrahedral_data();
  limb.positions.insert(limb.positions.begin(), Vec3(0.05, 1.03, 0.3));  // above a face
  limb.positions.emplace_back(0.5, 2.5, 0.5);                            // beyond a corner
  for (Tetrahedron& tetrahedron : limb.tetrahedra)
    for (VertexIndex& corner : tetrahedron) ++corner;
  limb.tetrahedra.push_back({1, 1, 1, 1});
  const std::size_t count = limb.positions.size();
  const OwnTetrahedra own = own_of(std::move(limb));
  EXPECT_EQ(own.outside_vertices, 2u);
  EXPECT_EQ(own.flat_tetrahedra, 1u);
  EXPECT_EQ(own.elements.points.size(), count - 2);
  EXPECT_EQ(own.embedding.size(), count);
  constexpr double kFloats = 1e-6;
  EXPECT_NEAR((embedded(own.embedding, own.elements, 0) - Vec3(0.05, 1.03, 0.2)).norm(), 0,
              kFloats);
  EXPECT_NEAR((embedded(own.embedding, own.elements, count - 1) - Vec3(0.2, 2, 0.2)).norm(), 0,
              kFloats);
  expect_sound(own);
}

TEST(OwnTetrahedra, WhatIsThereTwiceHoldsVerticesToo) {
  MeshData limb = tetrahedral_data();
  limb.tetrahedra.insert(limb.tetrahedra.end(), limb.tetrahedra.begin(), limb.tetrahedra.end());
  limb.positions.emplace_back(0.5, 2.5, 0.5);
  const OwnTetrahedra own = own_of(limb);
  EXPECT_EQ(own.outside_vertices, 1u);
  EXPECT_NEAR(
      (embedded(own.embedding, own.elements, limb.positions.size() - 1) - Vec3(0.2, 2, 0.2)).norm(),
      0, 1e-6);
  expect_sound(own);
}

}  // namespace
}  // namespace sinew::test
