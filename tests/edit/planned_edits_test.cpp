// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/edit/planned_edits.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

/// A limb and a button, on a thigh and a shin.
const Character& limb_with_button() {
  static const Character character = [] {
    const MeshData limb = limb_data();
    Character made = limb_character(together(limb, ball_data({0.3, 1, 0}, 0.05)));
    const std::size_t first = limb.positions.size();
    made.parts = {{"Skin", 0, first}, {"Button", first, made.mesh.vertex_count() - first}};
    return made;
  }();
  return character;
}

TEST(PlannedEdits, ChoicesAreMetOnWeldedVertices) {
  const Character& character = limb_with_button();
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const auto vertices_of = [&](const MeshPart& part) {
    std::vector<VertexIndex> vertices(part.vertex_count);
    std::iota(vertices.begin(), vertices.end(), static_cast<VertexIndex>(part.first_vertex));
    return vertices;
  };
  PlannedEdit button;
  button.kind = EditKind::connect_wires;
  button.where.vertices = vertices_of(character.parts[1]);
  button.to.vertices = vertices_of(character.parts[0]);
  button.within = 0.4;
  PlannedEdit shins;
  shins.kind = EditKind::set_weights;
  shins.bones = {1};
  shins.target = 0.25;
  shins.where.box = Box(Vec3(-1, 0.9, -1), Vec3(1, 1.1, 1));
  shins.where.weighed = {1, 0.3};
  PlannedEdit both;
  both.kind = EditKind::add_influence;
  both.bones = {0, 1};
  both.where.vertices = {3, 1, 3};
  InfluenceMaps maps;
  maps.bone_count = 2;
  for (std::size_t v = 0; v < prepared.mesh.vertex_count(); ++v) {
    const double shin = prepared.welded.mesh.positions()[v].y() / 2;
    maps.bones.insert(maps.bones.end(), {0, 1});
    maps.weights.insert(maps.weights.end(), {1 - shin, shin});
    maps.begin.push_back(maps.bones.size());
  }
  const EditScene scene{prepared, &maps, &maps.weights};
  const auto wires = edits_of(button, scene);
  ASSERT_TRUE(wires.ok());
  const auto& joined = std::get<ConnectWires>(wires->front()).wires;
  EXPECT_EQ(joined.size(), character.parts[1].vertex_count) << "each to the nearest of the skin";
  for (const auto& [from, to] : joined)
    for (std::size_t v = 0; v < character.parts[0].vertex_count; ++v) {
      const std::vector<Vec3>& at = prepared.welded.mesh.positions();
      EXPECT_LE((at[from] - at[to]).norm(),
                (at[from] - at[prepared.welded.welded[v]]).norm() + 1e-12);
    }
  const auto set = edits_of(shins, scene);
  ASSERT_TRUE(set.ok());
  const auto& chosen = std::get<SetWeights>(set->front()).vertices;
  EXPECT_FALSE(chosen.empty());
  for (const VertexIndex v : chosen)
    EXPECT_NEAR(prepared.welded.mesh.positions()[v].y(), 1, 0.1001);
  EXPECT_EQ(edits_of(both, scene)->size(), 2u) << "one for each bone";
  EXPECT_EQ(edits_of(shins, {prepared}).error().place, "weighs");
}

}  // namespace
}  // namespace sinew::test
