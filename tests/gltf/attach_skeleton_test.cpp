// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/attach_skeleton.h"

#include <algorithm>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/bvh.h"
#include "formats/medit.h"
#include "formats/tgf.h"
#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "support/models.h"

namespace sinew {
namespace {

using test::as_bytes;

/// A box of two triangles per diagonal corner pair is enough: only its extent matters.
Document slab(const Vec3& min, const Vec3& max) {
  const std::string text = fmt::format(
      "MeshVersionFormatted 1 Dimension 3 Vertices 4\n{} {} {} 0\n{} {} {} 0\n{} {} {} 0\n{} {} {} "
      "0\nTriangles 2\n1 2 3 0\n2 3 4 0\nEnd\n",
      min.x(), min.y(), min.z(), max.x(), min.y(), max.z(), min.x(), max.y(), max.z(), max.x(),
      max.y(), min.z());
  auto imported = parse_medit(as_bytes(text));
  EXPECT_TRUE(imported.ok()) << imported.error().to_string();
  return imported->document;
}

/// A spine of two joints and an arm, `up` along Y or Z, in units of 1 / scale metres.
Document stick_figure(double scale, bool z_up) {
  const auto offset = [&](double x, double y) {
    return z_up ? fmt::format("{} 0 {}", scale * x, scale * y)
                : fmt::format("{} {} 0", scale * x, scale * y);
  };
  const std::string text = fmt::format(
      "HIERARCHY\nROOT hips\n{{\nOFFSET {}\nCHANNELS 3 Xposition Yposition Zposition\nJOINT "
      "chest\n{{\nOFFSET {}\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT hand\n{{\nOFFSET "
      "{}\nCHANNELS 0\nEnd Site\n{{\nOFFSET {}\n}}\n}}\n}}\n}}\nMOTION\nFrames: 2\nFrame Time: "
      "1\n{} 0 0 0\n{} 0 90 0\n",
      offset(0, 0.9), offset(0, 0.6), offset(0.7, 0), offset(0.1, 0), offset(0, 0.9),
      offset(0.2, 0.9));
  auto imported = parse_bvh(as_bytes(text), {.clip_name = "wave"});
  EXPECT_TRUE(imported.ok()) << imported.error().to_string();
  return imported->document;
}

const Vec3 kBodyMin(-0.9, 0, -0.2);
const Vec3 kBodyMax(0.9, 1.8, 0.2);

Character only_character(const Document& document) {
  auto characters = read_characters(document);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  EXPECT_EQ(characters->size(), 1U);
  return characters->front().character;
}

bool has_notice(const Notices& notices, std::string_view code, std::string_view part) {
  return std::ranges::any_of(notices, [&](const Notice& notice) {
    return notice.code == code && notice.message.find(part) != std::string::npos;
  });
}

/// The stick figure in metres, +Y up, whatever it came from.
void expect_stick_figure(const Character& character) {
  ASSERT_EQ(character.skeleton.bone_count(), 3U);
  EXPECT_EQ(character.mesh.vertex_count(), 4U);
  EXPECT_LT((character.skeleton.bone(1).head() - Vec3(0, 1.5, 0)).norm(), 1e-5);
  EXPECT_LT((character.skeleton.bone(2).head() - Vec3(0.7, 1.5, 0)).norm(), 1e-5);
  ASSERT_TRUE(character.skeleton.bone(2).tail.has_value());
  EXPECT_LT((*character.skeleton.bone(2).tail - Vec3(0.8, 1.5, 0)).norm(), 1e-5);
  ASSERT_EQ(character.clips.size(), 1U);
  EXPECT_EQ(character.clips[0].name, "wave");
  const auto end = sample_clip(character.nodes, character.clips[0], 1).world_transforms();
  const auto node = static_cast<std::size_t>(character.skeleton.bone(1).source_node);
  EXPECT_LT((end[node].translation() - Vec3(0.2, 1.5, 0)).norm(), 1e-5);
}

TEST(AttachSkeleton, ASkeletonThatFitsIsTakenAsItIs) {
  const Document mesh = slab(kBodyMin, kBodyMax);
  const auto attached = attach_skeleton(mesh, stick_figure(1, false));
  ASSERT_TRUE(attached.ok()) << attached.error().to_string();
  EXPECT_TRUE(attached->notices.empty());
  EXPECT_EQ(attached->scale, 1);
  const Json& skin = attached->document.json["skins"][static_cast<std::size_t>(attached->skin)];
  EXPECT_EQ(skin["extras"]["sinew"]["for_unskinned"], true);
  for (const Json& node : attached->document.json["nodes"]) EXPECT_FALSE(node.contains("skin"));
  expect_stick_figure(only_character(attached->document));
}

TEST(AttachSkeleton, APowerOfTenIsMendedInBonesTailsAndClips) {
  const Document mesh = slab(kBodyMin, kBodyMax);
  for (const double scale : {1000.0, 100.0, 10.0, 0.1, 0.01}) {
    SCOPED_TRACE(scale);
    const auto attached = attach_skeleton(mesh, stick_figure(scale, false));
    ASSERT_TRUE(attached.ok()) << attached.error().to_string();
    EXPECT_DOUBLE_EQ(attached->scale, 1 / scale);
    EXPECT_TRUE(has_notice(attached->notices, "skeleton_size", "it was scaled by"));
    expect_stick_figure(only_character(attached->document));
  }
  const auto centimetres = attach_skeleton(mesh, stick_figure(100, false));
  EXPECT_TRUE(has_notice(centimetres->notices, "skeleton_size", "centimetres"));
}

TEST(AttachSkeleton, AZUpSkeletonIsTurnedOntoAYUpMesh) {
  const auto attached = attach_skeleton(slab(kBodyMin, kBodyMax), stick_figure(100, true));
  ASSERT_TRUE(attached.ok()) << attached.error().to_string();
  EXPECT_TRUE(has_notice(attached->notices, "skeleton_axes", "-90 degrees about X"));
  expect_stick_figure(only_character(attached->document));
}

TEST(AttachSkeleton, WhatIsNotClearIsReportedAndLeftAlone) {
  // As deep as it is tall, centred: standing up and lying down fit alike.
  const Document cube = slab(Vec3(-2, -2, -2), Vec3(2, 2, 2));
  const auto inside = attach_skeleton(cube, stick_figure(1, true));
  ASSERT_TRUE(inside.ok()) << inside.error().to_string();
  EXPECT_TRUE(inside->turn.isApprox(Quat::Identity()));

  const auto odd_size = attach_skeleton(slab(kBodyMin, kBodyMax), stick_figure(6, false));
  ASSERT_TRUE(odd_size.ok()) << odd_size.error().to_string();
  EXPECT_EQ(odd_size->scale, 1);
  EXPECT_TRUE(has_notice(odd_size->notices, "skeleton_size", "not scaled"));

  const auto elsewhere =
      attach_skeleton(slab(Vec3(50, 50, 50), Vec3(51, 52, 51)), stick_figure(1, false));
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.error().to_string();
  EXPECT_TRUE(has_notice(elsewhere->notices, "skeleton_place", "elsewhere"));
}

TEST(AttachSkeleton, ReportingChangesNothing) {
  const auto attached = attach_skeleton(slab(kBodyMin, kBodyMax), stick_figure(100, false),
                                        {.fit = AttachOptions::Fit::report});
  ASSERT_TRUE(attached.ok()) << attached.error().to_string();
  EXPECT_EQ(attached->scale, 1);
  EXPECT_TRUE(has_notice(attached->notices, "skeleton_size", "would fit scaled by 0.01"));
}

TEST(AttachSkeleton, AMeshWithASkinAndAFileWithoutASkeletonAreErrors) {
  const Document mesh = slab(kBodyMin, kBodyMax);
  const auto attached = attach_skeleton(mesh, stick_figure(1, false));
  ASSERT_TRUE(attached.ok());
  const auto twice = attach_skeleton(attached->document, stick_figure(1, false));
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().place, "skins[0]");
  EXPECT_FALSE(attach_skeleton(mesh, mesh).ok());
  EXPECT_FALSE(attach_skeleton(stick_figure(1, false), stick_figure(1, false)).ok());
}

TEST(AttachSkeleton, SeveralRootBonesShareANodeAboveThem) {
  const auto tgf = parse_tgf(as_bytes("1 0 1 0\n2 0.5 1 0\n3 -0.5 1 0\n#\n1 2\n1 3\n"));
  ASSERT_TRUE(tgf.ok()) << tgf.error().to_string();
  const auto attached = attach_skeleton(slab(kBodyMin, kBodyMax), tgf->document);
  ASSERT_TRUE(attached.ok()) << attached.error().to_string();
  const Character character = only_character(attached->document);
  ASSERT_EQ(character.skeleton.bone_count(), 2U);
  const auto top = [&](int bone) {
    int node = character.skeleton.bone(bone).source_node;
    while (character.nodes.nodes[static_cast<std::size_t>(node)].parent >= 0)
      node = character.nodes.nodes[static_cast<std::size_t>(node)].parent;
    return node;
  };
  EXPECT_EQ(top(0), top(1));
}

TEST(AttachSkeleton, TheResearchPairsFitWithoutAWord) {
  for (const auto& [mesh_name, skeleton_name] :
       {std::pair{"research/hand.mesh", "research/hand.tgf"},
        {"research/arm.obj", "research/arm.tgf"},
        {"research/elephant.obj", "research/elephant.tgf"}}) {
    SINEW_REAL_MODEL(mesh_path, mesh_name);
    SINEW_REAL_MODEL(skeleton_path, skeleton_name);
    const auto mesh = read_any(mesh_path);
    const auto skeleton = read_any(skeleton_path);
    ASSERT_TRUE(mesh.ok() && skeleton.ok());
    const auto attached = attach_skeleton(mesh->document, skeleton->document);
    ASSERT_TRUE(attached.ok()) << attached.error().to_string();
    EXPECT_TRUE(attached->notices.empty()) << attached->notices.front().message;
  }
}

}  // namespace
}  // namespace sinew
