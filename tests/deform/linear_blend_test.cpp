// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/linear_blend.h"

#include <gtest/gtest.h>

#include "support/deform_scene.h"

namespace sinew::test {
namespace {

SkinWeights two_bone_weights(std::size_t vertices, double second) {
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < vertices; ++v) {
    influences.push_back({0, 1 - second});
    influences.push_back({1, second});
    row_begin.push_back(influences.size());
  }
  return SkinWeights::mend(2, std::move(row_begin), std::move(influences));
}

TEST(LinearBlend, IsLinearInTheWeights) {
  DeformScene scene = random_scene(50, 2, 1, 1);
  const std::vector<Affine3> bones = random_bones(2, random_affine);
  scene.weights = two_bone_weights(50, 0.25);
  const Deformed quarter = deform(Method::linear, scene, bones);
  scene.weights = two_bone_weights(50, 0.75);
  const Deformed three_quarters = deform(Method::linear, scene, bones);
  scene.weights = two_bone_weights(50, 0.5);
  const Deformed half = deform(Method::linear, scene, bones);
  for (std::size_t k = 0; k < half.positions.size(); ++k)
    EXPECT_NEAR(half.positions[k], (quarter.positions[k] + three_quarters.positions[k]) / 2, 1e-6);
}

TEST(LinearBlend, ANormalThatCancelsOutIsZeroAndNotNan) {
  DeformScene scene = random_scene(8, 2, 1, 2);
  for (Vec3& normal : scene.normals) normal = Vec3::UnitX();
  scene.weights = two_bone_weights(8, 0.5);
  std::vector<Affine3> bones(2, Affine3::Identity());
  bones[1].linear() = Eigen::Vector3d(-1, -1, 1).asDiagonal();
  const Deformed out = deform(Method::linear, scene, bones);
  for (const float n : out.normals) EXPECT_EQ(n, 0);
}

TEST(LinearBlend, ABoneScaledToNothingGivesFiniteResults) {
  const DeformScene scene = random_scene(40, 3, 3, 3);
  std::vector<Affine3> bones = random_bones(3, random_rigid);
  bones[1].linear().setZero();
  const Deformed out = deform(Method::linear, scene, bones);
  for (const float x : out.positions) EXPECT_TRUE(std::isfinite(x));
  for (const float x : out.normals) EXPECT_TRUE(std::isfinite(x));
}

TEST(LinearBlend, RigidBonesNeedNoNormalMatrices) {
  EXPECT_TRUE(BoneMatrices(random_bones(5, random_rigid)).normal_matrices().empty());
  EXPECT_EQ(BoneMatrices(random_bones(5, random_affine)).normal_matrices().size(), 6u);
}

TEST(PackedInfluences, WeightsOfEveryVertexSumToOneWithinAFloatAndTheStrongestIsFirst) {
  const DeformScene scene = random_scene(333, 20, 9, 4);
  const PackedInfluences packed = *PackedInfluences::create(scene.weights);
  for (std::size_t b = 0; b < packed.block_count(); ++b) {
    const PackedInfluences::Block block = packed.block(b);
    for (std::size_t v = 0; v < PackedInfluences::kBlockSize; ++v) {
      double sum = 0;
      for (std::size_t s = 0; s < block.slots; ++s) {
        sum += block.weights[v * block.slots + s];
        EXPECT_GE(block.weights[v * block.slots] + 1e-6f, block.weights[v * block.slots + s]);
      }
      EXPECT_NEAR(sum, 1, 6e-8);
    }
  }
}

TEST(PackedInfluences, ARegionOfOneBoneCostsOneSlotAlthoughAnotherNeedsFive) {
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (std::uint32_t v = 0; v < 16; ++v) {
    for (std::uint32_t b = 0; b < (v == 12 ? 5u : 1u); ++b) influences.push_back({b, 1});
    row_begin.push_back(influences.size());
  }
  const PackedInfluences packed =
      *PackedInfluences::create(SkinWeights::mend(5, row_begin, influences));
  EXPECT_EQ(packed.block(0).slots, 1u);
  EXPECT_EQ(packed.block(1).slots, 5u);
}

TEST(PackedInfluences, MoreBonesThanSixteenBitsAreRefused) {
  const auto packed = PackedInfluences::create(SkinWeights(1, 65536));
  ASSERT_FALSE(packed.ok());
  EXPECT_EQ(packed.error().code, ErrorCode::too_large);
  EXPECT_TRUE(PackedInfluences::create(SkinWeights(1, 65535)).ok());
}

}  // namespace
}  // namespace sinew::test
