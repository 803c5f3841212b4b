// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/spine_blend.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/core/threads.h"
#include "sinew/model/pose.h"
#include "sinew/rig/spine_parameters.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

constexpr double kRounding = 1e-13;

/// A tube of two units on a hip, a spine and a chest, weights blended over all of it.
struct Torso {
  Mesh mesh = make_mesh(limb_data({24, 120, 0.2, 2}));
  Skeleton skeleton;
  SkinWeights weights;
  std::vector<SpineBone> spines;

  explicit Torso(BoneKind kind) {
    std::vector<Bone> bones =
        make_skeleton(
            {{"Hip", -1, {0, 0, 0}}, {"Spine", 0, {0, 0.5, 0}}, {"Chest", 1, {0, 1.5, 0}}})
            .bones();
    bones[1].kind = kind;
    skeleton = *Skeleton::create(bones);
    std::vector<std::vector<Influence>> rows;
    for (const Vec3& p : mesh.positions()) {
      const double hip = std::clamp(0.75 - p.y(), 0.0, 1.0);
      const double chest = std::clamp(p.y() - 1.25, 0.0, 1.0);
      rows.push_back({{0, hip}, {1, 1 - hip - chest}, {2, chest}});
    }
    rows.back().clear();
    weights = SkinWeights::from_rows(3, rows);
    const SpineRest rest = spine_segment(skeleton, 1)->rest;
    spines.push_back(make_spine_bone(1, rest, mesh.positions(), make_mesh_graph(mesh),
                                     linear_parameters(rest, mesh.positions())));
  }
};

Pose bent_pose(const Skeleton& skeleton, double angle_rad, double stretch) {
  Pose pose = Pose::rest(skeleton);
  pose.bones[0].rotation = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  pose.bones[1].rotation = Quat(Eigen::AngleAxisd(0.3, Vec3(0, 1, 1).normalized()));
  pose.bones[1].bend = SpineBend{Vec3(1, 0.5, -1).normalized(), angle_rad, stretch};
  pose.bones[2].rotation = Quat(Eigen::AngleAxisd(-0.6, Vec3::UnitX()));
  return pose;
}

TEST(SpineBlend, IsTheSumOverBonesOfWhatEachDoes) {
  for (const BoneKind kind : {BoneKind::spine, BoneKind::stretch_twist}) {
    const Torso torso(kind);
    const PosedBones posed = pose_bones(torso.skeleton, bent_pose(torso.skeleton, 1.4, 1.2));
    const std::vector<Vec3> deformed =
        deform_with_spines(torso.mesh.positions(), torso.weights, posed, torso.spines);
    for (std::size_t i = 0; i + 1 < deformed.size(); ++i) {
      const Vec3& v = torso.mesh.positions()[i];
      Vec3 expected = Vec3::Zero();
      for (const auto& [bone, weight] : torso.weights.row(i))
        expected +=
            weight * (bone == 1 ? Vec3(spine_transform(torso.spines[0].rest, posed.spines[1],
                                                       torso.spines[0].parameters[i]) *
                                       v)
                                : Vec3(posed.transforms[bone] * v));
      EXPECT_LT((deformed[i] - expected).norm(), kRounding);
    }
    EXPECT_EQ(deformed.back(), torso.mesh.positions().back());  // without weights
  }
}

TEST(SpineBlend, WithoutABendASpineIsARigidBoneToTheBit) {
  const Torso torso(BoneKind::spine);
  const PosedBones posed = pose_bones(torso.skeleton, bent_pose(torso.skeleton, 0, 1));
  const PosedBones rigid{posed.transforms, {}};
  EXPECT_EQ(deform_with_spines(torso.mesh.positions(), torso.weights, posed, torso.spines),
            deform_with_spines(torso.mesh.positions(), torso.weights, rigid, {}));
}

TEST(SpineBlend, ARigidMotionOfAllMovesTheMeshRigidly) {
  const Torso torso(BoneKind::spine);
  Pose pose = Pose::rest(torso.skeleton);
  pose.bones[0].rotation = Quat(Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()));
  pose.bones[0].translation = Vec3(1, 2, 3);
  const PosedBones posed = pose_bones(torso.skeleton, pose);
  const std::vector<Vec3> deformed =
      deform_with_spines(torso.mesh.positions(), torso.weights, posed, torso.spines);
  for (std::size_t i = 0; i + 1 < deformed.size(); ++i)
    EXPECT_LT((deformed[i] - posed.transforms[0] * torso.mesh.positions()[i]).norm(), kRounding);
}

TEST(SpineBlend, JacobiansAreWhatNeighboursSay) {
  // On the spine alone, away from its ends: there u is linear, and weights do not change.
  Torso torso(BoneKind::spine);
  torso.weights = rigid_weights(std::vector<int>(torso.mesh.vertex_count(), 1), 3);
  const PosedBones posed = pose_bones(torso.skeleton, bent_pose(torso.skeleton, 1.2, 1.3));
  const std::vector<Eigen::Matrix3d> jacobians =
      spine_blend_jacobians(torso.mesh.positions(), torso.weights, posed, torso.spines);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < jacobians.size(); i += 7) {
    const Vec3& v = torso.mesh.positions()[i];
    if (v.y() < 0.6 || v.y() > 1.4) continue;
    const auto moved = [&](const Vec3& p) -> Vec3 {
      const SpineRest& rest = torso.spines[0].rest;
      return spine_transform(rest, posed.spines[1], spine_parameter(rest, p)) * p;
    };
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 step = kStep * Vec3::Unit(axis);
      const Vec3 slope = (moved(v + step) - moved(v - step)) / (2 * kStep);
      EXPECT_LT((jacobians[i].col(axis) - slope).norm(), 1e-8);
    }
  }
}

TEST(SpineBlend, TheNumberOfThreadsDoesNotChangeABit) {
  const Torso torso(BoneKind::spine);
  const PosedBones posed = pose_bones(torso.skeleton, bent_pose(torso.skeleton, 2, 0.8));
  const std::vector<Vec3> many =
      deform_with_spines(torso.mesh.positions(), torso.weights, posed, torso.spines);
  const ThreadLimit one(1);
  EXPECT_EQ(deform_with_spines(torso.mesh.positions(), torso.weights, posed, torso.spines), many);
}

}  // namespace
}  // namespace sinew::test
