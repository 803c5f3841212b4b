// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/joint_motions.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/arap/spine_motions.h"
#include "sinew/model/joint_displacements.h"
#include "sinew/model/pose.h"
#include "support/checked.h"

namespace sinew {
namespace {

constexpr double kExact = 1e-10;  // metres, of skeletons of some metres

Vec3 random_vector(Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

struct Case {
  std::string name;
  Skeleton skeleton;
};

Skeleton made(const std::vector<std::pair<int, Vec3>>& placed, const std::vector<int>& spines = {},
              const std::vector<int>& stated_tails = {}) {
  std::vector<Bone> bones;
  for (const auto& [parent, head] : placed) {
    Bone& bone = bones.emplace_back();
    bone.parent = parent;
    bone.rest.translation() = head;
  }
  for (const int spine : spines) bones[static_cast<std::size_t>(spine)].kind = BoneKind::spine;
  for (const int bone : stated_tails)
    for (const Bone& child : bones)
      if (child.parent == bone) bones[static_cast<std::size_t>(bone)].tail = child.head();
  return test::checked(Skeleton::create(std::move(bones)));
}

std::vector<Case> cases() {
  const std::vector<std::pair<int, Vec3>> chain{
      {-1, {0, 0, 0}}, {0, {0, 1, 0}}, {1, {0.2, 2, 0}}, {2, {0.2, 3, 0.4}}};
  std::vector<std::pair<int, Vec3>> branching = chain;
  branching.insert(branching.end(), {{1, {0.7, 1.5, 0}}, {4, {1.5, 1.4, 0}}, {1, {0.2, 2, 0}}});
  std::vector<std::pair<int, Vec3>> pieces = branching;
  pieces.insert(pieces.end(),
                {{-1, {2, 1.4, 0}}, {7, {3, 1.3, 0.1}}, {-1, {-1, 1, 1}}, {9, {-2, 1, 0.8}}});
  return {{"chain", made(chain)},
          {"branching", made(branching)},
          {"pieces", made(pieces)},
          {"children_before_parents", made({{1, {0, 2, 0}}, {2, {0, 1, 0}}, {-1, {0, 0, 0}}})},
          {"spines", made(chain, {0, 2})},
          {"spine_with_several_children", made(branching, {1}, {1})},
          {"spines_in_pieces", made(pieces, {1, 4, 7}, {4})}};
}

/// Every joint elsewhere; bones that start at one place together.
struct Displaced {
  std::vector<Vec3> per_joint;
  std::vector<Vec3> per_bone;
};
Displaced displace(const SkeletonJoints& joints, Random& random) {
  Displaced displaced;
  for (std::size_t k = 0; k < joints.joints.size(); ++k)
    displaced.per_joint.push_back(random_vector(random, 0.3));
  displaced.per_bone = joints.per_bone(displaced.per_joint);
  return displaced;
}

Pose random_pose(const Skeleton& skeleton, Random& random) {
  Pose pose = Pose::rest(skeleton);
  for (std::size_t j = 0; j < pose.bones.size(); ++j) {
    pose.bones[j].rotation =
        Quat(Eigen::AngleAxisd(random.uniform(-1, 1), random_vector(random, 1).normalized()));
    if (skeleton.bones()[j].kind != BoneKind::rigid)
      pose.bones[j].bend = SpineBend{random_vector(random, 1).normalized(),
                                     random.uniform(-1.5, 1.5), random.uniform(0.7, 1.6)};
  }
  return pose;
}

/// What each component is moved by, so that its root is where it is in another exemplar.
std::vector<Vec3> to_roots(const SkeletonJoints& joints, const SampledPose& from,
                           const SampledPose& to) {
  std::vector<Vec3> result(joints.component_count, Vec3::Zero());
  for (std::size_t j = 0; j < joints.bone_count(); ++j)
    if (joints.parent[j] < 0)
      result[static_cast<std::size_t>(joints.component[j])] =
          to.transforms[j].translation() - from.transforms[j].translation();
  return result;
}

SampledPose posed(const Skeleton& skeleton, const Pose& pose) {
  PosedBones bones = pose_bones(skeleton, pose);
  return {std::move(bones.transforms), std::move(bones.spines)};
}

TEST(JointMotions, MovingJointsGivesTheExemplarThatForwardKinematicsBuilds) {
  Random random(1);
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const SkeletonJoints joints = find_joints(each.skeleton);
    for (int n = 0; n < 5; ++n) {
      const Pose pose = random_pose(each.skeleton, random);
      const Displaced displaced = displace(joints, random);
      const SampledPose before = posed(each.skeleton, pose);
      const SampledPose expected =
          posed(with_joints_moved(each.skeleton, displaced.per_bone), pose);
      const SampledPose moved = with_joints_moved(before, joints, displaced.per_joint,
                                                  to_roots(joints, before, expected));
      for (std::size_t j = 0; j < joints.bone_count(); ++j) {
        EXPECT_LT((moved.transforms[j].matrix() - expected.transforms[j].matrix()).norm(), kExact)
            << "bone " << j;
        if (!moved.spines.empty()) {
          EXPECT_EQ(moved.spines[j].base.matrix(), moved.transforms[j].matrix());
        }
      }
    }
  }
}

TEST(JointMotions, BonesThatHangElsewhereThanInTheFileStayConnectedThere) {
  const Skeleton file =
      made({{-1, {0, 0, 0}}, {0, {0, 1, 0}}, {1, {0, 2, 0.3}}, {0, {0.1, 3, 0}}, {3, {0, 3.5, 0}}});
  const std::vector<int> hangs_on{-1, 0, 1, 2, 3};  // the fourth on the third
  const Skeleton effective =
      made({{-1, {0, 0, 0}}, {0, {0, 1, 0}}, {1, {0, 2, 0.3}}, {2, {0.1, 3, 0}}, {3, {0, 3.5, 0}}});
  const SkeletonJoints joints = find_joints(file, hangs_on);
  Random random(2);
  const Pose pose = random_pose(effective, random);
  const Displaced displaced = displace(joints, random);
  const SampledPose before = posed(effective, pose);
  const SampledPose expected = posed(with_joints_moved(effective, displaced.per_bone), pose);
  const SampledPose moved =
      with_joints_moved(before, joints, displaced.per_joint, to_roots(joints, before, expected));
  for (std::size_t j = 0; j < joints.bone_count(); ++j)
    EXPECT_LT((moved.transforms[j].matrix() - expected.transforms[j].matrix()).norm(), kExact);
}

TEST(JointMotions, TheRelationSaysWhatMovingJointsDoesToBonesAndToPointsOfSpines) {
  Random random(3);
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const SkeletonJoints joints = find_joints(each.skeleton);
    const Pose pose = random_pose(each.skeleton, random);
    const Displaced displaced = displace(joints, random);
    const SampledPose before = posed(each.skeleton, pose);
    const SampledPose after = with_joints_moved(before, joints, displaced.per_joint);
    const SkeletonJoints joints_after =
        find_joints(with_joints_moved(each.skeleton, displaced.per_bone));
    std::vector<SpinePoint> points;
    for (std::size_t j = 0; j < joints.bone_count(); ++j)
      if (joints.spines[j])
        for (const double u : {0.0, 0.4, 1.0}) points.push_back({static_cast<int>(j), u});
    const JointRelation relation = relate_joints(joints, {&before, 1}, points);

    std::vector<Vec3> shifts(joints.bone_count() + points.size(), Vec3::Zero());
    for (const JointEffect& effect : relation.effects)
      for (const int motion : effect.motions)
        shifts[static_cast<std::size_t>(motion)] +=
            effect.factors[0] * displaced.per_joint[static_cast<std::size_t>(effect.joint)];
    for (std::size_t j = 0; j < joints.bone_count(); ++j)
      EXPECT_LT((before.transforms[j].translation() + shifts[j] - after.transforms[j].translation())
                    .norm(),
                kExact);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto bone = static_cast<std::size_t>(points[p].bone);
      const Affine3 was =
          spine_transform(joints.spines[bone]->rest, before.spines[bone], points[p].u);
      const Affine3 is =
          spine_transform(joints_after.spines[bone]->rest, after.spines[bone], points[p].u);
      EXPECT_LT((was.translation() + shifts[joints.bone_count() + p] - is.translation()).norm(),
                kExact);
    }
  }
}

TEST(JointMotions, BonesThatStartAtOnePlaceShareAJoint) {
  const SkeletonJoints joints =
      find_joints(made({{-1, {0, 0, 0}}, {0, {0, 1, 0}}, {0, {0, 1, 0}}, {1, {1, 1, 0}}}));
  EXPECT_EQ(joints.joints.size(), 3u);
  EXPECT_EQ(joints.joint[1], joints.joint[2]);
  EXPECT_EQ(joints.component_count, 1u);
  EXPECT_DOUBLE_EQ(joints.joints[static_cast<std::size_t>(joints.joint[1])].shortest, 1);
}

TEST(JointMotions, JointsThatAClipPullsApartStayAsFarApart) {
  const Skeleton skeleton = made({{-1, {0, 0, 0}}, {0, {0, 1, 0}}, {1, {0, 2, 0}}});
  const SkeletonJoints joints = find_joints(skeleton);
  Random random(4);
  Pose pose = random_pose(skeleton, random);
  pose.bones[1].translation = {0.3, 0.2, -0.1};
  const SampledPose before = posed(skeleton, pose);
  const Displaced displaced = displace(joints, random);
  const SampledPose after = with_joints_moved(before, joints, displaced.per_joint);
  const auto gap = [](const SampledPose& exemplar, const Vec3& head) {
    return Vec3(exemplar.transforms[1] * head - exemplar.transforms[0] * head);
  };
  const Vec3 head = skeleton.bone(1).head();
  EXPECT_LT((gap(before, head) - gap(after, head + displaced.per_bone[1])).norm(), kExact);
  EXPECT_GT(gap(before, head).norm(), 0.1);
}

TEST(JointDisplacements, StatedTailsMoveWithTheChildrenThatStartThereAndOthersStay) {
  std::vector<Bone> bones(3);
  bones[0].tail = Vec3(0, 1, 0);
  bones[1].parent = 0;
  bones[1].rest.translation() = Vec3(0, 1, 0);
  bones[1].tail = Vec3(0, 1.5, 0);
  bones[2].parent = 1;
  bones[2].rest.translation() = Vec3(0, 2, 0);
  const Skeleton skeleton = test::checked(Skeleton::create(bones));
  const std::vector<Vec3> displacements{{0.1, 0, 0}, {0, 0, 0.2}, {0.3, 0, 0}};
  const Skeleton moved = with_joints_moved(skeleton, displacements);
  EXPECT_EQ(moved.bone(0).head(), Vec3(0.1, 0, 0));
  EXPECT_EQ(*moved.bone(0).tail, Vec3(0, 1, 0.2));
  EXPECT_EQ(*moved.bone(1).tail, Vec3(0, 1.5, 0));
  EXPECT_EQ(moved.bone(2).head(), Vec3(0.3, 2, 0));
}

}  // namespace
}  // namespace sinew
