// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/obj.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "support/damage.h"
#include "support/models.h"
#include "support/temporary_folder.h"

namespace sinew {
namespace {

using test::as_bytes;

constexpr std::string_view kHouse = R"(# a wall with a window's worth of everything
mtllib house.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.5 0.25 0
v 9 9 9
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
o wall
usemtl brick
f 1/1/1 2/2/1 3/3/1
usemtl glass
f -6//1 -4//1 \
  -3//1
g roof
f 1 2 3 4 5
l 4 5 3
o wall
f 1 3 2
)";

Character read_mesh(const Imported& imported) {
  auto characters = read_characters(imported.document);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  if (!characters.ok()) return {};
  return characters->front().character;
}

TEST(Obj, ObjectsAndGroupsAreNodesAndMaterialsArePrimitives) {
  const auto house = parse_obj(as_bytes(kHouse));
  ASSERT_TRUE(house.ok()) << house.error().to_string();
  const Json& json = house->document.json;
  ASSERT_EQ(json["nodes"].size(), 2U) << "the second 'o wall' goes on with the first";
  EXPECT_EQ(json["nodes"][0]["name"], "wall");
  EXPECT_EQ(json["nodes"][1]["name"], "roof");
  ASSERT_EQ(json["meshes"][0]["primitives"].size(), 2U);
  EXPECT_EQ(json["meshes"][0]["primitives"][0]["attributes"],
            json["meshes"][0]["primitives"][1]["attributes"]);
  EXPECT_EQ(json["materials"][0]["name"], "brick");
  EXPECT_EQ(json["materials"][1]["name"], "glass");
  const Character character = read_mesh(*house);
  EXPECT_EQ(character.mesh.triangles().size(), 6U);
  EXPECT_EQ(character.mesh.wires().size(), 2U);
}

TEST(Obj, WithoutSeamsVertexIIsTheIthV) {
  const auto file =
      parse_obj(as_bytes("v 5 0 0\nv 0 0 1\nv 7 7 7\nv 1 0 0\nv 0 1 0\nf 5 4 1\nf 2 4 5\n"));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  const Character character = read_mesh(*file);
  ASSERT_EQ(character.mesh.vertex_count(), 5U) << "the third v is used by nothing, and stays";
  EXPECT_EQ(character.mesh.positions()[0], Vec3(5, 0, 0));
  EXPECT_EQ(character.mesh.positions()[2], Vec3(7, 7, 7));
  EXPECT_EQ(character.mesh.triangles(), (std::vector<Triangle>{{4, 3, 0}, {1, 3, 4}}));
}

TEST(Obj, TextureCoordinatesCountFromTheTopAndSplitVertices) {
  const auto file = parse_obj(
      as_bytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.75\nvt 1 1\nf 1/1 2/1 3/1\nf 1/2 3/1 2/1\n"));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  EXPECT_EQ(read_mesh(*file).mesh.vertex_count(), 4U);
  const Json& attributes = file->document.json["meshes"][0]["primitives"][0]["attributes"];
  const auto uvs = read_floats(file->document, attributes["TEXCOORD_0"].get<int>(), "VEC2");
  ASSERT_TRUE(uvs.ok());
  EXPECT_EQ(*uvs, (std::vector<float>{0.25F, 0.25F, 1, 0, 0.25F, 0.25F, 0.25F, 0.25F}));
}

TEST(Obj, AConcavePolygonKeepsItsAreaAndItsSide) {
  // An arrow head: a fan from its first corner would fold over.
  const auto file = parse_obj(as_bytes("v 0 1 0\nv -1 -1 0\nv 0 0 0\nv 1 -1 0\nf 2 3 4 1\n"));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  const Character character = read_mesh(*file);
  double area = 0;
  for (const Triangle& t : character.mesh.triangles()) {
    const auto& p = character.mesh.positions();
    const double signed_area = 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z();
    EXPECT_GT(signed_area, 0);
    area += signed_area;
  }
  EXPECT_NEAR(area, 1, 1e-12);
}

TEST(Obj, MaterialsComeFromTheFolderAndNowhereElse) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "model");
  (void)folder.write("secret.mtl", "newmtl m\nKd 1 0 0\n");
  (void)folder.write("model/skin.png", "not really");
  (void)folder.write("model/m.mtl", "newmtl m\nKd 0.5 0.25 0\nd 0.5\nmap_Kd -s 1 1 1 skin.png\n");
  const char* faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
  const auto good = read_any(folder.write("model/a.obj", std::string("mtllib m.mtl\n") + faces));
  ASSERT_TRUE(good.ok()) << good.error().to_string();
  const Json& surface = good->document.json["materials"][0]["pbrMetallicRoughness"];
  EXPECT_EQ(surface["baseColorFactor"], Json::array({0.5, 0.25, 0.0, 0.5}));
  EXPECT_EQ(good->document.json["images"][0]["uri"], "skin.png");

  for (const char* library : {"../secret.mtl", "/secret.mtl", "none.mtl"}) {
    const auto bad =
        read_any(folder.write("model/a.obj", std::string("mtllib ") + library + "\n" + faces));
    ASSERT_TRUE(bad.ok()) << bad.error().to_string();
    EXPECT_EQ(bad->notices.size(), 1U);
    EXPECT_EQ(bad->document.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"],
              Json::array({1.0, 1.0, 1.0, 1.0}));
  }
}

TEST(Obj, ACommentMayFollowOnALine) {
  const auto read =
      parse_obj(as_bytes("v 0 0 0 # a\nv 1 0 0\t# b\nv 0 1 0\nf 1 2 3 # face\nf 3 2 1\n"));
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read_mesh(*read).mesh.triangles().size(), 2U);
}

TEST(Obj, ErrorsNameTheLine) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"v 0 0 0\nv 1 0\nf 1 1 1\n", "line 2"},  {"v 0 0 0\nf 1 2 3\n", "line 2"},
      {"v 0 0 0\nf 1 -2 1\n", "line 2"},        {"v 0 0 0\nv 0 nan 0\n", "line 2"},
      {"v 0 0 0\n\nf 1/1 1/1 1/1\n", "line 3"}, {"v 0 0 0\nf 1 0 1\n", "line 2"},
  };
  for (const auto& [text, place] : cases) {
    const auto file = parse_obj(as_bytes(text));
    ASSERT_FALSE(file.ok()) << text;
    EXPECT_EQ(file.error().place, place) << text;
  }
}

TEST(Obj, DamagedFilesGiveAnErrorOrASoundDocument) {
  test::expect_damage_is_handled(
      kHouse, [](std::span<const std::byte> file) { return parse_obj(file); }, 4000);
}

TEST(Obj, ReadsTheResearchMeshesInTheOrderOfTheirWeights) {
  for (const auto& [name, vertices] :
       {std::pair{"research/arm.obj", 8311U}, {"research/elephant.obj", 6034U}}) {
    SINEW_REAL_MODEL(path, name);
    const auto file = read_any(path);
    ASSERT_TRUE(file.ok()) << file.error().to_string();
    const Character character = read_mesh(*file);
    EXPECT_EQ(character.mesh.vertex_count(), vertices);
  }
}

}  // namespace
}  // namespace sinew
