// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

// What holds for every deformer, checked on all of them with every kernel that this processor has.
#include <tuple>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/linear_blend.h"
#include "support/deform_scene.h"
#include "support/reference_deform.h"

namespace sinew::test {
namespace {

// Coordinates are of the order of one, and a blend is some tens of float operations on them.
constexpr double kFloatTolerance = 3e-6;

using Case = std::tuple<Method, DeformKernel>;

class Deformers : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!is_available(kernel())) GTEST_SKIP() << "this processor lacks the instructions";
  }
  [[nodiscard]] Method method() const { return std::get<0>(GetParam()); }
  [[nodiscard]] DeformKernel kernel() const { return std::get<1>(GetParam()); }
  [[nodiscard]] DeformOptions options() const { return {DeformOptions::Threads::many, kernel()}; }
  [[nodiscard]] Deformed run(const DeformScene& scene, std::span<const Affine3> bones) const {
    return deform(method(), scene, bones, options());
  }
  [[nodiscard]] ReferenceDeform reference(const DeformScene& scene,
                                          std::span<const Affine3> bones) const {
    return method() == Method::linear
               ? reference_linear_blend(scene.weights, bones, scene.positions, scene.normals)
               : reference_dual_quaternion_blend(scene.weights, bones, scene.positions,
                                                 scene.normals);
  }
};

void expect_near(const ReferenceDeform& expected, const Deformed& actual) {
  ASSERT_EQ(actual.positions.size(), 3 * expected.positions.size());
  ASSERT_EQ(actual.normals.size(), 3 * expected.normals.size());
  for (std::size_t v = 0; v < expected.positions.size(); ++v) {
    const Vec3 miss = point_at(actual.positions, v) - expected.positions[v];
    ASSERT_LT(miss.norm(), kFloatTolerance) << "position of vertex " << v;
  }
  for (std::size_t v = 0; v < expected.normals.size(); ++v) {
    const Vec3 miss = point_at(actual.normals, v) - expected.normals[v];
    ASSERT_LT(miss.norm(), 10 * kFloatTolerance) << "normal of vertex " << v;
  }
}

TEST_P(Deformers, RigidMotionOfAllBonesMovesTheMeshRigidly) {
  const DeformScene scene = random_scene(203, 7, 6, 1);
  const Affine3 motion = random_rigid(5);
  const Deformed out = run(scene, std::vector(7, motion));
  for (std::size_t v = 0; v < scene.positions.size(); ++v) {
    if (scene.weights.row(v).empty()) continue;
    const Vec3 moved = motion * scene.positions[v], turned = motion.linear() * scene.normals[v];
    EXPECT_LT((point_at(out.positions, v) - moved).norm(), kFloatTolerance);
    EXPECT_LT((point_at(out.normals, v) - turned).norm(), kFloatTolerance);
  }
}

TEST_P(Deformers, BonesAtRestLeaveTheMeshWhereItIs) {
  const DeformScene scene = random_scene(100, 7, 6, 2);
  const Deformed out = run(scene, std::vector(7, Affine3(Affine3::Identity())));
  for (std::size_t v = 0; v < scene.positions.size(); ++v) {
    EXPECT_LT((point_at(out.positions, v) - scene.positions[v]).norm(), 5e-7);
    EXPECT_LT((point_at(out.normals, v) - scene.normals[v]).norm(), 5e-7);
  }
}

TEST_P(Deformers, AVertexWithoutWeightsKeepsItsBits) {
  const DeformScene scene = random_scene(100, 7, 6, 3);
  const Deformed out = run(scene, random_bones(7, random_rigid));
  const std::vector<float> before = to_floats(scene.positions);
  ASSERT_GT(scene.weights.unweighted_count(), 0u);
  for (std::size_t v = 0; v < scene.positions.size(); ++v)
    if (scene.weights.row(v).empty()) {
      EXPECT_EQ(point_at(out.positions, v), point_at(before, v));
      EXPECT_LT((point_at(out.normals, v) - scene.normals[v]).norm(), 2e-7);
    }
}

TEST_P(Deformers, AgreeWithTheReferenceForEveryNumberOfInfluences) {
  for (std::size_t influences = 1; influences <= 9; ++influences) {
    const DeformScene scene = random_scene(157, 12, influences, static_cast<unsigned>(influences));
    const std::vector<Affine3> bones = random_bones(12, random_rigid);
    SCOPED_TRACE(influences);
    expect_near(reference(scene, bones), run(scene, bones));
  }
}

TEST_P(Deformers, AgreeWithTheReferenceForBonesThatScaleAndShear) {
  for (const std::size_t influences : {1u, 2u, 3u, 4u, 8u}) {
    const DeformScene scene = random_scene(100, 12, influences, 77);
    const std::vector<Affine3> bones = random_bones(12, random_affine);
    SCOPED_TRACE(influences);
    expect_near(reference(scene, bones), run(scene, bones));
  }
}

TEST_P(Deformers, AgreeWithTheReferenceForMirroredBones) {
  const DeformScene scene = random_scene(64, 4, 1, 78);
  std::vector<Affine3> bones = random_bones(4, random_affine);
  for (Affine3& bone : bones) bone.linear().col(0) *= -1;
  expect_near(reference(scene, bones), run(scene, bones));
}

TEST_P(Deformers, OneBoneAloneIsExactlyItsMap) {
  const DeformScene scene = random_scene(64, 5, 1, 79);
  const std::vector<Affine3> bones = random_bones(5, random_affine);
  const Deformed out = run(scene, bones);
  for (std::size_t v = 0; v < scene.positions.size(); ++v) {
    if (scene.weights.row(v).empty()) continue;
    const Affine3& bone = bones[scene.weights.row(v)[0].bone];
    EXPECT_LT((point_at(out.positions, v) - bone * scene.positions[v]).norm(), kFloatTolerance);
  }
}

TEST_P(Deformers, NormalsStayUnitWhateverTheBonesDo) {
  const DeformScene scene = random_scene(200, 9, 5, 4);
  const Deformed out = run(scene, random_bones(9, random_affine));
  for (std::size_t v = 0; v < scene.normals.size(); ++v)
    EXPECT_NEAR(point_at(out.normals, v).norm(), 1, 1e-6);
}

TEST_P(Deformers, NormalsStayOrthogonalToTheSurfaceUnderAnyAffineMapOfTheWhole) {
  DeformScene scene = two_bone_cylinder();
  const Deformed out = run(scene, std::vector(2, random_affine(6)));
  const std::size_t around = 24;
  for (std::size_t v = 0; v + around < scene.positions.size(); ++v) {
    const Vec3 up = point_at(out.positions, v + around) - point_at(out.positions, v);
    EXPECT_NEAR(point_at(out.normals, v).dot(up.normalized()), 0, 1e-4);
  }
}

TEST_P(Deformers, ThreadsDoNotChangeABit) {
  const DeformScene scene = random_scene(20011, 30, 5, 8);
  const std::vector<Affine3> bones = random_bones(30, random_rigid);
  const Deformed alone = deform(method(), scene, bones, {DeformOptions::Threads::one, kernel()});
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    EXPECT_EQ(run(scene, bones), alone) << threads << " threads";
  }
}

TEST_P(Deformers, PositionsAloneAreTheSameBitsAsWithNormals) {
  DeformScene scene = random_scene(61, 30, 4, 9);
  const std::vector<Affine3> bones = random_bones(30, random_rigid);
  const Deformed with_normals = run(scene, bones);
  scene.normals.clear();
  EXPECT_EQ(run(scene, bones).positions, with_normals.positions);
}

TEST_P(Deformers, EveryLengthIsFilledToTheLastVertexAndNoFarther) {
  const std::vector<Affine3> bones = random_bones(5, random_rigid);
  for (std::size_t count = 0; count <= 26; ++count) {
    const DeformScene scene = random_scene(count, 5, 4, 10);
    const PackedInfluences influences = *PackedInfluences::create(scene.weights);
    const std::vector<float> positions = to_floats(scene.positions);
    std::vector<float> out(3 * count + 4, -77.0f);
    const DeformSpans spans{positions, {}, std::span(out).first(3 * count), {}};
    if (method() == Method::linear)
      linear_blend(influences, BoneMatrices(bones), spans, options());
    else
      dual_quaternion_blend(influences, BoneDualQuaternions(bones), spans, options());
    for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(out[k] == -77.0f, k >= 3 * count);
  }
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  const auto [method, kernel] = info.param;
  return std::string(method == Method::linear ? "Linear" : "Dual") +
         (kernel == DeformKernel::baseline ? "Baseline" : "Avx2");
}

INSTANTIATE_TEST_SUITE_P(All, Deformers,
                         ::testing::Combine(::testing::Values(Method::linear, Method::dual),
                                            ::testing::Values(DeformKernel::baseline,
                                                              DeformKernel::avx2)),
                         case_name);

}  // namespace
}  // namespace sinew::test
