// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/leaf_tails.h"

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
  const GuessedTails tails = guess_leaf_tails(skeleton, checked(Mesh::create(data)));
  return *tails.skeleton.bones().back().tail;
}

TEST(LeafTails, PointAlongTheAxisThatTheFileKeepsTo) {
  const MeshData box = box_data({-1, -1, -1}, {5, 3, 1});
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(4), box) - Vec3(4, 3, 0)).norm(), 0.02);
}

TEST(LeafTails, TwoBonesAreNoCustom) {
  const MeshData box = box_data({-1, -1, -1}, {5, 3, 1});
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(2), box) - Vec3(5, 0, 0)).norm(), 0.02)
      << "along the parent instead";
}

TEST(LeafTails, EndWhereTheRayLeavesWhatTheJointLiesIn) {
  MeshData body = box_data({-1, -1, -1}, {5, 3, 1});
  body = together(std::move(body), box_data({3, 5, -1}, {5, 7, 1}));  // beyond a wide gap
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(4), body) - Vec3(4, 3, 0)).norm(), 0.02);
}

TEST(LeafTails, GoOnIntoAPartThatTouches) {
  MeshData body = box_data({-1, -1, -1}, {5, 3, 1});
  body = together(std::move(body), box_data({3, 2.5, -1}, {5, 7, 1}));
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(4), body) - Vec3(4, 7, 0)).norm(), 0.03);
}

TEST(LeafTails, AnInsideOutMeshIsTheSame) {
  const MeshData box = inside_out(box_data({-1, -1, -1}, {5, 3, 1}));
  EXPECT_LT((tail_of_last(chain_with_a_leaf_that_looks_up(4), box) - Vec3(4, 3, 0)).norm(), 0.02);
}

TEST(LeafTails, EndBeforeAnotherBone) {
  std::vector<Bone> bones = chain_with_a_leaf_that_looks_up(4).bones();
  Bone across;
  across.name = "across";
  across.rest.translation() = Vec3(2, 2, 0);
  across.tail = Vec3(6, 2, 0);
  bones.insert(bones.begin(), across);
  for (std::size_t b = 2; b < bones.size(); ++b) ++bones[b].parent;
  bones[1].parent = -1;
  const Vec3 tail =
      tail_of_last(checked(Skeleton::create(std::move(bones))), box_data({-1, -1, -1}, {7, 6, 1}));
  EXPECT_GT(tail.y(), 1);
  EXPECT_LT(tail.y(), 2) << "what is there is the other's";
}

TEST(LeafTails, MirroredJointsHaveMirroredTails) {
  const MeshData limb = limb_data({.sides = 10, .rings = 9});
  std::vector<Bone> bones(3);
  bones[0].rest.translation() = Vec3(0, 0.5, 0);
  for (int side : {1, 2}) {
    Bone& leaf = bones[static_cast<std::size_t>(side)];
    leaf.parent = 0;
    leaf.rest.translation() = Vec3(side == 1 ? 0.03 : -0.03, 1.1, 0.02);
  }
  const GuessedTails tails =
      guess_leaf_tails(checked(Skeleton::create(std::move(bones))), checked(Mesh::create(limb)));
  Vec3 image = *tails.skeleton.bone(1).tail;
  image.x() = -image.x();
  EXPECT_LT((image - *tails.skeleton.bone(2).tail).norm(), 1e-9);
}

}  // namespace
}  // namespace sinew::test
