// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/tgf.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/damage.h"
#include "support/models.h"

namespace sinew {
namespace {

using test::as_bytes;

// Columns after the position hold uninitialised memory in the wild.
constexpr std::string_view kFork = R"(
   1 0 0 0  2.7982368e+199 1e-322 6.01e+999 0
   2 0 1 0  4.9406565e-324
   3 1 2 0
   4 -1 2 0
#
  2 3
  1 2 1 0 0
  2 4
#
)";

Character read_skeleton(const Imported& imported) {
  auto characters = read_characters(imported.document);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  return characters->front().character;
}

bool has_notice(const Imported& imported, std::string_view code, std::string_view place) {
  return std::ranges::any_of(imported.notices, [&](const Notice& notice) {
    return notice.code == code && notice.place == place;
  });
}

TEST(Tgf, EveryEdgeIsABoneThatHangsOnTheBoneThatEndsWhereItStarts) {
  const Result<Imported> fork = parse_tgf(as_bytes(kFork));
  ASSERT_TRUE(fork.ok()) << fork.error().to_string();
  EXPECT_TRUE(fork->notices.empty());
  const Character character = read_skeleton(*fork);
  const Skeleton& skeleton = character.skeleton;
  ASSERT_EQ(skeleton.bone_count(), 3U);
  EXPECT_EQ(skeleton.bone(0).name, "bone0");
  EXPECT_EQ(skeleton.bone(0).parent, 1);
  EXPECT_EQ(skeleton.bone(1).parent, -1);
  EXPECT_EQ(skeleton.bone(2).parent, 1);
  EXPECT_TRUE(skeleton.bone(2).head().isApprox(Vec3(0, 1, 0)));
  ASSERT_TRUE(skeleton.bone(2).tail.has_value());
  EXPECT_TRUE(skeleton.bone(2).tail->isApprox(Vec3(-1, 2, 0)));
}

TEST(Tgf, APseudoEdgeHangsABoneOnAnotherWithoutBeingOne) {
  const Result<Imported> graph = parse_tgf(
      as_bytes("1 0 0 0\n2 0 1 0\n3 1 1 0\n4 2 1 0\n#\n1 2 1 0 0\n3 4 1 0 0\n2 3 0 1 0\n"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const Character character = read_skeleton(*graph);
  ASSERT_EQ(character.skeleton.bone_count(), 2U);
  EXPECT_EQ(character.skeleton.bone(1).parent, 0);
  EXPECT_TRUE(character.skeleton.bone(1).head().isApprox(Vec3(1, 1, 0)));
}

TEST(Tgf, PseudoEdgesNeverCloseALoop) {
  const Result<Imported> graph = parse_tgf(
      as_bytes("1 0 0 0\n2 0 1 0\n3 1 1 0\n4 2 1 0\n#\n1 2\n3 4\n2 3 0 1 0\n4 1 0 1 0\n"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(has_notice(*graph, "idle_pseudo_edge", "line 9"));
  EXPECT_EQ(read_skeleton(*graph).skeleton.roots(), std::vector<int>{0});
}

TEST(Tgf, CageEdgesAndLonePointsAreCountedAndLeftOut) {
  const Result<Imported> graph =
      parse_tgf(as_bytes("1 0 0 0\n2 0 1 0\n3 1 1 0\n4 2 1 0\n5 9 9 9\n#\n1 2\n3 4 0 0 1\n"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(has_notice(*graph, "cage_edges", ""));
  EXPECT_TRUE(has_notice(*graph, "point_handles", ""));
  EXPECT_EQ(read_skeleton(*graph).skeleton.bone_count(), 1U);
}

TEST(Tgf, ALoopOfBonesIsRefusedWithItsLine) {
  const Result<Imported> loop =
      parse_tgf(as_bytes("1 0 0 0\n2 0 1 0\n3 1 0 0\n#\n1 2\n2 3\n3 1\n"));
  ASSERT_FALSE(loop.ok());
  EXPECT_EQ(loop.error().code, ErrorCode::bad_skin);
  EXPECT_EQ(loop.error().place.substr(0, 5), "line ");
  EXPECT_FALSE(parse_tgf(as_bytes("1 0 0 0\n2 0 1 0\n#\n1 2\n2 1\n")).ok());
  const Result<Imported> itself = parse_tgf(as_bytes("1 0 0 0\n#\n1 1\n"));
  ASSERT_FALSE(itself.ok());
  EXPECT_EQ(itself.error().place, "line 3");
}

TEST(Tgf, ARepeatedEdgeIsKeptOnceWithANotice) {
  const Result<Imported> graph = parse_tgf(as_bytes("1 0 0 0\n2 0 1 0\n#\n1 2\n1 2\n"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(has_notice(*graph, "repeated_edge", "line 5"));
  EXPECT_EQ(read_skeleton(*graph).skeleton.bone_count(), 1U);
}

TEST(Tgf, ErrorsNameTheLine) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"1 0 0 0\n2 0 x 0\n#\n1 2\n", "line 2"},   {"1 0 0 0\n2 0 1\n#\n1 2\n", "line 2"},
      {"1 0 0 0\n1 0 1 0\n#\n1 1\n", "line 2"},   {"1 0 0 0\n2 0 1 0\n#\n1 7\n", "line 4"},
      {"1 0 0 0\n2 0 nan 0\n#\n1 2\n", "line 2"}, {"1 0 0 0\n2 0 1 0\n#\n1\n2\n", "line 4"},
  };
  for (const auto& [text, place] : cases) {
    const Result<Imported> graph = parse_tgf(as_bytes(text));
    ASSERT_FALSE(graph.ok()) << text;
    EXPECT_EQ(graph.error().place, place) << text;
  }
}

TEST(Tgf, DamagedFilesGiveAnErrorOrASoundDocument) {
  test::expect_damage_is_handled(kFork, parse_tgf, 4000);
}

TEST(Tgf, ReadsTheResearchSkeletons) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"research/arm.tgf", 4}, {"research/hand.tgf", 20}, {"research/elephant.tgf", 24}};
  for (const auto& [name, bones] : cases) {
    SINEW_REAL_MODEL(path, name);
    const Result<Imported> graph = parse_tgf(test::read_bytes(path));
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    const Character character = read_skeleton(*graph);
    EXPECT_EQ(character.skeleton.bone_count(), bones) << name;
    for (const Bone& bone : character.skeleton.bones()) EXPECT_TRUE(bone.tail.has_value());
  }
}

}  // namespace
}  // namespace sinew
