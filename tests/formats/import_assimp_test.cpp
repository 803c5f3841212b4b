// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/import_assimp.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/models.h"
#include "support/temporary_folder.h"
#include "support/tiny_rig.h"

namespace sinew {
namespace {

using test::TemporaryFolder;
using test::TinyRig;

constexpr double kTolerance_m = 1e-5;  // a 2 m leg in floats, through several products

Character only_character(const Imported& imported) {
  auto characters = read_characters(imported.document);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  if (!characters.ok()) return {};
  EXPECT_EQ(characters->size(), 1U);
  return characters->front().character;
}

int bone_named(const Character& character, std::string_view name) {
  const auto& bones = character.skeleton.bones();
  const auto it = std::ranges::find(bones, name, &Bone::name);
  return it == bones.end() ? -1 : static_cast<int>(it - bones.begin());
}

std::vector<Vec3> skinned(const Character& character, const NodeTree& posed) {
  const std::vector<Affine3> transforms = character.skinning_transforms(posed);
  std::vector<Vec3> positions;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    Vec3 sum = Vec3::Zero();
    for (const Influence& influence : character.weights.row(v))
      sum += influence.weight * (transforms[influence.bone] * character.mesh.positions()[v]);
    positions.push_back(sum);
  }
  return positions;
}

/// Everything that is the same about a TinyRig whatever its units: mesh, bind, rest pose and bent
/// pose.
void expect_tiny_rig(const Imported& imported, const TinyRig& rig) {
  const Character character = only_character(imported);
  ASSERT_EQ(character.mesh.vertex_count(), 12U);
  EXPECT_EQ(character.mesh.triangles().size(), 16U);
  const Box box = bounding_box(character.mesh.positions());
  EXPECT_LT((box.min() - Vec3(-0.1, 0, -0.1)).norm(), kTolerance_m) << box.min().transpose();
  EXPECT_LT((box.max() - Vec3(0.1, 2, 0.1)).norm(), kTolerance_m) << box.max().transpose();

  ASSERT_EQ(character.skeleton.bone_count(), 3U);
  const int hip = bone_named(character, "hip");
  const int knee = bone_named(character, "knee");
  const int end = bone_named(character, "knee_end");
  ASSERT_GE(std::min({hip, knee, end}), 0);
  EXPECT_EQ(character.skeleton.bone(knee).parent, hip);
  EXPECT_EQ(character.skeleton.bone(end).parent, knee);
  EXPECT_LT(character.skeleton.bone(hip).head().norm(), kTolerance_m);
  EXPECT_LT((character.skeleton.bone(knee).head() - Vec3(0, 1, 0)).norm(), kTolerance_m);

  const std::vector<Vec3> rest = skinned(character, character.nodes);
  for (std::size_t v = 0; v < rest.size(); ++v)
    EXPECT_LT((rest[v] - character.mesh.positions()[v]).norm(), kTolerance_m);

  ASSERT_EQ(character.clips.size(), 1U);
  EXPECT_NEAR(character.clips[0].end_s, 1, 1e-6);
  const double pre = rig.knee_pre_rotation_z_deg * std::numbers::pi / 180;
  const Vec3 file_z = rig.z_up ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
  const Quat turn_pre(Eigen::AngleAxisd(pre, file_z));
  const Quat bend(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()));
  const std::vector<Vec3> bent =
      skinned(character, sample_clip(character.nodes, character.clips[0], 1));
  for (std::size_t v = 0; v < bent.size(); ++v) {
    const Vec3& at_rest = character.mesh.positions()[v];
    const Vec3 with_hip = at_rest + Vec3(0, 0.5, 0);
    const Vec3 with_knee =
        Vec3(0, 1.5, 0) + turn_pre * (bend * (turn_pre.conjugate() * (at_rest - Vec3(0, 1, 0))));
    const double share = at_rest.y() < 0.5 ? 0 : at_rest.y() < 1.5 ? 0.5 : 1;
    const Vec3 expected = (1 - share) * with_hip + share * with_knee;
    EXPECT_LT((bent[v] - expected).norm(), 10 * kTolerance_m)
        << "vertex at " << at_rest.transpose() << " went to " << bent[v].transpose()
        << ", expected " << expected.transpose();
  }
}

TEST(ImportAssimp, EveryUnitAndAxisOfAnFbxGivesTheSameLegInMetres) {
  const TemporaryFolder folder;
  for (const double unit : {0.01, 1.0, 0.0254})
    for (const bool z_up : {false, true})
      for (const double node_scale : {1.0, 100.0, 2.5}) {
        const TinyRig rig{.metres_per_unit = unit, .z_up = z_up, .node_scale = node_scale};
        SCOPED_TRACE(fmt::format("unit {} m, z_up {}, nodes scaled by {}", unit, z_up, node_scale));
        const auto imported = read_with_assimp(folder.write("leg.fbx", test::tiny_fbx(rig)));
        ASSERT_TRUE(imported.ok()) << imported.error().to_string();
        EXPECT_EQ(imported->format, "FBX");
        EXPECT_EQ(imported->document.json["animations"][0]["name"], "bend");
        expect_tiny_rig(*imported, rig);
      }
}

TEST(ImportAssimp, EveryUnitAndAxisOfAColladaGivesTheSameLegInMetres) {
  const TemporaryFolder folder;
  for (const double unit : {1.0, 0.01})
    for (const bool z_up : {false, true})
      for (const double node_scale : {1.0, 100.0}) {
        const TinyRig rig{.metres_per_unit = unit, .z_up = z_up, .node_scale = node_scale};
        SCOPED_TRACE(fmt::format("unit {} m, z_up {}, nodes scaled by {}", unit, z_up, node_scale));
        const auto imported = read_with_assimp(folder.write("leg.dae", test::tiny_collada(rig)));
        ASSERT_TRUE(imported.ok()) << imported.error().to_string();
        expect_tiny_rig(*imported, rig);
      }
}

TEST(ImportAssimp, FbxPreRotationsArePartOfNodesAndKeysAndOfNoExtraNodes) {
  const TemporaryFolder folder;
  const TinyRig rig{.metres_per_unit = 0.01, .knee_pre_rotation_z_deg = 30};
  const auto imported = read_with_assimp(folder.write("leg.fbx", test::tiny_fbx(rig)));
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  for (const Json& node : imported->document.json["nodes"])
    EXPECT_EQ(node["name"].get<std::string>().find("$"), std::string::npos) << node["name"];
  expect_tiny_rig(*imported, rig);
}

TEST(ImportAssimp, NodesThatUndoTheUnitTakeItInAndOthersLeaveTheirScaleAlone) {
  const TemporaryFolder folder;
  const auto blender = read_with_assimp(
      folder.write("leg.fbx", test::tiny_fbx({.metres_per_unit = 0.01, .node_scale = 100})));
  ASSERT_TRUE(blender.ok()) << blender.error().to_string();
  for (const Json& node : blender->document.json["nodes"]) EXPECT_FALSE(node.contains("scale"));
  const auto scaled = read_with_assimp(
      folder.write("leg.fbx", test::tiny_fbx({.metres_per_unit = 0.01, .node_scale = 2.5})));
  ASSERT_TRUE(scaled.ok()) << scaled.error().to_string();
  EXPECT_NEAR(scaled->document.json["nodes"][0]["scale"][0].get<double>(), 2.5, 1e-6);
}

TEST(ImportAssimp, SkinnedMeshesStandOnRootNodesWithoutTransforms) {
  const TemporaryFolder folder;
  const auto imported = read_with_assimp(
      folder.write("leg.fbx", test::tiny_fbx({.metres_per_unit = 0.01, .z_up = true})));
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const Json& json = imported->document.json;
  for (std::size_t n = 0; n < json["nodes"].size(); ++n) {
    if (!json["nodes"][n].contains("skin")) continue;
    for (const char* key : {"translation", "rotation", "scale", "matrix"})
      EXPECT_FALSE(json["nodes"][n].contains(key)) << key;
    EXPECT_TRUE(std::ranges::any_of(json["scenes"][0]["nodes"],
                                    [&](const Json& root) { return root == n; }));
  }
}

TEST(ImportAssimp, StlFacetsJoinIntoAConnectedSurface) {
  const TemporaryFolder folder;
  std::string text = "solid tetrahedron\n";
  const char* corners[4] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
  for (const auto& face : {std::array{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face) text += fmt::format("vertex {}\n", corners[corner]);
    text += "endloop\nendfacet\n";
  }
  const auto imported = read_with_assimp(folder.write("solid.stl", text + "endsolid\n"));
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const Character character = only_character(*imported);
  EXPECT_EQ(character.mesh.vertex_count(), 4U);
  EXPECT_EQ(character.mesh.triangles().size(), 4U);
}

template <class T>
void put_binary(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}

TEST(ImportAssimp, PlyKeepsItsVerticesAndTheirOrderInAsciiAndBinary) {
  const TemporaryFolder folder;
  const std::vector<std::array<float, 3>> positions = {
      {0, 0, 5}, {1, 0, 0}, {0, 1, 0}, {0, 0, 5}, {2, 2, 2}};
  const auto header = [](const char* format) {
    return fmt::format(
        "ply\nformat {} 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float "
        "z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n",
        format);
  };
  std::string ascii = header("ascii");
  for (const auto& p : positions) ascii += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  ascii += "3 0 1 2\n4 3 2 1 4\n";
  std::string binary = header("binary_little_endian");
  for (const auto& p : positions)
    for (const float number : p) put_binary(binary, number);
  for (const std::vector<int>& face : {std::vector{0, 1, 2}, {3, 2, 1, 4}}) {
    put_binary(binary, static_cast<unsigned char>(face.size()));
    for (const int corner : face) put_binary(binary, corner);
  }
  for (const std::string& text : {ascii, binary}) {
    const auto imported = read_with_assimp(folder.write("points.ply", text));
    ASSERT_TRUE(imported.ok()) << imported.error().to_string();
    const Character character = only_character(*imported);
    ASSERT_EQ(character.mesh.vertex_count(), 5U) << "vertex 3 is where vertex 0 is, and stays";
    EXPECT_EQ(character.mesh.triangles().size(), 3U);
    for (std::size_t v = 0; v < 5; ++v)
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(character.mesh.positions()[v][axis],
                  positions[v][static_cast<std::size_t>(axis)]);
    EXPECT_EQ(imported->document.json["nodes"][0]["name"], "points");
  }
}

TEST(ImportAssimp, BrokenAndMissingFilesAreErrorsWithTheirName) {
  const TemporaryFolder folder;
  for (const char* name : {"a.fbx", "a.dae", "a.stl", "a.ply"}) {
    const auto imported = read_with_assimp(folder.write(name, "this is no model\n"));
    ASSERT_FALSE(imported.ok()) << name;
    EXPECT_FALSE(imported.error().message.empty());
  }
  EXPECT_EQ(read_with_assimp(folder.path() / "none.fbx").error().code, ErrorCode::file_not_found);
  const auto path = folder.write("leg.fbx", test::tiny_fbx({}));
  EXPECT_EQ(read_with_assimp(path, {.max_bytes = 10}).error().code, ErrorCode::too_large);
}

TEST(ImportAssimp, HorseFbxHasItsBonesClipsAndSize) {
  SINEW_REAL_MODEL(path, "quaternius/Horse.fbx");
  const auto imported = read_with_assimp(path);
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const Character character = only_character(*imported);
  EXPECT_EQ(character.mesh.vertex_count(), 1416U);
  EXPECT_EQ(character.skeleton.bone_count(), 39U) << "28 with weights and 11 ends";
  EXPECT_EQ(character.clips.size(), 6U);
  const Vec3 size = bounding_box(character.mesh.positions()).sizes();
  EXPECT_NEAR(size.y(), 6.905, 0.01) << "a tall horse, but +Y up and in metres as the file has it";
  EXPECT_GT(size.z(), size.x()) << "its length lies along Z";
  for (const Clip& clip : character.clips) {
    const std::vector<Vec3> posed =
        skinned(character, sample_clip(character.nodes, clip, 0.5 * (clip.start_s + clip.end_s)));
    const double ratio = bounding_box(posed).diagonal().norm() / size.norm();
    EXPECT_GT(ratio, 0.7) << clip.name;
    EXPECT_LT(ratio, 1.4) << clip.name;
  }
}

TEST(ImportAssimp, ArnaudFbxComesFromCentimetresAndRestsAsHeIsBound) {
  SINEW_REAL_MODEL(path, "misc/arnaud.fbx");
  const auto imported = read_with_assimp(path);
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const Character character = only_character(*imported);
  EXPECT_EQ(character.mesh.triangles().size(), 6670U);
  EXPECT_EQ(character.skeleton.bone_count(), 53U);
  const Vec3 size = bounding_box(character.mesh.positions()).sizes();
  EXPECT_NEAR(size.y(), 1.831, 1e-3);
  const std::vector<Vec3> rest = skinned(character, character.nodes);
  for (std::size_t v = 0; v < rest.size(); ++v)
    EXPECT_LT((rest[v] - character.mesh.positions()[v]).norm(), 1e-4);
}

}  // namespace
}  // namespace sinew
