// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/pointed_tails.h"

#include <numbers>

#include <gtest/gtest.h>

#include "support/checked.h"
#include "support/mesh_zoo.h"
#include "support/solids.h"

namespace sinew::test {
namespace {

/// Joints one unit apart along +X whose local +Y points there too, and a leaf that hangs at the end
/// of the last: its own +Y points up.
Skeleton chain_with_a_leaf_that_looks_up(int joints) {
  std::vector<Bone> bones;
  for (int j = 0; j < joints; ++j) {
    Bone bone;
    bone.name = "chain" + std::to_string(j);
    bone.parent = j - 1;
    bone.rest =
        Eigen::Translation3d(j, 0, 0) * Eigen::AngleAxisd(-std::numbers::pi / 2, Vec3::UnitZ());
    bones.push_back(bone);
  }
  Bone leaf;
  leaf.name = "leaf";
  leaf.parent = joints - 1;
  leaf.rest = Affine3(Eigen::Translation3d(joints, 0, 0));
  bones.push_back(leaf);
  return checked(Skeleton::create(std::move(bones)));
}

Vec3 tail_of_last(const Skeleton& skeleton, const MeshData& data) {
  const GuessedTails tails = point_leaf_tails(skeleton, checked(Mesh::create(data)));
  return *tails.skeleton.bones().back().tail;
}

TEST(PointedTails, PointAlongTheAxisThatTheFileKeepsTo) {
  const MeshData box = box_data({-1, -1, -1}, {5, 3, 1});
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(4), box) - Vec3(4, 3, 0)).norm(), 0.02);
}

TEST(PointedTails, TwoBonesAreNoCustom) {
  const MeshData box = box_data({-1, -1, -1}, {5, 3, 1});
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(2), box) - Vec3(5, 0, 0)).norm(), 0.02)
      << "along the parent instead";
}

TEST(PointedTails, AnotherBoneBesideTheRayKeepsItsSkin) {
  // A belly whose ray runs up along a spine: what is up there is the spine's.
  std::vector<Bone> bones(4);
  bones[0].rest.translation() = Vec3(0, 0, 0);
  bones[1].parent = 0;
  bones[1].rest.translation() = Vec3(0, 1, 0);
  bones[1].tail = Vec3(0, 2, 0);
  bones[2].parent = 0;
  bones[2].rest.translation() = Vec3(0, 0.2, 0.15);
  bones[2].leaf_axis = Vec3::UnitY();
  bones[3].parent = 0;
  bones[3].rest.translation() = Vec3(0, -0.5, 0);
  bones[3].deforms = false;
  const MeshData limb = limb_data({.sides = 12, .rings = 41});
  const GuessedTails tails =
      point_leaf_tails(checked(Skeleton::create(std::move(bones))), checked(Mesh::create(limb)));
  EXPECT_LT(tails.skeleton.bone(2).tail->y(), 1.2);
  EXPECT_GT(tails.skeleton.bone(2).tail->y(), 0.3);
  EXPECT_FALSE(tails.skeleton.bone(3).tail) << "it does not deform";
}

TEST(PointedTails, MirroredJointsHaveMirroredTails) {
  const MeshData limb = limb_data({.sides = 10, .rings = 9});
  std::vector<Bone> bones(3);
  bones[0].rest.translation() = Vec3(0, 0.5, 0);
  for (int side : {1, 2}) {
    Bone& leaf = bones[static_cast<std::size_t>(side)];
    leaf.parent = 0;
    leaf.rest.translation() = Vec3(side == 1 ? 0.03 : -0.03, 1.1, 0.02);
  }
  const GuessedTails tails =
      point_leaf_tails(checked(Skeleton::create(std::move(bones))), checked(Mesh::create(limb)));
  Vec3 image = *tails.skeleton.bone(1).tail;
  image.x() = -image.x();
  EXPECT_LT((image - *tails.skeleton.bone(2).tail).norm(), 1e-9);
}

}  // namespace
}  // namespace sinew::test
