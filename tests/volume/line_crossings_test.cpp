// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "src/volume/line_crossings.h"

#include <cmath>

#include <gtest/gtest.h>

#include "src/geometry/winding_number.h"
#include "src/volume/oriented_surface.h"
#include "support/mesh_zoo.h"
#include "support/solids.h"

namespace sinew::test {
namespace {

struct Lines {
  OrientedSurface surface;
  CellLattice lattice;
  std::vector<Vec3> places;

  Lines(MeshData data, double edge)
      : surface(orient_surface(make_mesh(std::move(data)))),
        lattice(CellLattice::over(surface, edge)) {
    for (const Vec3& place : surface.places) places.push_back(lattice.in_cells(place));
  }
  [[nodiscard]] LineCrossings along(int axis, int pieces = 1) const {
    return {surface.triangles, places, lattice, axis, pieces};
  }
};

TEST(LineCrossings, OfAClosedSurfaceSumToZeroEvenThroughEdgesAndCorners) {
  // Lines through the middle of a box meet the diagonals of its faces, and its corners with 1 / 7.
  for (const double edge : {2.0, 2.0 / 3, 2.0 / 7, 0.31})
    for (const int pieces : {1, 4})
      for (const MeshData& solid : {box_data({-1, -1, -1}, {1, 1, 1}), ball_data({0, 0, 0}, 1),
                                    round_ball({0, 0, 0}, 1, 8)}) {
        const Lines lines(solid, edge);
        for (int axis = 0; axis < 3; ++axis) {
          const LineCrossings along = lines.along(axis, pieces);
          for (std::size_t i = 0; i < along.line_count(); ++i) {
            int sum = 0;
            for (const Crossing& crossing : along.line(i).crossings) sum += crossing.step;
            EXPECT_EQ(sum, 0) << edge << " along " << axis;
          }
        }
      }
}

TEST(LineCrossings, TellTheWindingNumberOfClosedSurfaces) {
  const Lines lines(together(round_ball({0, 0, 0}, 1, 12), round_ball({0.2, 0.1, 0}, 0.5, 12)),
                    0.11);
  const WindingNumber winding(lines.surface.places, lines.surface.triangles);
  for (int axis = 0; axis < 3; ++axis) {
    const LineCrossings along = lines.along(axis);
    for (int x = 0; x < lines.lattice.count[0]; x += 2)
      for (int y = 0; y < lines.lattice.count[1]; y += 3)
        for (int z = 0; z < lines.lattice.count[2]; z += 2) {
          const std::array<int, 3> place{x, y, z};
          const auto a = static_cast<std::size_t>(axis);
          const LineWinding found =
              winding_at(along.on_line(place[(a + 1) % 3], place[(a + 2) % 3]), place[a] + 0.5);
          const double turns = winding.exactly_at(lines.lattice.centre_of(key_of(place)));
          EXPECT_EQ(found.from_below, std::lround(turns));
          EXPECT_EQ(found.from_above, std::lround(turns));
        }
  }
}

TEST(LineCrossings, OfASheetAreSeenFromOneSide) {
  const Lines lines(sheet_data(2, 2, 1, 1), 0.3);
  const LineCrossings along = lines.along(2);
  EXPECT_GT(along.line_count(), 0u);
  for (std::size_t i = 0; i < along.line_count(); ++i) {
    ASSERT_EQ(along.line(i).crossings.size(), 1u);
    const Crossing& crossing = along.line(i).crossings[0];
    EXPECT_EQ(crossing.step, -1);  // it faces along z
    EXPECT_NEAR(crossing.depth, 0.5, 1e-12);
    const LineWinding below = winding_at(along.line(i).crossings, 0.4);
    EXPECT_EQ(below.from_below, 0);
    EXPECT_EQ(below.from_above, 1);
  }
  EXPECT_EQ(lines.along(0).line_count(), 0u);
}

}  // namespace
}  // namespace sinew::test
