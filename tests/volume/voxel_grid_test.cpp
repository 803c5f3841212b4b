// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/voxel_grid.h"

#include <atomic>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/solids.h"
#include "volume/grid_looks.h"

namespace sinew::test {
namespace {

/// A body with a cap on its head, a coat that is open at both ends, a cloak and an eye: closed,
/// open, flat and small, none of it symmetric.
MeshData dressed_limb() {
  MeshData data = together(limb_data({.sides = 20, .rings = 30}), sleeve_data(0.31));
  MeshData cloak = sheet_data(8, 10, 0.9, 1.1);
  for (Vec3& p : cloak.positions) p += Vec3(-0.3, 0.4, -0.5 + 0.1 * p.x());
  MeshData cap = round_ball({0.07, 1.9, 0.02}, 0.33, 12);
  return together(together(std::move(data), cloak), cap);
}

TEST(VoxelGrid, BallIsFilledWithTheCellsItMeets) {
  const double radius = 1, h = 0.11;
  const VoxelGrid grid = grid_of(round_ball(Vec3::Zero(), radius, 48), h);
  const double flat = radius * (1 - std::cos(std::numbers::pi / 48));  // between the vertices
  const int reach = 12;
  const std::map<Place, CellKind> kinds = kinds_of(grid);
  const Place middle = place_at(grid, Vec3::Zero());
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        const Vec3 centre = h * Vec3(x, y, z);
        const Vec3 nearest = centre.cwiseAbs().cwiseMax(h / 2) - Vec3::Constant(h / 2);
        const Vec3 farthest = centre.cwiseAbs() + Vec3::Constant(h / 2);
        const auto found = kinds.find({middle[0] + x, middle[1] + y, middle[2] + z});
        const bool is_cell = found != kinds.end();
        if (nearest.norm() > radius || nearest.norm() < radius - flat) {
          EXPECT_EQ(is_cell, nearest.norm() < radius) << centre.transpose();
        }
        if (farthest.norm() < radius - flat) {
          EXPECT_EQ(found->second, CellKind::inside) << centre.transpose();
        }
      }
  EXPECT_EQ(grid.report.enclosed_cells, 0u);
  EXPECT_EQ(grid.report.pieces, 1u);
}

TEST(VoxelGrid, HoleOfARingStaysOpen) {
  const VoxelGrid grid = grid_of(ring(1, 0.4), 0.1);
  EXPECT_FALSE(has_cell_at(grid, {0.01, 0.02, 0.01}));
  EXPECT_TRUE(has_cell_at(grid, {1.01, 0.02, 0.01}));
  EXPECT_GT(grid.report.inside_cells, 500u);
}

TEST(VoxelGrid, ElementsAreCubesOfTheSizeThatIsReported) {
  const VoxelGrid grid = grid_of(ring(1, 0.4), 0.1);
  EXPECT_EQ(grid.elements.cell_size, 0.1);
  for (std::size_t cell = 0; cell < grid.place.size(); ++cell)
    for (std::size_t k = 0; k < 8; ++k) {
      const Vec3 away((k & 1) ? 0.05 : -0.05, (k & 2) ? 0.05 : -0.05, (k & 4) ? 0.05 : -0.05);
      const Vec3& corner = grid.elements.points[grid.elements.hexahedra[cell][k]];
      ASSERT_LT((corner - centre_of(grid, grid.place[cell]) - away).norm(), 1e-12);
    }
  EXPECT_NEAR(grid.report.volume, 1e-3 * static_cast<double>(grid.place.size()), 1e-9);
}

TEST(VoxelGrid, BoxWithoutATopIsFilledAsFarAsItWindsAroundItsInside) {
  const Mesh mesh = make_mesh(open_box({-1, -1, -1}, {1, 1, 1}));
  VoxelGridOptions options;
  options.cell_size = 0.1;
  const VoxelGrid grid = grid_of(mesh, options);
  for (const double z : {-0.85, -0.4, 0.0, 0.4, 0.7})
    EXPECT_TRUE(has_cell_at(grid, {0.02, 0.02, z}));
  EXPECT_FALSE(has_cell_at(grid, {0.02, 0.02, 1.2}));
  EXPECT_GT(grid.report.inside_cells, 16u * 16u * 16u);
}

TEST(VoxelGrid, FlatSheetIsOneLayer) {
  const VoxelGrid grid = grid_of(sheet_data(9, 11, 0.9, 1.1), 0.07);
  for (const Place& place : grid.place) EXPECT_EQ(place[2], 0);
  EXPECT_EQ(grid.report.surface_cells, grid.place.size());
  EXPECT_EQ(grid.report.pieces, 1u);
}

TEST(VoxelGrid, PartInsideAPartLeavesNoHole) {
  // The body of parity rules: two shells around each other are even, and still inside.
  const MeshData body = round_ball(Vec3::Zero(), 0.8, 32);
  const MeshData clothes = round_ball(Vec3::Zero(), 1, 32);
  const auto outer = places_of(grid_of(clothes, 0.07));
  EXPECT_EQ(places_of(grid_of(together(clothes, body), 0.07)), outer);
}

TEST(VoxelGrid, WhichWayPartsFaceDoesNotMatter) {
  const MeshData body = round_ball(Vec3::Zero(), 0.8, 32);
  const MeshData clothes = round_ball(Vec3::Zero(), 1, 32);
  const VoxelGrid grid = grid_of(together(clothes, inside_out(body)), 0.07);
  EXPECT_EQ(grid.report.turned_parts, 1u);
  EXPECT_EQ(grid.report.turned_triangles, 0u);
  EXPECT_EQ(kinds_of(grid), kinds_of(grid_of(together(clothes, body), 0.07)));

  MeshData tube = sleeve_data(0.3);
  const auto upright = kinds_of(grid_of(tube, 0.06));
  EXPECT_EQ(kinds_of(grid_of(inside_out(tube), 0.06)), upright);
}

TEST(VoxelGrid, TrianglesThatFaceOtherwiseThanTheirPartAreTurned) {
  const MeshData ball = round_ball(Vec3::Zero(), 1, 24);
  MeshData torn = ball;
  std::size_t turned = 0;
  for (std::size_t t = 0; t < torn.triangles.size(); t += 5) {
    const Triangle& c = torn.triangles[t];
    const Vec3 a = torn.positions[c[0]], b = torn.positions[c[1]], d = torn.positions[c[2]];
    if ((b - a).cross(d - a).norm() > 1e-9) ++turned;  // those at the poles are gone
    std::swap(torn.triangles[t][1], torn.triangles[t][2]);
  }
  const VoxelGrid grid = grid_of(torn, 0.1);
  EXPECT_EQ(grid.report.turned_triangles, turned);
  EXPECT_EQ(kinds_of(grid), kinds_of(grid_of(ball, 0.1)));
}

TEST(VoxelGrid, ShellThatFacesBothWaysIsFilled) {
  const MeshData ball = round_ball(Vec3::Zero(), 1, 24);
  MeshData both = ball;
  for (const Triangle& t : ball.triangles) both.triangles.push_back({t[0], t[2], t[1]});
  const VoxelGrid grid = grid_of(both, 0.1);
  EXPECT_EQ(places_of(grid), places_of(grid_of(ball, 0.1)));
  EXPECT_GT(grid.report.enclosed_cells, 1000u);
}

TEST(VoxelGrid, BodyThatIsCutOpenNeitherLeaksNorFloods) {
  const MeshData whole = cylinder(0, 0, 0.5, 4, 40);
  MeshData cut = whole;
  // Without its top, and with a window in its side.
  std::erase_if(cut.triangles, [&](const Triangle& t) {
    const Vec3 middle = (whole.positions[t[0]] + whole.positions[t[1]] + whole.positions[t[2]]) / 3;
    return middle.y() > 3.9;
  });
  const auto filled = places_of(grid_of(whole, 0.1));
  const VoxelGrid grid = grid_of(cut, 0.1);
  std::size_t lost = 0;
  for (const Place& place : filled)
    if (centre_of(grid, place).y() < 3.7 && !places_of(grid).contains(place)) ++lost;
  EXPECT_EQ(lost, 0u);
  for (const Place& place : grid.place) EXPECT_TRUE(filled.contains(place));
}

TEST(VoxelGrid, AirBetweenABodyAndItsClothesIsNotFilled) {
  // A tyre of cloth around a limb seals the air between them, and has an inside of its own.
  MeshData bag = ring(1, 0.3);
  for (Vec3& p : bag.positions) std::swap(p.y(), p.z());
  bag = inside_out(std::move(bag));
  MeshData lids = together(cylinder(0, 0, 1, 0.02), {});
  for (Vec3& p : lids.positions) p.y() -= 0.31;
  MeshData roof = lids;
  for (Vec3& p : roof.positions) p.y() += 0.6;
  const VoxelGrid grid = grid_of(together(together(bag, lids), roof), 0.1);
  EXPECT_FALSE(has_cell_at(grid, {0.02, 0.02, 0.02}));
  EXPECT_EQ(grid.report.enclosed_cells, 0u);
}

TEST(VoxelGrid, EveryVertexLiesInACellWhateverTheMeshIs) {
  for (const ZooMesh& zoo : mesh_zoo()) {
    SCOPED_TRACE(zoo.name);
    for (const int cells : {1, 300, 12'000}) {
      VoxelGridOptions options;
      options.cells = cells;
      const VoxelGrid grid = grid_of(zoo.mesh, options);
      ASSERT_EQ(grid.embedding.size(), zoo.mesh.vertex_count());
      for (std::size_t v = 0; v < zoo.mesh.vertex_count(); ++v) {
        double sum = 0;
        for (const double c : grid.embedding.coefficients_of(v)) {
          EXPECT_GE(c, 0);
          sum += c;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
      std::set<VertexIndex> used;
      const auto use = [&](const auto& elements) {
        for (const auto& element : elements) used.insert(element.begin(), element.end());
      };
      use(zoo.mesh.triangles());
      use(zoo.mesh.tetrahedra());
      use(zoo.mesh.wires());
      for (const VertexIndex v : used)
        EXPECT_LT((embedded(grid.embedding, grid.elements, v) - zoo.mesh.positions()[v]).norm(),
                  1e-4 * grid.elements.cell_size);
    }
  }
}

TEST(VoxelGrid, SingleVertexHasItsCellEvenFarAway) {
  for (const double far : {0.0, 1.0, 1e9}) {
    const Mesh mesh = make_mesh({{Vec3(far, -far, far)}, {}, {}, {}});
    const VoxelGrid grid = grid_of(mesh);
    EXPECT_EQ(grid.place.size(), 1u);
    EXPECT_LT(farthest_vertex(grid, mesh), 1e-6);
    EXPECT_EQ(grid.report.surface_cells, 1u);
  }
}

TEST(VoxelGrid, VertexThatNothingRefersToIsHeldByTheNearestCell) {
  MeshData data = box_data({-1, -1, -1}, {1, 1, 1});
  data.positions.emplace_back(0.03, 0.02, 7);
  const VoxelGrid grid = grid_of(data, 0.1);
  EXPECT_EQ(places_of(grid), places_of(grid_of(box_data({-1, -1, -1}, {1, 1, 1}), 0.1)));
  const Vec3 held = embedded(grid.embedding, grid.elements, 8);
  EXPECT_NEAR(held.x(), 0.03, 1e-12);
  EXPECT_NEAR(held.y(), 0.02, 1e-12);
  EXPECT_GE(held.z(), 1);
  EXPECT_LE(held.z(), 1.1);
}

TEST(VoxelGrid, WiresAreRowsOfCells) {
  const Mesh mesh = make_mesh({{{0, 0, 0}, {1, 2, 3}}, {}, {}, {{0, 1}}});
  const VoxelGrid grid = grid_of(mesh);
  EXPECT_NEAR(static_cast<double>(grid.place.size()), 12'000, 1'200);
  EXPECT_EQ(grid.report.pieces, 1u);
}

TEST(VoxelGrid, HasAboutAsManyCellsAsWereAskedFor) {
  const std::vector<Mesh> meshes{make_mesh(dressed_limb()), make_mesh(ring(1, 0.1)),
                                 make_mesh(sheet_data(3, 3, 1, 2))};
  for (const Mesh& mesh : meshes)
    for (const int cells : {500, 3'000, 12'000, 60'000}) {
      VoxelGridOptions options;
      options.cells = cells;
      EXPECT_NEAR(static_cast<double>(grid_of(mesh, options).place.size()), cells, 0.1 * cells);
    }
}

TEST(VoxelGrid, MirroredMeshHasTheMirroredGrid) {
  for (const double shift : {0.0, 1.37}) {
    MeshData data = dressed_limb();
    for (Vec3& p : data.positions) p.x() += shift;
    const VoxelGrid grid = grid_of(make_mesh(data));
    const VoxelGrid other = grid_of(make_mesh(mirrored(data)));
    EXPECT_EQ(grid.elements.cell_size, other.elements.cell_size);
    int last = 0;
    for (const Place& place : grid.place) last = std::max(last, place[0]);
    std::map<Place, CellKind> turned;
    for (const auto& [place, kind] : kinds_of(other))
      turned[{last - place[0], place[1], place[2]}] = kind;
    EXPECT_EQ(turned, kinds_of(grid));
  }
}

TEST(VoxelGrid, PlaceAndUnitsOfTheMeshDoNotMatter) {
  const VoxelGrid grid = grid_of(make_mesh(dressed_limb()));
  for (const double scale : {1e-4, 1.0, 1e4})
    for (const double shift : {0.0, 512.0}) {
      MeshData data = dressed_limb();
      for (Vec3& p : data.positions) p = scale * (p + Vec3(shift, -shift, shift / 2));
      const VoxelGrid other = grid_of(make_mesh(data));
      EXPECT_NEAR(other.elements.cell_size, scale * grid.elements.cell_size,
                  1e-9 * scale * grid.elements.cell_size);
      EXPECT_EQ(kinds_of(other), kinds_of(grid)) << scale << " " << shift;
    }
}

TEST(VoxelGrid, IsTheSameForAnyNumberOfThreads) {
  const Mesh mesh = make_mesh(dressed_limb());
  const auto made = [&](int threads) {
    const ThreadLimit limit(threads);
    return grid_of(mesh);
  };
  const VoxelGrid one = made(1), four = made(4);
  EXPECT_EQ(one.place, four.place);
  EXPECT_EQ(one.kind, four.kind);
  EXPECT_EQ(one.elements.hexahedra, four.elements.hexahedra);
  EXPECT_EQ(one.elements.points, four.elements.points);
  EXPECT_EQ(one.embedding.element, four.embedding.element);
  EXPECT_EQ(one.embedding.coefficient, four.embedding.coefficient);
}

TEST(VoxelGrid, SpeckFarAwayDoesNotTakeTheCellsOfTheBody) {
  MeshData data = round_ball(Vec3::Zero(), 1, 24);
  const double alone = grid_of(make_mesh(data)).elements.cell_size;
  MeshData speck = ball_data({3'000, 200, 0}, 0.01);
  EXPECT_NEAR(grid_of(make_mesh(together(data, speck))).elements.cell_size, alone, 0.05 * alone);
}

TEST(VoxelGrid, TetrahedraAreFilledEvenTurnedOver) {
  MeshData data = tetrahedral_data();
  for (const bool turned : {false, true}) {
    if (turned)
      for (Tetrahedron& t : data.tetrahedra) std::swap(t[0], t[1]);
    const Mesh mesh = make_mesh(data);
    const VoxelGrid grid = grid_of(mesh);
    EXPECT_LT(farthest_vertex(grid, mesh), 1e-6);
    EXPECT_GT(grid.report.inside_cells, 3'000u);
  }
}

TEST(VoxelGrid, PointsOutsideAreHeldByTheNearestCell) {
  const VoxelGrid grid = grid_of(box_data({-1, -1, -1}, {1, 1, 1}), 0.2);
  const std::vector<Vec3> points{
      {0.33, -0.21, 0.05}, {0.33, 5, 0.05}, {9, 9, 9}, {0.3, 0.3, -1.05}};
  const Embedding embedding = embed_points(grid, points);
  EXPECT_LT((embedded(embedding, grid.elements, 0) - points[0]).norm(), 1e-12);
  EXPECT_LT((embedded(embedding, grid.elements, 1) - Vec3(0.33, 1.1, 0.05)).norm(), 1e-12);
  EXPECT_LT((embedded(embedding, grid.elements, 2) - Vec3(1.1, 1.1, 1.1)).norm(), 1e-12);
  EXPECT_LT((embedded(embedding, grid.elements, 3) - points[3]).norm(), 1e-12);
}

TEST(VoxelGrid, OptionsThatMakeNoSenseAreRefusedByName) {
  const Mesh mesh = make_mesh(box_data({-1, -1, -1}, {1, 1, 1}));
  const auto place_of_error = [&](const Mesh& of, const VoxelGridOptions& options) {
    const auto grid = make_voxel_grid(of, options);
    return grid.ok() ? "none" : grid.error().place;
  };
  VoxelGridOptions options;
  for (const int cells : {-1, 0, 200'001}) {
    options.cells = cells;
    EXPECT_EQ(place_of_error(mesh, options), "cells");
  }
  for (const double size : {-1.0, 0.0, 1e-3, 1e-9, 1e-300, std::nan("")}) {
    options.cell_size = size;
    EXPECT_EQ(place_of_error(mesh, options), "cell_size") << size;
  }
  EXPECT_EQ(place_of_error(make_mesh({}), {}), "positions");
}

TEST(VoxelGrid, StopsOnRequest) {
  const std::atomic<bool> stop = true;
  const auto grid =
      make_voxel_grid(make_mesh(box_data({-1, -1, -1}, {1, 1, 1})), {}, Progress({}, &stop));
  ASSERT_FALSE(grid.ok());
  EXPECT_EQ(grid.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sinew::test
