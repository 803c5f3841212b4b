// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_anchors.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

std::vector<Anchor> anchors_of(const PreparedCharacter& made, const AnchorOptions& options = {}) {
  return find_bone_anchors(made.prepared, made.skeleton, made.segments,
                           std::vector<bool>(made.prepared.mesh.vertex_count(), true), {}, options)
      .anchors;
}

std::map<std::uint32_t, std::vector<Anchor>> by_bone(const std::vector<Anchor>& anchors) {
  std::map<std::uint32_t, std::vector<Anchor>> of_bone;
  for (const Anchor& each : anchors) of_bone[each.bone].push_back(each);
  return of_bone;
}

/// What a list of anchors promises, whatever the mesh.
void expect_sound(const PreparedCharacter& made, const std::vector<Anchor>& anchors,
                  const std::string& name) {
  std::set<VertexIndex> seen;
  for (const Anchor& each : anchors) {
    EXPECT_TRUE(seen.insert(each.vertex).second) << name << ": twice on vertex " << each.vertex;
    EXPECT_GT(each.share, 0) << name;
    EXPECT_LE(each.share, 1) << name;
    EXPECT_TRUE(std::ranges::binary_search(made.segments.bones(), static_cast<int>(each.bone)))
        << name << ": bone " << each.bone << " does not deform";
  }
}

TEST(BoneAnchors, EveryDeformingBoneOfTheExamplesLeadsSomething) {
  for (const ExampleInfo& info : example_characters()) {
    const PreparedCharacter made = prepared(example(std::string(info.name), 2'000));
    const std::vector<Anchor> anchors = anchors_of(made);
    expect_sound(made, anchors, std::string(info.name));
    const auto of_bone = by_bone(anchors);
    for (const int bone : made.segments.bones())
      EXPECT_TRUE(of_bone.contains(static_cast<std::uint32_t>(bone)))
          << info.name << ": nothing follows " << made.skeleton.bone(bone).name;
  }
}

TEST(BoneAnchors, AreSoundOnEveryMeshOfTheZoo) {
  for (const ZooMesh& zoo : mesh_zoo()) {
    const PreparedCharacter made = prepared(limb_character(zoo.mesh.data()));
    expect_sound(made, anchors_of(made), zoo.name);
  }
}

TEST(BoneAnchors, MatterLessTheFartherTheyAreFromTheMiddle) {
  const PreparedCharacter limb = prepared(limb_character(limb_data({8, 61, 0.2, 2})));
  for (const auto& [bone, anchors] : by_bone(anchors_of(limb))) {
    std::vector<std::pair<double, double>> shares;  // by distance from the middle, in metres
    for (const Anchor& each : anchors)
      shares.emplace_back(std::abs(limb.in_model(each.vertex).y() - (bone == 0 ? 0.5 : 1.5)),
                          each.share);
    std::ranges::sort(shares);
    ASSERT_GT(shares.size(), 16u);
    EXPECT_LT(shares.back().first, 0.5) << "on its own bone";
    const double middle = AnchorOptions().middle / 2;  // of a bone one metre long
    for (std::size_t a = 1; a < shares.size() && shares[a].first <= middle; ++a)
      EXPECT_LE(shares[a].second, shares[a - 1].second + 1e-9) << "bone " << bone;
    EXPECT_EQ(shares.front().second, 1) << "fully in the middle";
    EXPECT_LT(shares.back().second, 0.2) << "hardly at the ends";
  }
}

TEST(BoneAnchors, ReachOnlyTheMiddleOfABoneThatIsSmoothlyCovered) {
  AnchorOptions options;
  options.least_share = 0;
  const PreparedCharacter limb = prepared(limb_character(limb_data({8, 61, 0.2, 2})));
  const auto of_bone = by_bone(anchors_of(limb, options));
  for (const auto& [bone, anchors] : of_bone)
    for (const Anchor& each : anchors) {
      const double along = limb.in_model(each.vertex).y() - (bone == 0 ? 0 : 1);
      EXPECT_NEAR(along, 0.5, options.middle / 2 + 1e-9) << "of a bone one metre long";
    }
}

TEST(BoneAnchors, ReachFartherWhereTheMiddleHasTooLittle) {
  // Rings at the quarters of each bone: one of them is in the middle third.
  const PreparedCharacter coarse = prepared(limb_character(limb_data({8, 9, 0.2, 2})));
  const auto outside_middle = [&](double least_share) {
    AnchorOptions options;
    options.least_share = least_share;
    return std::ranges::count_if(anchors_of(coarse, options), [&](const Anchor& each) {
      const double along = coarse.in_model(each.vertex).y() - (each.bone == 0 ? 0 : 1);
      return std::abs(along - 0.5) > 0.2;
    });
  };
  EXPECT_EQ(outside_middle(0.05), 0);
  EXPECT_GE(outside_middle(0.5), 2 * 2 * 8) << "the rings at a quarter and three quarters too";
}

TEST(BoneAnchors, BeyondTheMiddleCountLessTheNearerAnotherBoneIs) {
  // Two rings on each bone, near its ends: those at the joint are in doubt, those at the far ends
  // of the chain are less so, and of a leaf not below what its options say.
  MeshData limb = limb_data({8, 9, 0.2, 2});
  for (Vec3& position : limb.positions) {
    const double along = position.y() - std::floor(position.y());
    if (along == 0.25 || along == 0.5) position.y() += 0.1 - along;
    if (along == 0.75) position.y() += 0.15;
  }
  const PreparedCharacter coarse = prepared(limb_character(limb));
  AnchorOptions options;
  options.least_sure = 0.02;
  options.least_sure_leaf = 0.4;
  const auto of_bone = by_bone(anchors_of(coarse, options));
  ASSERT_EQ(of_bone.size(), 2u);
  double at_joint = 0;
  for (const Anchor& each : of_bone.at(0)) {
    EXPECT_LT(each.share, 1);
    EXPECT_GE(each.share, options.least_sure * 0.1);
    if (coarse.in_model(each.vertex).y() > 0.85) at_joint = std::max(at_joint, each.share);
  }
  EXPECT_GT(at_joint, 0) << "there is one";
  EXPECT_LT(at_joint, 0.2) << "the other bone is nearly as near";
  double of_leaf = 0;
  for (const Anchor& each : of_bone.at(1)) of_leaf = std::max(of_leaf, each.share);
  EXPECT_GE(of_leaf, options.least_sure_leaf);
}

TEST(BoneAnchors, PartsThatAreBoundToABoneCountAsLedByIt) {
  // A wing of its own beside a body that its bone starts in.
  const MeshData body = limb_data({12, 41, 0.2, 2});
  MeshData wing = limb_data({8, 41, 0.05, 2});
  for (Vec3& position : wing.positions)
    position = Vec3(position.y() + 0.25, position.x() + 1.5, position.z());
  const PreparedCharacter bird =
      prepared(make_mesh(together(body, wing)),
               placed_skeleton({{"low", -1, {0, 0, 0}, {}},
                                {"high", 0, {0, 1, 0}, {{0, 2, 0}}},
                                {"wing", 1, {0.1, 1.5, 0}, {{2.2, 1.5, 0}}}}));
  ASSERT_EQ(bird.prepared.parts.count(), 2u);
  std::vector<bool> is_free(bird.prepared.mesh.vertex_count());
  std::vector<int> rigid_parts(2, -1);
  for (std::size_t v = 0; v < is_free.size(); ++v) {
    is_free[v] = v < body.positions.size();
    if (!is_free[v]) rigid_parts[static_cast<std::size_t>(bird.prepared.parts.of_vertex[v])] = 2;
  }
  const auto lead = [&](std::span<const int> rigid) {
    return by_bone(
        find_bone_anchors(bird.prepared, bird.skeleton, bird.segments, is_free, rigid).anchors);
  };
  EXPECT_TRUE(lead({}).contains(2)) << "nothing else to lead, so some of the body";
  const auto with_wing = lead(rigid_parts);
  EXPECT_FALSE(with_wing.contains(2));
  EXPECT_TRUE(with_wing.contains(0) && with_wing.contains(1));
}

TEST(BoneAnchors, AreNeverOnVerticesThatAreNotFree) {
  const PreparedCharacter limb = prepared(limb_character(limb_data({8, 61, 0.2, 2})));
  std::vector<bool> is_free(limb.prepared.mesh.vertex_count());
  for (std::size_t v = 0; v < is_free.size(); ++v) is_free[v] = v % 3 == 0;
  const std::vector<Anchor> anchors =
      find_bone_anchors(limb.prepared, limb.skeleton, limb.segments, is_free).anchors;
  EXPECT_EQ(by_bone(anchors).size(), 2u);
  for (const Anchor& each : anchors) EXPECT_TRUE(is_free[each.vertex]) << each.vertex;
  EXPECT_TRUE(find_bone_anchors(limb.prepared, limb.skeleton, limb.segments,
                                std::vector<bool>(is_free.size(), false))
                  .anchors.empty());
}

TEST(BoneAnchors, BoneOfAnotherPartThatPassesByLeadsNothingThere) {
  // A leg upright, and an arm that reaches right through it; each has bones of its own.
  const MeshData leg = limb_data({12, 41, 0.2, 2});
  MeshData arm = limb_data({12, 61, 0.11, 3});
  for (Vec3& position : arm.positions)
    position = Vec3(position.y() - 1.5, position.x() + 0.5, position.z());
  const PreparedCharacter crossed =
      prepared(make_mesh(together(leg, arm)),
               placed_skeleton({{"thigh", -1, {0, 0, 0}, {}},
                                {"shin", 0, {0, 1, 0}, {{0, 2, 0}}},
                                {"upper", -1, {-1.5, 0.5, 0}, {}},
                                {"fore", 2, {-0.5, 0.5, 0}, {}},
                                {"hand", 3, {0.5, 0.5, 0}, {{1.5, 0.5, 0}}}}));
  ASSERT_EQ(crossed.prepared.parts.count(), 2u);
  const BoneCells cells = find_bone_cells(crossed.prepared, crossed.segments);
  std::size_t near_the_wrong_one = 0;
  for (std::size_t v = 0; v < leg.positions.size(); ++v)
    near_the_wrong_one += cells.nearest[v] >= 2;
  ASSERT_GT(near_the_wrong_one, 0u) << "the forearm is nearest to some of the leg";

  const BoneAnchors found =
      find_bone_anchors(crossed.prepared, crossed.skeleton, crossed.segments,
                        std::vector<bool>(crossed.prepared.mesh.vertex_count(), true));
  const std::vector<Anchor>& anchors = found.anchors;
  EXPECT_EQ(found.served.at(crossed.prepared.parts.of_vertex[0]), (std::set{0, 1}));
  EXPECT_EQ(by_bone(anchors).size(), 5u);
  for (const Anchor& each : anchors)
    EXPECT_EQ(each.vertex < leg.positions.size(), each.bone < 2)
        << "bone " << each.bone << " at " << crossed.in_model(each.vertex).transpose();
}

TEST(BoneAnchors, OnlyTheLargestPatchOfABoneOnAPartCounts) {
  // A skin over a bone that another one crosses right above it: the skin beyond is cut off.
  const PreparedCharacter skin =
      prepared(make_mesh(sheet_data(40, 40, 1, 1)),
               placed_skeleton({{"below", -1, {0, 0.5, -0.05}, {{1, 0.5, -0.05}}},
                                {"across", -1, {0.55, 0, 0}, {{0.55, 1, 0}}}}));
  const BoneCells cells = find_bone_cells(skin.prepared, skin.segments);
  std::size_t beyond = 0;
  for (std::size_t v = 0; v < cells.nearest.size(); ++v)
    beyond += cells.nearest[v] == 0 && skin.in_model(static_cast<VertexIndex>(v)).x() > 0.55 &&
              skin.in_model(static_cast<VertexIndex>(v)).x() < 0.66;
  ASSERT_GT(beyond, 0u) << "near the middle of the lower bone, but beyond the upper one";
  const auto of_bone = by_bone(anchors_of(skin));
  ASSERT_TRUE(of_bone.contains(0));
  for (const Anchor& each : of_bone.at(0)) EXPECT_LT(skin.in_model(each.vertex).x(), 0.55);
}

TEST(BoneAnchors, SideOfABodyIsNotLedByAnArmThroughTheAir) {
  // An arm that hangs beside a body, held by a strip of skin at its upper end: the near side of
  // the body is nearer to the arm's bone than to its own.
  const MeshData body = limb_data({24, 41, 0.3, 2});
  MeshData arm = limb_data({12, 41, 0.1, 2});
  for (Vec3& position : arm.positions) position.x() += 0.55;
  const auto uppermost = [](const MeshData& mesh, double towards) {
    std::size_t best = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const auto value = [&](std::size_t of) {
        return 10 * mesh.positions[of].y() + towards * mesh.positions[of].x();
      };
      if (value(v) > value(best)) best = v;
    }
    return static_cast<VertexIndex>(best);
  };
  const VertexIndex on_body = uppermost(body, 1);
  const auto on_arm = static_cast<VertexIndex>(body.positions.size() + uppermost(arm, -1));
  MeshData both = together(body, arm);
  both.triangles.push_back({on_body, on_arm, on_arm + 1});
  const PreparedCharacter made = prepared(
      make_mesh(std::move(both)), placed_skeleton({{"chest", -1, {0, 0, 0}, {{0, 2, 0}}},
                                                   {"arm", -1, {0.55, 0, 0}, {{0.55, 2, 0}}}}));
  ASSERT_EQ(made.prepared.parts.count(), 1u);
  const BoneCells cells = find_bone_cells(made.prepared, made.segments);
  const auto is_body = [&](std::size_t v) {
    return made.in_model(static_cast<VertexIndex>(v)).x() < 0.4;
  };
  std::size_t nearest_to_the_arm = 0;
  for (std::size_t v = 0; v < cells.nearest.size(); ++v)
    nearest_to_the_arm += is_body(v) && cells.nearest[v] == 1;
  ASSERT_GT(nearest_to_the_arm, 20u);
  const auto of_bone = by_bone(anchors_of(made));
  ASSERT_TRUE(of_bone.contains(1));
  for (const Anchor& each : of_bone.at(1))
    EXPECT_FALSE(is_body(each.vertex)) << made.in_model(each.vertex).transpose();
}

TEST(BoneAnchors, BoneThatNothingIsNearestToGetsWhatItIsNearlyNearestTo) {
  // A marrow bone inside a thicker shell of two: every vertex is nearer to one of these.
  const MeshData limb = limb_data({8, 31, 0.2, 2});
  const Skeleton skeleton = placed_skeleton({{"front", -1, {0, 0, 0.12}, {{0, 2, 0.12}}},
                                             {"back", -1, {0, 0, -0.12}, {{0, 2, -0.12}}},
                                             {"left", -1, {0.12, 0, 0}, {{0.12, 2, 0}}},
                                             {"right", -1, {-0.12, 0, 0}, {{-0.12, 2, 0}}},
                                             {"marrow", -1, {0, 0.5, 0}, {{0, 1.5, 0}}}});
  MeshData tube = limb;
  tube.triangles.resize(tube.triangles.size() - 16);  // no caps, whose middles are on the marrow
  tube.positions.resize(tube.positions.size() - 2);
  const PreparedCharacter shell = prepared(make_mesh(tube), skeleton);
  const BoneCells cells = find_bone_cells(shell.prepared, shell.segments);
  ASSERT_EQ(std::ranges::count(cells.nearest, 4), 0);
  const auto of_bone = by_bone(anchors_of(shell));
  ASSERT_TRUE(of_bone.contains(4));
  EXPECT_EQ(of_bone.at(4).size(), AnchorOptions().least_vertices);
  AnchorOptions strict;
  strict.nearly_nearest = 1;
  EXPECT_FALSE(by_bone(anchors_of(shell, strict)).contains(4));
}

TEST(BoneAnchors, UnitsDoNotMatterAndPlacesHardly) {
  const Character hand = example("hand", 2'000);
  const auto same = [&](const Character& other) { return anchors_of(prepared(other)); };
  const std::vector<Anchor> expected = same(moved(hand, 1, Vec3::Zero()));
  for (const double scale : {1024.0, 1 / 1024.0}) {
    const std::vector<Anchor> scaled = same(moved(hand, scale, Vec3::Zero()));
    ASSERT_EQ(scaled.size(), expected.size()) << "a power of two rounds nothing";
    for (std::size_t a = 0; a < scaled.size(); ++a) {
      EXPECT_EQ(scaled[a].vertex, expected[a].vertex);
      EXPECT_EQ(scaled[a].bone, expected[a].bone);
      EXPECT_NEAR(scaled[a].share, expected[a].share, 1e-9);
    }
  }
  std::map<VertexIndex, Anchor> of_vertex;
  for (const Anchor& each : expected) of_vertex[each.vertex] = each;
  const std::vector<Anchor> away = same(moved(hand, 7.3, Vec3(30, -20, 10)));
  EXPECT_NEAR(static_cast<double>(away.size()), static_cast<double>(expected.size()),
              0.01 * static_cast<double>(expected.size()));
  std::size_t the_same = 0;
  for (const Anchor& each : away) {
    const auto found = of_vertex.find(each.vertex);
    the_same += found != of_vertex.end() && found->second.bone == each.bone &&
                std::abs(found->second.share - each.share) < 1e-3;
  }
  EXPECT_GE(the_same, expected.size() * 99 / 100);
}

}  // namespace
}  // namespace sinew::test
