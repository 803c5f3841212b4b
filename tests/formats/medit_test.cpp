// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/medit.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/damage.h"
#include "support/models.h"

namespace sinew {
namespace {

using test::as_bytes;

// Two tetrahedra that share a face, a whisker at the top, and one edge that is only a side.
constexpr std::string_view kTwoTetrahedra = R"(MeshVersionFormatted 1
# a comment
Dimension
3
Vertices
6
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
1 1 1 0
0 0 2 7
Tetrahedra 2
1 2 3 4 0
2 3 4 5 0
Edges
2
4 6 0
1 2 0
Ridges
1
2
End
)";

Character read_mesh(const Imported& imported) {
  auto characters = read_characters(imported.document);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  return characters->front().character;
}

TEST(Medit, ReadsTetrahedraTheirBoundaryAndWires) {
  const Result<Imported> file = parse_medit(as_bytes(kTwoTetrahedra), {.mesh_name = "pair"});
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  EXPECT_EQ(file->document.json["meshes"][0]["name"], "pair");
  const Character character = read_mesh(*file);
  EXPECT_EQ(character.mesh.vertex_count(), 6U);
  EXPECT_EQ(character.mesh.triangles().size(), 6U) << "the shared face is inside";
  EXPECT_EQ(character.mesh.tetrahedra(), (std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}}));
  EXPECT_EQ(character.mesh.wires(), (std::vector<Edge>{{3, 5}}));
  EXPECT_TRUE(character.mesh.positions()[5].isApprox(Vec3(0, 0, 2)));
}

TEST(Medit, TrianglesOfTheFileComeBeforeTheBoundaryAndQuadrilateralsAreCut) {
  std::string text(kTwoTetrahedra);
  text.insert(text.find("Tetrahedra"), "Triangles 1\n1 2 3 0\nQuadrilaterals 1\n1 2 5 3 0\n");
  const Result<Imported> file = parse_medit(as_bytes(text));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  EXPECT_EQ(read_mesh(*file).mesh.triangles().size(), 3U);
}

TEST(Medit, SectionsMayComeInAnyOrder) {
  const Result<Imported> file = parse_medit(as_bytes(
      "MeshVersionFormatted 2 Dimension 3 Triangles 1 1 2 3 0 Vertices 3 0 0 0 0 1 0 0 0 0 1 0 0"));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  EXPECT_EQ(read_mesh(*file).mesh.triangles(), (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Medit, ErrorsNameTheLine) {
  std::string text(kTwoTetrahedra);
  text.replace(text.find("2 3 4 5 0"), 9, "2 3 4 8 0");
  Result<Imported> file = parse_medit(as_bytes(text));
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().place, "line 15");
  EXPECT_EQ(file.error().code, ErrorCode::bad_mesh);

  text = kTwoTetrahedra;
  text.replace(text.find("0 1 0 0"), 7, "0 inf 0 0");
  file = parse_medit(as_bytes(text));
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().place, "line 9");
}

TEST(Medit, MoreVerticesThanTheFileCanHoldAreRefusedBeforeMemoryIsTaken) {
  std::string text(kTwoTetrahedra);
  text.replace(text.find("\n6\n"), 3, "\n2000000000\n");
  const Result<Imported> file = parse_medit(as_bytes(text));
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().place, "line 6");
}

TEST(Medit, DamagedFilesGiveAnErrorOrASoundDocument) {
  test::expect_damage_is_handled(
      kTwoTetrahedra, [](std::span<const std::byte> file) { return parse_medit(file); }, 4000);
}

TEST(Medit, ReadsTheResearchHandWithPositiveVolume) {
  SINEW_REAL_MODEL(path, "research/hand.mesh");
  const Result<Imported> file = parse_medit(test::read_bytes(path));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  const Character character = read_mesh(*file);
  const Mesh& mesh = character.mesh;
  EXPECT_EQ(mesh.vertex_count(), 7234U);
  EXPECT_EQ(mesh.tetrahedra().size(), 29998U);
  EXPECT_EQ(mesh.triangles().size(), 9556U);
}

TEST(Medit, WrittenTetrahedraAreReadAsTheyWere) {
  MeditTetrahedra written;
  written.points = {{0, 0, 0}, {1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 1e-7}, {1, 1, -2.5e8}};
  written.tetrahedra = {{0, 1, 2, 3}, {1, 2, 4, 3}};
  written.point_references = {0, 1, 0, 2, 0};
  written.tetrahedron_references = {7, 0};
  const std::string text = write_medit(written);
  const Result<Imported> file = parse_medit(as_bytes(text));
  ASSERT_TRUE(file.ok()) << file.error().to_string();
  EXPECT_TRUE(file->notices.empty());
  const Character character = read_mesh(*file);
  EXPECT_EQ(character.mesh.tetrahedra(), written.tetrahedra);
  EXPECT_EQ(character.mesh.triangles().size(), 6u) << "the boundary";
  ASSERT_EQ(character.mesh.vertex_count(), written.points.size());
  for (std::size_t p = 0; p < written.points.size(); ++p)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(character.mesh.positions()[p][axis],
                static_cast<double>(static_cast<float>(written.points[p][axis])))
          << "glTF stores floats";
  EXPECT_NE(text.find("0 0.3333333333333333 0 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 2 3 4 7\n2 3 5 4 0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinew
