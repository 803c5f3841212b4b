// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/effective_hierarchy.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/made_skeletons.h"
#include "support/models.h"

namespace sinew::test {
namespace {

std::vector<BoneRole> all_deform(std::size_t count) { return std::vector<BoneRole>(count); }

/// A leg whose foot is a child of the root: the clip swings thigh and shin and carries the foot
/// along, as an animator with an IK foot does.
Character leg_with_ik_foot() {
  Character character = make_boxed_character({{"Root", -1, {0, 0, 0}},
                                              {"Thigh", 0, {0, 1, 0}},
                                              {"Shin", 1, {0, 0.5, 0}},
                                              {"IK_Foot", 0, {0, 0.1, 0}}},
                                             {-0.2, 0, -0.2}, {0.2, 1.2, 0.2});
  Channel swing{.node = 1, .path = ChannelPath::rotation, .width = 4, .times = {}, .values = {}};
  Channel bend = swing, step = swing;
  bend.node = 2;
  step.node = 3;
  step.path = ChannelPath::translation;
  step.width = 3;
  for (int key = 0; key <= 60; ++key) {
    const double time = key / 60.0, thigh = time * 1.2, shin = thigh + time * 0.8;
    for (Channel* channel : {&swing, &bend, &step}) channel->times.push_back(time);
    swing.values.insert(swing.values.end(), {0, 0, std::sin(thigh / 2), std::cos(thigh / 2)});
    bend.values.insert(bend.values.end(), {0, 0, std::sin(time * 0.4), std::cos(time * 0.4)});
    step.values.insert(step.values.end(), {0.5 * std::sin(thigh) + 0.4 * std::sin(shin),
                                           1 - 0.5 * std::cos(thigh) - 0.4 * std::cos(shin), 0});
  }
  character.clips = {{"Swing", {swing, bend, step}, 0, 1}};
  return character;
}

TEST(EffectiveHierarchy, IkFootHangsOnTheShinThatItMovesWith) {
  const Character character = leg_with_ik_foot();
  const EffectiveHierarchy hierarchy = find_effective_hierarchy(character, all_deform(4));
  ASSERT_EQ(hierarchy.rehung.size(), 1u);
  EXPECT_EQ(hierarchy.rehung[0].bone, 3);
  EXPECT_EQ(hierarchy.rehung[0].from, 0);
  EXPECT_EQ(hierarchy.rehung[0].why, Rehung::Why::moves_with);
  EXPECT_EQ(hierarchy.rehung[0].to, 2);
  EXPECT_EQ(hierarchy.parent, (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_EQ(character.skeleton.bone(3).parent, 0) << "the file's own stays";
}

TEST(EffectiveHierarchy, ChoosingTheFileRehangsNothing) {
  const EffectiveHierarchy hierarchy =
      find_effective_hierarchy(leg_with_ik_foot(), all_deform(4), HierarchyChoice::file);
  EXPECT_TRUE(hierarchy.rehung.empty());
  EXPECT_EQ(hierarchy.parent, (std::vector<int>{-1, 0, 1, 0}));
}

TEST(EffectiveHierarchy, ControlBonesStayAndCarryNothing) {
  const Character character = leg_with_ik_foot();
  std::vector<BoneRole> roles = all_deform(4);
  roles[3].deforms = false;
  EXPECT_TRUE(find_effective_hierarchy(character, roles).rehung.empty());
  roles = all_deform(4);
  roles[1].deforms = roles[2].deforms = false;
  EXPECT_TRUE(find_effective_hierarchy(character, roles).rehung.empty())
      << "nothing that deforms moves with the foot";
}

TEST(EffectiveHierarchy, WithoutClipsAHierarchyStaysAsItIs) {
  Character character = leg_with_ik_foot();
  character.clips.clear();
  const EffectiveHierarchy hierarchy = find_effective_hierarchy(character, all_deform(4));
  EXPECT_EQ(hierarchy.parent, (std::vector<int>{-1, 0, 1, 0}));
}

/// Fingers of four joints each, side by side; neighbouring fingers are nearer than the joints of
/// one.
std::vector<MadeBone> flat_hand(int parent_of_all) {
  std::vector<MadeBone> bones;
  if (parent_of_all == 0) bones.push_back({"wrist", -1, {0, 0, 0}});
  double x = -0.03;
  for (const char* finger : {"index-finger", "middle-finger", "ring-finger", "pinky-finger"}) {
    double y = 0.2;
    for (const char* order : {"-tip", "-phalanx-distal", "-phalanx-proximal", "-metacarpal"}) {
      bones.push_back({std::string(finger) + order, parent_of_all, {x, y, 0}});
      y -= 0.05;
    }
    x += 0.02;
  }
  if (parent_of_all < 0) bones.push_back({"wrist", -1, {0, 0, 0}});
  return bones;
}

void expect_fingers(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                    std::string_view finger, const std::vector<std::string>& from_tip) {
  int bone = bone_named(skeleton, std::string(finger) + "-tip");
  for (const std::string& next : from_tip) {
    bone = hierarchy.parent[static_cast<std::size_t>(bone)];
    ASSERT_GE(bone, 0);
    EXPECT_EQ(skeleton.bone(bone).name, next == "wrist" ? next : std::string(finger) + "-" + next);
  }
}

TEST(EffectiveHierarchy, FlatHandGetsAChainPerFinger) {
  for (const int parent_of_all : {0, -1}) {
    const Character character =
        make_boxed_character(flat_hand(parent_of_all), {-0.1, -0.1, -0.1}, {0.1, 0.3, 0.1});
    const EffectiveHierarchy hierarchy =
        find_effective_hierarchy(character, all_deform(character.skeleton.bone_count()));
    for (const char* finger : {"index-finger", "middle-finger", "ring-finger", "pinky-finger"})
      expect_fingers(character.skeleton, hierarchy, finger,
                     {"phalanx-distal", "phalanx-proximal", "metacarpal", "wrist"});
    EXPECT_EQ(hierarchy.rehung.size(), parent_of_all == 0 ? 12u : 16u);
    for (const Rehung& rehung : hierarchy.rehung) EXPECT_EQ(rehung.why, Rehung::Why::flat);
  }
}

TEST(EffectiveHierarchy, RealFlatHandGetsAChainPerFinger) {
  SINEW_REAL_MODEL(path, "misc/generic-hand-left.glb");
  const Result<Document> document = read_gltf(path);
  ASSERT_TRUE(document.ok());
  const auto characters = read_characters(*document);
  ASSERT_TRUE(characters.ok());
  const Character& character = characters->front().character;
  const EffectiveHierarchy hierarchy =
      find_effective_hierarchy(character, decide_deforming_bones(character));
  for (const char* finger : {"index-finger", "middle-finger", "ring-finger", "pinky-finger"})
    expect_fingers(
        character.skeleton, hierarchy, finger,
        {"phalanx-distal", "phalanx-intermediate", "phalanx-proximal", "metacarpal", "wrist"});
  expect_fingers(character.skeleton, hierarchy, "thumb",
                 {"phalanx-distal", "phalanx-proximal", "metacarpal", "wrist"});
}

TEST(EffectiveHierarchy, ForkIsNotFlat) {
  const Character character = make_boxed_character({{"Chest", -1, {0, 0, 0}},
                                                    {"Neck", 0, {0, 1, 0}},
                                                    {"Arm.L", 0, {1, 0, 0}},
                                                    {"Arm.R", 0, {-1, 0, 0}}},
                                                   {-1, -1, -1}, {1, 1, 1});
  EXPECT_TRUE(find_effective_hierarchy(character, all_deform(4)).rehung.empty());
}

TEST(EffectiveSkeleton, DeformingBonesHangOnDeformingOnesAndOthersOnNothing) {
  const Skeleton skeleton = make_skeleton({{"Root", -1, {0, 0, 0}},
                                           {"Hip", 0, {0, 1, 0}},
                                           {"Twist", 1, {0, 2, 0}},
                                           {"Knee", 2, {0, 3, 0}},
                                           {"Knee_end", 3, {0, 4, 0}},
                                           {"Pole", 3, {2, 3, 0}}});
  std::vector<BoneRole> roles = all_deform(6);
  for (const std::size_t control : {0, 2, 4, 5}) roles[control].deforms = false;
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  const Skeleton effective = effective_skeleton(skeleton, roles, hierarchy);
  EXPECT_EQ(effective.bone(1).parent, -1);
  EXPECT_EQ(effective.bone(3).parent, 1);
  ASSERT_EQ(effective.segments().size(), 2u);
  EXPECT_EQ(effective.segments()[0].bone, 1);
  EXPECT_EQ(effective.segments()[0].tail, Vec3(0, 3, 0));
  EXPECT_EQ(effective.segments()[1].bone, 3);
  EXPECT_EQ(effective.segments()[1].tail, Vec3(0, 4, 0)) << "the end of the chain is its tail";
  for (const std::size_t control : {0, 2, 4, 5}) {
    EXPECT_EQ(effective.bones()[control].parent, -1);
    EXPECT_EQ(effective.bones()[control].deforms, false);
    EXPECT_EQ(effective.bones()[control].name, skeleton.bones()[control].name);
  }
}

}  // namespace
}  // namespace sinew::test
