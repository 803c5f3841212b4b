// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/import.h"

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/models.h"
#include "support/temporary_folder.h"
#include "support/tiny_rig.h"

namespace sinew {
namespace {

using test::TemporaryFolder;

constexpr std::string_view kTgf = "1 0 0 0\n2 0 1 0\n#\n1 2\n";
constexpr std::string_view kBvh = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n";
constexpr std::string_view kMedit =
    "MeshVersionFormatted 1 Dimension 3 Vertices 3 0 0 0 0 1 0 0 0 0 1 0 0 Triangles 1 1 2 3 0 End";

TEST(ReadAny, ChoosesTheReaderByExtensionInAnyCase) {
  const TemporaryFolder folder;
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"a.tgf", std::string(kTgf), "TGF"},
      {"a.BVH", std::string(kBvh), "BVH"},
      {"a.mesh", std::string(kMedit), "MEDIT"},
      {"a.FBX", test::tiny_fbx({}), "FBX"},
      {"a.dae", test::tiny_collada({}), "COLLADA"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "OBJ"},
  };
  for (const auto& [name, content, format] : cases) {
    const auto imported = read_any(folder.write(name, content));
    ASSERT_TRUE(imported.ok()) << name << ": " << imported.error().to_string();
    EXPECT_EQ(imported->format, format);
  }
}

TEST(ReadAny, KnowsGltfByItsContent) {
  const TemporaryFolder folder;
  const auto skeleton = read_any(folder.write("a.tgf", kTgf));
  ASSERT_TRUE(skeleton.ok());
  const auto glb = encode_glb(skeleton->document);
  ASSERT_TRUE(glb.ok());
  const std::string_view bytes(reinterpret_cast<const char*>(glb->data()), glb->size());
  const auto imported = read_any(folder.write("model.bin", bytes));
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  EXPECT_EQ(imported->format, "glTF");
}

TEST(ReadAny, RefusesWhatItDoesNotReadWithAWayOut) {
  const TemporaryFolder folder;
  const auto unknown = read_any(folder.write("a.blend", "BLENDER"));
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::unsupported);
  EXPECT_NE(unknown.error().message.find(".fbx"), std::string::npos);

  const auto packed = read_any(folder.write("a.ply.gz", "\x1f\x8b\x08 packed"));
  ASSERT_FALSE(packed.ok());
  EXPECT_NE(packed.error().message.find("gunzip"), std::string::npos);

  const auto binary = read_any(folder.write("a.meshb", "binary"));
  ASSERT_FALSE(binary.ok());
  EXPECT_NE(binary.error().message.find("ASCII"), std::string::npos);

  EXPECT_EQ(read_any(folder.path() / "none.obj").error().code, ErrorCode::file_not_found);
}

TEST(ReadAny, NamesComeFromTheFile) {
  const TemporaryFolder folder;
  const auto mesh = read_any(folder.write("hand.mesh", kMedit));
  ASSERT_TRUE(mesh.ok()) << mesh.error().to_string();
  EXPECT_EQ(mesh->document.json["nodes"][0]["name"], "hand");
}

TEST(ReadAny, ReadsMakeHumansQuads) {
  SINEW_REAL_MODEL(path, "makehuman/base.obj");
  const auto imported = read_any(path);
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const auto characters = read_characters(imported->document);
  ASSERT_TRUE(characters.ok()) << characters.error().to_string();
  EXPECT_EQ(characters->front().character.mesh.triangles().size(), 2U * 18486U);
}

}  // namespace
}  // namespace sinew
