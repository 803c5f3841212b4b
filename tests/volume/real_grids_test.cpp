// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "src/geometry/winding_number.h"
#include "support/models.h"
#include "volume/grid_looks.h"

namespace sinew::test {
namespace {

Mesh mesh_of(const std::filesystem::path& path) {
  const Imported imported = checked(read_any(path));
  return checked(read_characters(imported.document)).at(0).character.mesh;
}

/// With two points at the corners of a box, so that meshes in it have one lattice.
Mesh in_box(const Mesh& mesh, const Box& box) {
  MeshData data = mesh.data();
  for (const Vec3& corner : {box.min(), box.max()}) {
    const auto at = static_cast<VertexIndex>(data.positions.size());
    data.positions.push_back(corner);
    data.triangles.push_back({at, at, at});
  }
  return make_mesh(std::move(data));
}

VoxelGrid sixty_tall(const Mesh& mesh, const Box& box) {
  VoxelGridOptions options;
  options.cell_size = box.diagonal().norm() / 60;
  return grid_of(in_box(mesh, box), options);
}

class RealGrid : public ::testing::TestWithParam<const char*> {};

TEST_P(RealGrid, HoldEveryVertexInAboutAsManyCellsAsWereAskedFor) {
  SINEW_REAL_MODEL(path, GetParam());
  const Mesh mesh = mesh_of(path);
  const VoxelGrid grid = grid_of(mesh);
  EXPECT_LT(farthest_vertex(grid, mesh), 1e-3);
  EXPECT_NEAR(static_cast<double>(grid.place.size() - grid.report.added_cells), 12'000, 300);
  VoxelGridOptions joined;
  joined.touching = VoxelGridOptions::Touching::joined;
  EXPECT_EQ(grid_of(mesh, joined).report.pieces, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Characters, RealGrid,
    ::testing::Values("makehuman/mh_male_body.glb", "makehuman/mh_male_dressed.glb",
                      "makehuman/mh_female_dressed.glb", "quaternius/dinosaurs_Stegosaurus.glb",
                      "quaternius/easy_enemies_Wasp.glb", "quaternius/mech_George.glb",
                      "quaternius/modular_men_King.glb"),
    [](const auto& test) {
      std::string name;
      for (const char c : std::string(test.param))
        if (std::isalnum(static_cast<unsigned char>(c))) name += c;
      return name;
    });

TEST(RealGrids, BodyUnderClothesKeepsItsCells) {
  SINEW_REAL_MODEL(body_path, "makehuman/mh_male_body.glb");
  SINEW_REAL_MODEL(dressed_path, "makehuman/mh_male_dressed.glb");
  const Mesh body = mesh_of(body_path), dressed = mesh_of(dressed_path);
  Box box = bounding_box(body.positions());
  box.extend(bounding_box(dressed.positions()));
  const auto bare = places_of(sixty_tall(body, box)), clothed = places_of(sixty_tall(dressed, box));
  std::size_t kept = 0;
  for (const Place& place : bare) kept += clothed.contains(place) ? 1 : 0;
  EXPECT_GE(static_cast<double>(kept), 0.99 * static_cast<double>(bare.size()));
}

/// What became of the cells between the surfaces of a whole body, when it is damaged.
struct Damage {
  std::size_t whole = 0, lost = 0, added = 0;
};

Damage damage(const Mesh& whole, const Mesh& damaged, double below) {
  const Box box = bounding_box(whole.positions());
  const VoxelGrid before = sixty_tall(whole, box), after = sixty_tall(damaged, box);
  const auto left = places_of(after);
  const auto all = places_of(before);
  Damage result;
  for (std::size_t cell = 0; cell < before.place.size(); ++cell) {
    if (before.kind[cell] != CellKind::inside || centre_of(before, before.place[cell]).y() > below)
      continue;
    ++result.whole;
    if (!left.contains(before.place[cell])) ++result.lost;
  }
  for (const Place& place : after.place)
    if (!all.contains(place)) ++result.added;
  return result;
}

template <class Predicate>
Mesh without(const Mesh& mesh, const Predicate& is_gone) {
  MeshData data = mesh.data();
  std::erase_if(data.triangles, is_gone);
  return make_mesh(std::move(data));
}

TEST(RealGrids, BodyWithHolesKeepsItsInside) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  const Mesh body = mesh_of(path);
  for (const double share : {0.01, 0.05, 0.2}) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> draw(0, 1);
    const Mesh holed = without(body, [&](const Triangle&) { return draw(random) < share; });
    const Damage done = damage(body, holed, HUGE_VAL);
    EXPECT_GT(done.whole, 500u);
    EXPECT_LE(done.lost, done.whole / 50) << share;
    EXPECT_EQ(done.added, 0u) << share;
  }
}

TEST(RealGrids, BodyWithTurnedTrianglesKeepsItsInside) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  MeshData data = mesh_of(path).data();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> draw(0, 1);
  for (Triangle& t : data.triangles)
    if (draw(random) < 0.2) std::swap(t[1], t[2]);
  const Damage done = damage(mesh_of(path), make_mesh(std::move(data)), HUGE_VAL);
  EXPECT_EQ(done.lost, 0u);
  EXPECT_EQ(done.added, 0u);
}

TEST(RealGrids, BodyThatIsCutThroughDoesNotLeak) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  const Mesh body = mesh_of(path);
  const Box box = bounding_box(body.positions());
  const double cut = box.min().y() + 0.6 * box.sizes().y();
  const Mesh lower = without(body, [&](const Triangle& t) {
    return (body.positions()[t[0]] + body.positions()[t[1]] + body.positions()[t[2]]).y() / 3 > cut;
  });
  const Damage done = damage(body, lower, cut - 0.1);
  EXPECT_GT(done.whole, 200u);
  EXPECT_EQ(done.lost, 0u);
  EXPECT_EQ(done.added, 0u);
}

TEST_P(RealGrid, AgreeWithTheWindingNumberOfEveryCell) {
  SINEW_REAL_MODEL(path, GetParam());
  const Mesh mesh = mesh_of(path);
  const Box box = bounding_box(mesh.positions());
  const VoxelGrid grid = sixty_tall(mesh, box);
  const auto kinds = kinds_of(grid);
  const WindingNumber winding(mesh.positions(), mesh.triangles());
  Place last{};
  for (const Place& place : grid.place)
    for (std::size_t axis = 0; axis < 3; ++axis) last[axis] = std::max(last[axis], place[axis]);
  std::size_t inside = 0, wrong = 0;
  for (int x = 0; x <= last[0]; ++x)
    for (int y = 0; y <= last[1]; ++y)
      for (int z = 0; z <= last[2]; ++z) {
        const auto found = kinds.find({x, y, z});
        const bool is_cell = found != kinds.end();
        if (is_cell && found->second == CellKind::surface) continue;
        const bool is_inside = std::abs(winding.at(centre_of(grid, {x, y, z}))) > 0.5;
        inside += is_inside ? 1 : 0;
        wrong += is_inside != is_cell ? 1 : 0;
      }
  RecordProperty("inside", static_cast<int>(inside));
  RecordProperty("wrong", static_cast<int>(wrong));
  EXPECT_GT(inside, 100u);
  EXPECT_LE(wrong, inside / 50);
}

}  // namespace
}  // namespace sinew::test
