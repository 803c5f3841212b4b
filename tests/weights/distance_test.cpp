// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/distance.h"

#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

SkinWeights weigh(const Skeleton& bare, const Mesh& mesh) {
  const Skeleton skeleton =
      guess_leaf_tails(bare, mesh, SkinWeights(mesh.vertex_count(), bare.bone_count())).skeleton;
  const PreparedMesh prepared = prepare_mesh(mesh);
  const BoneSegments bones(skeleton, prepared.frame);
  return distance_weights(prepared, skeleton, bones, find_bone_cells(prepared, bones));
}

TEST(Distance, WeightsAreInverseFourthPowersOfDistances) {
  // A point 0.3 beside the thigh, and from the shin by the diagonal to the joint.
  MeshData data = test::limb_data();
  data.positions.emplace_back(0.3, 0.6, 0);
  const Character character = test::limb_character(data);
  const SkinWeights weights = weigh(character.skeleton, character.mesh);
  const double to_thigh = 0.3;
  const double to_shin = std::hypot(0.3, 0.4);
  const double expected = std::pow(to_shin, -4) / (std::pow(to_shin, -4) + std::pow(to_thigh, -4));
  const auto row = weights.row(data.positions.size() - 1);
  ASSERT_EQ(row.size(), 2u);
  EXPECT_NEAR(row[1].weight, expected, 1e-12);
}

TEST(Distance, ThreeBonesAtAJointAndTwoElsewhere) {
  // A chain of four bones up the limb; around a joint the next but one counts too.
  const Skeleton skeleton = test::make_skeleton(
      {{"a", -1, {0, 0, 0}}, {"b", 0, {0, 0.6, 0}}, {"c", 1, {0, 1.2, 0}}, {"d", 2, {0, 1.8, 0}}});
  MeshData data = test::limb_data({8, 41, 0.2, 2});
  const SkinWeights weights = weigh(skeleton, test::make_mesh(data));
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    const Vec3& position = data.positions[v];
    if (position.y() < 0.55 || position.y() > 1.15) continue;  // bone b: between both its joints
    double to_joint = std::numeric_limits<double>::infinity();
    for (const double joint : {0.6, 1.2})
      to_joint = std::min(to_joint, (position - Vec3(0, joint, 0)).norm());
    if (std::abs(to_joint - 0.3) < 1e-3 || position.y() < 0.61) continue;  // on a border
    EXPECT_EQ(weights.row(v).size(), to_joint < 0.3 ? 3u : 2u) << position.transpose();
  }
}

TEST(Distance, OtherLegIsNeverMovedHoweverNear) {
  // Two legs side by side under one hip: the right leg's bone is nearer to the left leg's skin
  // than the hip is.
  const Skeleton skeleton = test::make_skeleton({{"hip", -1, {0, 2.5, 0}},
                                                 {"thigh.l", 0, {-0.25, 2, 0}},
                                                 {"shin.l", 1, {-0.25, 1, 0}},
                                                 {"thigh.r", 0, {0.25, 2, 0}},
                                                 {"shin.r", 3, {0.25, 1, 0}}});
  MeshData left = test::limb_data();
  MeshData right = test::limb_data();
  for (Vec3& position : left.positions) position.x() -= 0.25;
  for (Vec3& position : right.positions) position.x() += 0.25;
  const std::size_t left_count = left.positions.size();
  const Mesh mesh = test::make_mesh(test::together(left, right));
  const SkinWeights weights = weigh(skeleton, mesh);
  for (std::size_t v = 0; v < left_count; ++v) {
    if (mesh.positions()[v].y() > 1.8) continue;  // nearest to the hip, which meets both legs
    for (const Influence& influence : weights.row(v))
      EXPECT_LT(influence.bone, 3u) << v << ": neither thigh nor shin of the right leg";
  }
}

TEST(Distance, EveryVertexOfTheZooIsWeighted) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Character character = test::limb_character(zoo.mesh.data());
    EXPECT_EQ(weigh(character.skeleton, character.mesh).unweighted_count(), 0u) << zoo.name;
  }
}

}  // namespace
}  // namespace sinew
