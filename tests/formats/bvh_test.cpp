// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/bvh.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "support/damage.h"
#include "support/models.h"

namespace sinew {
namespace {

using test::as_bytes;

constexpr std::string_view kArm = R"(HIERARCHY
ROOT Upper Arm
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Elbow
  {
    OFFSET 0.5 0 0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 0.25 0.1 0
    }
  }
  JOINT Elbow {
    OFFSET 0 0 0.5
    CHANNELS 0
    End Site
    {
      OFFSET 0 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 1 0 10 20 30 40 50 60
0 1.5 0 100 20 30 140 50 60
0 2 0 190 20 30 240 50 60
)";

std::vector<float> keys(const Document& document, int node, std::string_view path) {
  const Json& animation = document.json["animations"][0];
  for (const Json& channel : animation["channels"]) {
    if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    return *read_floats(document, sampler["output"].get<int>(),
                        path == "rotation" ? "VEC4" : "VEC3");
  }
  return {};
}

Eigen::Matrix3d axis_matrix(char axis, double angle_deg) {
  const double a = angle_deg * std::numbers::pi / 180;
  const double c = std::cos(a);
  const double s = std::sin(a);
  Eigen::Matrix3d matrix;
  if (axis == 'X') matrix << 1, 0, 0, 0, c, -s, 0, s, c;
  if (axis == 'Y') matrix << c, 0, s, 0, 1, 0, -s, 0, c;
  if (axis == 'Z') matrix << c, -s, 0, s, c, 0, 0, 0, 1;
  return matrix;
}

TEST(Bvh, KeepsNamesHierarchyAndTails) {
  const Result<Imported> arm = parse_bvh(as_bytes(kArm), {.clip_name = "wave"});
  ASSERT_TRUE(arm.ok()) << arm.error().to_string();
  const Json& nodes = arm->document.json["nodes"];
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0]["name"], "Upper Arm");
  EXPECT_EQ(nodes[1]["name"], "Elbow");
  EXPECT_EQ(nodes[2]["name"], "Elbow");
  EXPECT_EQ(nodes[0]["children"], Json::array({1, 2}));
  EXPECT_EQ(nodes[1]["extras"]["sinew"]["tail"], Json::array({0.25, 0.1, 0.0}));
  EXPECT_FALSE(nodes[2].contains("extras")) << "a tail without length is no tail";
  EXPECT_EQ(arm->document.json["animations"][0]["name"], "wave");
  EXPECT_EQ(arm->document.json["skins"][0]["joints"], Json::array({0, 1, 2}));
}

TEST(Bvh, IsReadAsASkeletonWithoutVertices) {
  const Result<Imported> arm = parse_bvh(as_bytes(kArm));
  ASSERT_TRUE(arm.ok()) << arm.error().to_string();
  const auto characters = read_characters(arm->document);
  ASSERT_TRUE(characters.ok()) << characters.error().to_string();
  ASSERT_EQ(characters->size(), 1U);
  const Character& character = characters->front().character;
  EXPECT_EQ(character.mesh.vertex_count(), 0U);
  ASSERT_EQ(character.skeleton.bone_count(), 3U);
  EXPECT_TRUE(character.skeleton.bone(1).head().isApprox(Vec3(0.5, 1, 0)));
  ASSERT_TRUE(character.skeleton.bone(1).tail.has_value());
  EXPECT_TRUE(character.skeleton.bone(1).tail->isApprox(Vec3(0.75, 1.1, 0), 1e-6));
  ASSERT_EQ(character.clips.size(), 1U);
  EXPECT_DOUBLE_EQ(character.clips[0].end_s, 1);
}

TEST(Bvh, RotationsMultiplyInTheOrderOfTheChannels) {
  for (std::string order : {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "Z"}) {
    SCOPED_TRACE(order);
    const std::array<double, 3> angles_deg = {25, -110, 70};
    std::string channels;
    std::string frame;
    Eigen::Matrix3d expected = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < order.size(); ++i) {
      channels += fmt::format(" {}rotation", order[i]);
      frame += fmt::format(" {}", angles_deg[i]);
      expected *= axis_matrix(order[i], angles_deg[i]);
    }
    const std::string text = fmt::format(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS {}{}\n}}\nMOTION\nFrames: 1\nFrame Time: "
        "1\n{}\n",
        order.size(), channels, frame);
    const Result<Imported> imported = parse_bvh(as_bytes(text));
    ASSERT_TRUE(imported.ok()) << imported.error().to_string();
    const std::vector<float> q = keys(imported->document, 0, "rotation");
    ASSERT_EQ(q.size(), 4U);
    const Quat rotation(q[3], q[0], q[1], q[2]);
    EXPECT_LT((rotation.toRotationMatrix() - expected).norm(), 1e-6);
  }
}

TEST(Bvh, NeighbouringKeysNeverFlipSign) {
  const Result<Imported> arm = parse_bvh(as_bytes(kArm));
  ASSERT_TRUE(arm.ok()) << arm.error().to_string();
  for (const int node : {0, 1}) {
    const std::vector<float> q = keys(arm->document, node, "rotation");
    ASSERT_EQ(q.size(), 12U);
    for (std::size_t i = 4; i < q.size(); i += 4)
      EXPECT_GT(q[i] * q[i - 4] + q[i + 1] * q[i - 3] + q[i + 2] * q[i - 2] + q[i + 3] * q[i - 1],
                0);
  }
}

TEST(Bvh, PositionsNearTheOffsetReplaceItAndPositionsNearZeroAddToIt) {
  const Result<Imported> absolute = parse_bvh(as_bytes(kArm));
  ASSERT_TRUE(absolute.ok()) << absolute.error().to_string();
  EXPECT_EQ(keys(absolute->document, 0, "translation"),
            (std::vector<float>{0, 1, 0, 0, 1.5F, 0, 0, 2, 0}));
  EXPECT_TRUE(keys(absolute->document, 1, "translation").empty());

  std::string text(kArm);
  text.replace(text.find("\n0 1 0 10"), 6, "\n0 0 0");
  const Result<Imported> relative = parse_bvh(as_bytes(text));
  ASSERT_TRUE(relative.ok()) << relative.error().to_string();
  EXPECT_EQ(keys(relative->document, 0, "translation"),
            (std::vector<float>{0, 1, 0, 0, 2.5F, 0, 0, 3, 0}));
}

TEST(Bvh, AnImplausibleSizeIsReportedAndNotApplied) {
  std::string text(kArm);
  text.replace(text.find("0.5 0 0"), 7, "170 0 0");
  const Result<Imported> arm = parse_bvh(as_bytes(text));
  ASSERT_TRUE(arm.ok()) << arm.error().to_string();
  const auto guess = std::ranges::find(arm->notices, "unit_guess", &Notice::code);
  ASSERT_NE(guess, arm->notices.end());
  EXPECT_NE(guess->message.find("centimetres"), std::string::npos) << guess->message;
  EXPECT_EQ(arm->document.json["nodes"][1]["translation"][0], 170.0);
}

TEST(Bvh, ErrorsNameTheLine) {
  std::string text(kArm);
  text.replace(text.find("Zrotation Xrotation\n    End"), 9, "Zoration ");
  const Result<Imported> arm = parse_bvh(as_bytes(text));
  ASSERT_FALSE(arm.ok());
  EXPECT_EQ(arm.error().place, "line 9") << arm.error().to_string();
}

TEST(Bvh, MoreFramesThanTheFileCanHoldAreRefusedBeforeMemoryIsTaken) {
  std::string text(kArm);
  text.replace(text.find("Frames: 3"), 9, "Frames: 2000000000");
  const Result<Imported> arm = parse_bvh(as_bytes(text));
  ASSERT_FALSE(arm.ok());
  EXPECT_EQ(arm.error().code, ErrorCode::bad_file);
}

TEST(Bvh, DamagedFilesGiveAnErrorOrASoundDocument) {
  test::expect_damage_is_handled(
      kArm, [](std::span<const std::byte> file) { return parse_bvh(file); }, 4000);
}

TEST(Bvh, ReadsTheMakeHumanWalk) {
  SINEW_REAL_MODEL(path, "makehuman/walk1.bvh");
  const Result<Imported> walk = parse_bvh(test::read_bytes(path), {.clip_name = "walk1"});
  ASSERT_TRUE(walk.ok()) << walk.error().to_string();
  const auto characters = read_characters(walk->document);
  ASSERT_TRUE(characters.ok()) << characters.error().to_string();
  const Character& character = characters->front().character;
  EXPECT_EQ(character.skeleton.bone_count(), 75U);
  ASSERT_EQ(character.clips.size(), 1U);
  EXPECT_NEAR(character.clips[0].end_s, 13 * 0.041667, 1e-5);
}

}  // namespace
}  // namespace sinew
