// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/mirror.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Mirror, NamesOfOneSideBecomeThoseOfTheOther) {
  for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
           {"Arm.L", "Arm.R"},
           {"arm_l", "arm_r"},
           {"L_eye", "R_eye"},
           {"LeftFoot", "RightFoot"},
           {"mixamorig:LeftHand", "mixamorig:RightHand"},
           {"LEFT_LEG", "RIGHT_LEG"},
           {"upper.left.001", "upper.right.001"},
           {"toe4-3.L", "toe4-3.R"},
           {"HandLeft", "HandRight"}}) {
    EXPECT_EQ(mirrored_name(left), right);
    EXPECT_EQ(mirrored_name(right), left);
  }
}

TEST(Mirror, NamesOfNoSideStay) {
  for (const std::string name : {"Spine", "Pelvis", "bright", "cleft_chin", "Root", "", "Neck1"})
    EXPECT_EQ(mirrored_name(name), name);
}

Bone bone(const std::string& name, int parent, const Vec3& head) {
  Bone made;
  made.name = name;
  made.parent = parent;
  made.rest.translation() = head;
  return made;
}

TEST(Mirror, BonesFindWhoIsCalledLikeThemOnTheOtherSide) {
  const Skeleton skeleton =
      *Skeleton::create({bone("Spine", -1, {0, 0, 0}), bone("Arm.L", 0, {1, 0, 0}),
                         bone("Hand.L", 1, {2, 0, 0}), bone("Arm.R", 0, {-1, 0, 0})});
  EXPECT_EQ(bones_of_mirrored_names(skeleton), (std::vector<int>{-1, 3, -1, 1}));
  const Skeleton numbered =
      *Skeleton::create({bone("LeftArm_010", -1, {1, 0, 0}), bone("RightArm_02", -1, {-1, 0, 0}),
                         bone("LeftToe_1", -1, {1, 0, 1}), bone("LeftToe_2", -1, {1, 0, 2}),
                         bone("RightToe_7", -1, {-1, 0, 1})});
  EXPECT_EQ(bones_of_mirrored_names(numbered), (std::vector<int>{1, 0, -1, -1, -1}))
      << "one of two toes would be a guess";
}

/// Two triangles on each side of x = 0.5, and one that has no image.
Mesh wings() {
  const std::vector<Vec3> positions{{0.5, 0, 0},  {0.5, 1, 0},  {1.5, 0, 0},  {1.5, 1, 0},
                                    {-0.5, 0, 0}, {-0.5, 1, 0}, {1.5, 3, 0.3}};
  const std::vector<Triangle> triangles{{0, 2, 1}, {2, 3, 1}, {0, 1, 4}, {4, 1, 5}, {3, 6, 2}};
  return *Mesh::create({positions, triangles, {}, {}});
}

TEST(Mirror, VerticesAndBonesFindTheirImages) {
  const Skeleton skeleton =
      *Skeleton::create({bone("Spine", -1, {0.5, 0, 0}), bone("Arm.L", 0, {1, 0.5, 0}),
                         bone("Arm.R", 0, {0, 0.5, 0})});
  const PreparedMesh prepared = prepare_mesh(wings());
  const std::optional<Mirror> mirror = find_mirror(prepared, skeleton);
  ASSERT_TRUE(mirror);
  EXPECT_EQ(mirror->axis, 0);
  EXPECT_EQ(mirror->bone, (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(mirror->vertex, (std::vector<int>{0, 1, 4, 5, 2, 3, -1}));
  EXPECT_EQ(mirror->vertices, 6u);
}

TEST(Mirror, NumbersOfAnExporterDoNotPartPartners) {
  const Skeleton skeleton = *Skeleton::create(
      {bone("b_Spine_01", -1, {0.5, 0, 0}), bone("b_RightArm_02", 0, {0, 0.5, 0}),
       bone("b_RightArm2_03", 1, {-0.25, 0.5, 0}), bone("b_LeftArm_010", 0, {1, 0.5, 0}),
       bone("b_LeftArm2_011", 3, {1.25, 0.5, 0})});
  const std::optional<Mirror> mirror = find_mirror(prepare_mesh(wings()), skeleton);
  ASSERT_TRUE(mirror);
  EXPECT_EQ(mirror->bone, (std::vector<int>{0, 3, 4, 1, 2}))
      << "by place where names leave it open";
}

TEST(Mirror, SkeletonsThatAreNotSymmetricHaveNone) {
  const Skeleton skeleton =
      *Skeleton::create({bone("Spine", -1, {0.5, 0, 0}), bone("Arm.L", 0, {1, 0.5, 0}),
                         bone("Arm.R", 0, {0.1, 0.9, 0})});
  EXPECT_FALSE(find_mirror(prepare_mesh(wings()), skeleton));
}

TEST(Mirror, OffIsOff) {
  const Skeleton skeleton =
      *Skeleton::create({bone("Spine", -1, {0.5, 0, 0}), bone("Arm.L", 0, {1, 0.5, 0}),
                         bone("Arm.R", 0, {0, 0.5, 0})});
  MirrorOptions options;
  options.choice = MirrorChoice::off;
  EXPECT_FALSE(find_mirror(prepare_mesh(wings()), skeleton, options));
}

}  // namespace
}  // namespace sinew
