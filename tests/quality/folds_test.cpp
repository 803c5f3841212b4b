// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/folds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

/// Two squares side by side in the plane z = 0, joined along x = 1.
Character hinge() {
  Character character =
      make_boxed_character({{"root", -1, Vec3::Zero()}}, Vec3::Zero(), Vec3::Ones());
  MeshData data;
  data.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
  data.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  character.mesh = *Mesh::create(std::move(data));
  character.weights = rigid_weights(std::vector<int>(6, 0), 1);
  return character;
}

/// The second square turned about the joint by an angle from flat.
std::vector<Vec3> folded_by(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  std::vector<Vec3> at = hinge().mesh.positions();
  for (const std::size_t v : {2u, 5u})
    at[v] = Vec3(1 + std::cos(angle), at[v].y(), std::sin(angle));
  return at;
}

TEST(Folds, AnEdgeFoldsThatTurnsByMoreThanSixtyDegrees) {
  const SkinSurface surface = make_skin_surface(hinge());
  const std::vector<FoldEdge> edges = fold_edges_near(surface, Vec3(1, 0.5, 0), 10);
  ASSERT_EQ(edges.size(), 3u) << "two diagonals and the hinge; borders have one triangle";
  std::vector<bool> vertices(6, false);
  EXPECT_EQ(folded_percent(surface, edges, folded_by(59), vertices), 0);
  EXPECT_EQ(std::count(vertices.begin(), vertices.end(), true), 0);
  const double hinge_part = 100 / (1 + 2 * std::sqrt(2.0));
  EXPECT_NEAR(folded_percent(surface, edges, folded_by(61), vertices), hinge_part, 1e-9);
  EXPECT_EQ(vertices, (std::vector<bool>{false, true, false, false, true, false}));
}

TEST(Folds, WhatIsFarFromThePlaceIsNotLookedAt) {
  const SkinSurface surface = make_skin_surface(hinge());
  EXPECT_TRUE(fold_edges_near(surface, Vec3(50, 0, 0), 10).empty());
  std::vector<bool> vertices(6, false);
  EXPECT_EQ(folded_percent(surface, {}, folded_by(90), vertices), 0);
}

}  // namespace
}  // namespace sinew::test
