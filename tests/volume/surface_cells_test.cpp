// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "src/volume/surface_cells.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

constexpr int kSide = 9;

CellLattice lattice() { return {1, {kSide, kSide, kSide}}; }

std::vector<CellKey> cells_of(const Corners& corners) {
  std::vector<CellKey> cells;
  append_cells(corners, lattice(), cells);
  std::sort(cells.begin(), cells.end());
  return cells;
}

Vec3 drawn(std::mt19937& random, double low = 0, double high = kSide) {
  std::uniform_real_distribution<double> draw(low, high);
  const double x = draw(random), y = draw(random), z = draw(random);
  return {x, y, z};
}

TEST(SurfaceCells, HoldEveryPointOfASimplex) {
  std::mt19937 random(3);
  for (int sample = 0; sample < 300; ++sample) {
    Corners corners{drawn(random), drawn(random), drawn(random)};
    if (sample % 3 == 1) corners[2] = corners[1];
    if (sample % 3 == 2) corners[1] = corners[0] + 1e-3 * drawn(random);
    const std::vector<CellKey> cells = cells_of(corners);
    for (int point = 0; point < 200; ++point) {
      Vec3 shares = drawn(random, 0, 1);
      shares /= shares.sum();
      const Vec3 p = shares[0] * corners[0] + shares[1] * corners[1] + shares[2] * corners[2];
      EXPECT_TRUE(std::binary_search(cells.begin(), cells.end(), key_of(lattice().place_at(p))));
    }
  }
}

/// How far a cell is from a simplex, at most: by the nearest of many points of it.
double distance_from(const Corners& corners, CellKey cell) {
  const auto [x, y, z] = place_of(cell);
  double nearest = HUGE_VAL;
  constexpr int kSteps = 400;
  for (int i = 0; i <= kSteps; ++i)
    for (int k = 0; k + i <= kSteps; ++k) {
      const Vec3 p = corners[0] + double(i) / kSteps * (corners[1] - corners[0]) +
                     double(k) / kSteps * (corners[2] - corners[0]);
      const Vec3 low(x, y, z);
      nearest = std::min(nearest, (p - p.cwiseMax(low).cwiseMin(low + Vec3::Ones())).norm());
    }
  return nearest;
}

TEST(SurfaceCells, AreNoOthers) {
  std::mt19937 random(4);
  for (int sample = 0; sample < 6; ++sample) {
    const Corners corners{drawn(random), drawn(random), drawn(random)};
    for (const CellKey cell : cells_of(corners)) EXPECT_LT(distance_from(corners, cell), 0.05);
  }
}

TEST(SurfaceCells, PointInAFaceIsInBothCellsAndPointInACornerInEight) {
  const auto of_point = [](const Vec3& p) { return cells_of({p, p, p}); };
  EXPECT_EQ(of_point({3.5, 3.5, 3.5}).size(), 1u);
  EXPECT_EQ(of_point({3, 3.5, 3.5}).size(), 2u);
  EXPECT_EQ(of_point({3 + 1e-12, 3.5, 3.5}).size(), 2u);
  EXPECT_EQ(of_point({3, 3, 3}).size(), 8u);
  EXPECT_EQ(of_point({0, 0, 0}).size(), 1u);
  EXPECT_EQ(of_point({kSide, kSide, kSide}).size(), 1u);
}

TEST(SurfaceCells, ThinDiagonalOfAHugeLatticeIsARow) {
  const CellLattice huge{1, {100'001, 100'001, 100'001}};
  std::vector<CellKey> cells;
  append_cells({Vec3(0.31, 0.27, 0.15), Vec3(3e4, 2e4, 1e4), Vec3(3e4, 2e4, 1e4 + 1e-3)}, huge,
               cells);
  EXPECT_GE(cells.size(), 30'000u);
  EXPECT_LE(cells.size(), 61'000u);
}

}  // namespace
}  // namespace sinew::test
