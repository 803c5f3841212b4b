// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/geometry/mesh_parts.h"
#include "src/core/disjoint_sets.h"
#include "support/solids.h"
#include "volume/grid_looks.h"

namespace sinew::test {
namespace {

using Touching = VoxelGridOptions::Touching;

VoxelGrid grid_with(const MeshData& data, double cell_size, Touching touching) {
  VoxelGridOptions options;
  options.cell_size = cell_size;
  options.touching = touching;
  return grid_of(make_mesh(data), options);
}

/// Points of the interior that vertices of two parts depend on.
std::size_t shared_points(const VoxelGrid& grid, const Mesh& mesh) {
  const MeshParts parts = find_mesh_parts(mesh);
  std::vector<std::set<int>> held_by(grid.elements.points.size());
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    for (const ElementPoint corner : grid.embedding.corners_of(v))
      held_by[corner].insert(parts.of_vertex[v]);
  return static_cast<std::size_t>(
      std::count_if(held_by.begin(), held_by.end(), [](const auto& s) { return s.size() > 1; }));
}

void expect_apart(const MeshData& data, double cell_size) {
  const VoxelGrid split = grid_with(data, cell_size, Touching::split);
  const VoxelGrid joined = grid_with(data, cell_size, Touching::joined);
  EXPECT_EQ(split.report.pieces, 2u);
  EXPECT_EQ(shared_points(split, make_mesh(data)), 0u);
  EXPECT_GT(split.report.split_places, 0u);
  EXPECT_EQ(joined.report.pieces, 1u);
  EXPECT_EQ(joined.report.added_cells, 0u);
  EXPECT_EQ(places_of(split), places_of(joined));
  EXPECT_EQ(split.place.size(), joined.place.size() + split.report.added_cells);
}

TEST(TouchingParts, CylindersSideBySideShareNoPoint) {
  for (const double gap : {0.05, 0.01, 1e-5})
    for (const double cell_size : {0.1, 0.17, 0.23}) {
      SCOPED_TRACE(std::to_string(gap) + " " + std::to_string(cell_size));
      const MeshData data =
          together(cylinder(-0.5 - gap / 2, 0, 0.5, 2), cylinder(0.5 + gap / 2, 0, 0.5, 2));
      expect_apart(data, cell_size);
      EXPECT_GT(shared_points(grid_with(data, cell_size, Touching::joined), make_mesh(data)), 0u);
    }
}

TEST(TouchingParts, BoxesFaceToFaceShareNoPoint) {
  // The smaller face lies in the larger one; no vertex is one of both.
  expect_apart(
      together(box_data({-1, -1, -1}, {0, 1, 1}), box_data({0, -0.7, -0.8}, {1, 0.9, 0.6})), 0.13);
}

TEST(TouchingParts, PartsThatOverlapAreOne) {
  const MeshData data = together(cylinder(-0.4, 0, 0.5, 2), cylinder(0.4, 0, 0.5, 2));
  const VoxelGrid grid = grid_with(data, 0.1, Touching::split);
  EXPECT_EQ(grid.report.pieces, 1u);
  EXPECT_GT(shared_points(grid, make_mesh(data)), 0u);
}

TEST(TouchingParts, ConvexSolidIsWhatJoinedCellsMakeOfIt) {
  const std::vector<MeshData> solids{round_ball(Vec3::Zero(), 1, 48),
                                     round_ball(Vec3::Zero(), 1, 5),
                                     box_data({-1, -1, -1}, {1, 1, 1}), cylinder(0, 0, 0.5, 3, 64)};
  for (const MeshData& solid : solids)
    for (const double cell_size : {0.07, 0.1, 0.17, 0.3}) {
      const VoxelGrid split = grid_with(solid, cell_size, Touching::split);
      const VoxelGrid joined = grid_with(solid, cell_size, Touching::joined);
      EXPECT_EQ(split.place, joined.place) << cell_size;
      EXPECT_EQ(split.elements.points.size(), joined.elements.points.size()) << cell_size;
      EXPECT_EQ(split.report.added_cells, 0u);
    }
}

TEST(TouchingParts, SkinUnderClothesStaysWithThem) {
  const MeshData body = round_ball(Vec3::Zero(), 0.97, 32);
  const MeshData clothes = round_ball(Vec3::Zero(), 1, 32);
  const VoxelGrid grid = grid_with(together(clothes, body), 0.1, Touching::split);
  EXPECT_EQ(grid.report.added_cells, 0u);
  EXPECT_EQ(grid.report.pieces, 1u);

  const MeshData coat = together(limb_data({.sides = 20, .rings = 30}), sleeve_data(0.23));
  EXPECT_EQ(grid_with(coat, 0.1, Touching::split).report.pieces, 1u);
}

TEST(TouchingParts, SheetsAndThinPlatesStayWhole) {
  const VoxelGrid sheet = grid_with(sheet_data(7, 9, 1, 1.3), 0.11, Touching::split);
  EXPECT_EQ(sheet.report.added_cells, 0u);
  EXPECT_EQ(sheet.report.pieces, 1u);
  for (const double thickness : {0.06, 0.02, 0.003}) {
    MeshData plate = box_data({-1, -1, 0.013}, {1, 1, 0.013 + thickness});
    for (Vec3& p : plate.positions) p.z() += 0.3 * p.x() + 0.2 * p.y();
    const VoxelGrid grid = grid_with(plate, 0.1, Touching::split);
    EXPECT_EQ(grid.report.pieces, 1u) << thickness;
    EXPECT_LE(grid.report.added_cells, grid.place.size() / 50) << thickness;
  }
}

TEST(TouchingParts, SheetsFaceToFaceAreApart) {
  MeshData front = sheet_data(7, 9, 1, 1.3), back = sheet_data(5, 4, 1, 1.3);
  for (Vec3& p : back.positions) p.z() = 0.02;
  const MeshData data = together(std::move(front), inside_out(std::move(back)));
  const VoxelGrid grid = grid_with(data, 0.11, Touching::split);
  EXPECT_EQ(grid.report.pieces, 2u);
  EXPECT_EQ(shared_points(grid, make_mesh(data)), 0u);
}

/// A closed block with a slot from its top down to a fifth of its height: two fingers.
MeshData slotted_block(double slot) {
  // The outline in x and y, counter-clockwise, pulled along z.
  const std::vector<Vec3> outline{{-1, 0, 0},        {1, 0, 0},          {1, 2, 0},
                                  {slot / 2, 2, 0},  {slot / 2, 0.4, 0}, {-slot / 2, 0.4, 0},
                                  {-slot / 2, 2, 0}, {-1, 2, 0}};
  const std::vector<std::array<int, 3>> caps{{0, 1, 4}, {0, 4, 5}, {1, 2, 4},
                                             {2, 3, 4}, {0, 5, 7}, {5, 6, 7}};
  MeshData data;
  const int count = static_cast<int>(outline.size());
  for (const double z : {-0.5, 0.5})
    for (const Vec3& p : outline) data.positions.emplace_back(p.x(), p.y(), z);
  const auto index = [](int v) { return static_cast<VertexIndex>(v); };
  for (const auto& [a, b, c] : caps) {
    data.triangles.push_back({index(a), index(c), index(b)});
    data.triangles.push_back({index(count + a), index(count + b), index(count + c)});
  }
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    data.triangles.push_back({index(k), index(next), index(count + next)});
    data.triangles.push_back({index(k), index(count + next), index(count + k)});
  }
  return data;
}

TEST(TouchingParts, FingersOfOneHandAreApartDownToTheirRoot) {
  for (const double cell_size : {0.13, 0.21, 0.27}) {
    const VoxelGrid grid = grid_with(slotted_block(0.03), cell_size, Touching::split);
    EXPECT_EQ(grid.report.pieces, 1u);
    EXPECT_EQ(grid.report.turned_parts, 0u);
    EXPECT_GT(grid.report.split_places, 0u);
    const auto point = [&](double x, double y) {
      const std::vector<Vec3> at{{x, y, 0.02}};
      return embed_points(grid, at);
    };
    // On both sides of the slot, a hundredth away from it. The cells that stand on that of the root
    // share its corners.
    for (const double y : {0.4 + 2.1 * cell_size, 1.0, 1.5, 1.95}) {
      const Embedding left = point(-0.025, y), right = point(0.025, y);
      for (const ElementPoint a : left.corners_of(0))
        for (const ElementPoint b : right.corners_of(0)) EXPECT_NE(a, b) << y;
    }
    const Embedding left = point(-0.025, 0.2), right = point(0.025, 0.2);
    EXPECT_EQ(left.element[0], right.element[0]);
  }
}

TEST(TouchingParts, PiecesOfCellsAtOnePlaceDoNotOverlapAndFillTheMesh) {
  const MeshData data = together(cylinder(-0.51, 0, 0.5, 2, 64), cylinder(0.51, 0, 0.5, 2, 64));
  const VoxelGrid grid = grid_with(data, 0.17, Touching::split);
  const double exact = 2 * (32 * std::sin(2 * std::numbers::pi / 64) * 0.25) * 2;
  EXPECT_NEAR(grid.report.mesh_volume, exact, 0.02 * exact);
  for (std::size_t cell = 0; cell + 1 < grid.place.size(); ++cell) {
    EXPECT_NE(grid.filled[cell], 0u);
    if (grid.place[cell] == grid.place[cell + 1]) {
      EXPECT_EQ(grid.filled[cell] & grid.filled[cell + 1], 0u);
    }
  }
}

/// Of each point of a grid: which of its pieces it belongs to, in the order of their first cells.
std::vector<int> pieces_by_points(const VoxelGrid& grid) {
  DisjointSets sets(grid.elements.points.size());
  for (const Hexahedron& corners : grid.elements.hexahedra)
    for (const ElementPoint corner : corners) sets.join(corners[0], corner);
  std::map<std::uint32_t, int> numbers;
  std::vector<int> piece(grid.elements.points.size());
  for (std::size_t point = 0; point < piece.size(); ++point)
    piece[point] =
        numbers.try_emplace(sets.find(point), static_cast<int>(numbers.size())).first->second;
  return piece;
}

/// Points of the coarser grid that points of two pieces of the finer one depend on.
std::size_t points_of_both(const VoxelGrid& coarse, const VoxelGrid& fine) {
  const Embedding embedding = embed_grid(coarse, fine);
  EXPECT_EQ(embedding.size(), fine.elements.points.size());
  std::vector<std::uint8_t> sides(coarse.elements.points.size(), 0);
  const std::vector<int> piece = pieces_by_points(fine);
  for (std::size_t point = 0; point < embedding.size(); ++point)
    for (const ElementPoint corner : embedding.corners_of(point))
      sides[corner] |= static_cast<std::uint8_t>(1 << piece[point]);
  return static_cast<std::size_t>(std::count(sides.begin(), sides.end(), 3));
}

TEST(TouchingParts, AreApartFromGridToGrid) {
  const MeshData data = together(cylinder(-0.505, 0, 0.5, 2), cylinder(0.505, 0, 0.5, 2));
  const VoxelGrid fine = grid_with(data, 0.083, Touching::split);
  ASSERT_EQ(fine.report.pieces, 2u);
  for (const double cell_size : {0.13, 0.17, 0.26, 0.4}) {
    EXPECT_EQ(points_of_both(grid_with(data, cell_size, Touching::split), fine), 0u) << cell_size;
    EXPECT_GT(points_of_both(grid_with(data, cell_size, Touching::joined), fine), 0u);
  }
}

TEST(TouchingParts, PointsOfAFinerGridInsideStayWhereTheyAre) {
  const MeshData data = round_ball(Vec3::Zero(), 1, 24);
  const VoxelGrid coarse = grid_with(data, 0.2, Touching::split);
  const VoxelGrid fine = grid_with(data, 0.1, Touching::split);
  const Embedding embedding = embed_grid(coarse, fine);
  for (std::size_t point = 0; point < embedding.size(); ++point) {
    const double moved =
        (embedded(embedding, coarse.elements, point) - fine.elements.points[point]).norm();
    EXPECT_LT(moved, fine.elements.points[point].norm() < 1 ? 1e-12 : 0.1 * std::sqrt(3.0));
  }
}

TEST(TouchingParts, HeapOfSpecksHasFourCellsAtAPlaceAtMost) {
  MeshData data = round_ball(Vec3::Zero(), 1, 12);
  for (int speck = 0; speck < 400; ++speck)
    data = together(std::move(data),
                    ball_data({1.4 + 0.3 * std::sin(1.7 * speck), 0.3 * std::sin(2.9 * speck),
                               0.3 * std::cos(4.1 * speck)},
                              0.01));
  const VoxelGrid grid = grid_with(data, 0.15, Touching::split);
  std::map<Place, int> count;
  for (const Place& place : grid.place) EXPECT_LE(++count[place], 4);
  EXPECT_LT(farthest_vertex(grid, make_mesh(data)), 1e-4);
}

TEST(TouchingParts, MirroredHandHasTheMirroredGrid) {
  MeshData data = together(slotted_block(0.03), cylinder(1.52, 0, 0.5, 2));
  const VoxelGrid grid = grid_with(data, 0.19, Touching::split);
  const VoxelGrid other = grid_with(mirrored(data), 0.19, Touching::split);
  EXPECT_EQ(grid.elements.points.size(), other.elements.points.size());
  EXPECT_EQ(grid.report.split_places, other.report.split_places);
  int last = 0;
  for (const Place& place : grid.place) last = std::max(last, place[0]);
  std::multiset<Place> places(grid.place.begin(), grid.place.end()), turned;
  for (const Place& place : other.place) turned.insert({last - place[0], place[1], place[2]});
  EXPECT_EQ(places, turned);
}

}  // namespace
}  // namespace sinew::test
