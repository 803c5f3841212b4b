// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/spines.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "sinew/deform/spine_blend.h"
#include "sinew/weights/cap_influences.h"
#include "support/capsule_arm.h"
#include "support/checked.h"

namespace sinew {
namespace {

using test::capsule_arm;
using test::CapsuleArm;
using test::checked;
using test::kArm;
using test::kForeArm;
using test::kHand;

SpineRequest request_for(int bone, BoneKind kind, int joints = 8) {
  SpineRequest request;
  request.bone = bone;
  request.kind = kind;
  request.joints = joints;
  return request;
}

struct Job {
  Document document;
  LoadedCharacter loaded;
  std::vector<SpineRequest> requests;
  std::vector<SpineBone> bones;
  std::vector<PosedBones> poses;
};

Job job_for(const Character& character, std::vector<SpineRequest> requests) {
  Job job;
  job.document = checked(make_document(character));
  job.loaded = checked(read_characters(job.document)).front();
  job.loaded.character.skeleton = character.skeleton;  // with limits, which no file has said
  job.requests = std::move(requests);
  const Skeleton skeleton = checked(with_spines(character.skeleton, job.requests));
  job.bones = checked(spine_bones_of(job.loaded.character.mesh, skeleton, job.requests));
  job.poses = spine_poses(job.loaded.character, skeleton, job.requests);
  return job;
}

ConvertedSpines convert(Job& job, const SkinWeights& weights, int max_influences = 4) {
  return checked(convert_spines(job.document, job.loaded, weights, job.requests, job.bones,
                                job.poses, max_influences));
}

Character with_limits(Character character, int bone, const BoneLimits& limits) {
  std::vector<Bone> bones = character.skeleton.bones();
  bones[static_cast<std::size_t>(bone)].limits = limits;
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  return character;
}

TEST(Spines, ATighterToleranceTakesMoreJointsAndIsKept) {
  int last = 0;
  for (const double tolerance : {0.01, 0.005, 0.002}) {
    SpineRequest request = request_for(kForeArm, BoneKind::spine);
    request.tolerance_rel = tolerance;
    Job job = job_for(capsule_arm({.hand_bend_deg = 60}), {request});
    const ConvertedSpines converted = convert(job, job.loaded.character.weights);
    const SpineReport& spine = converted.spines[0];
    EXPECT_TRUE(spine.within_tolerance);
    EXPECT_LE(spine.deviation_rel, tolerance);
    EXPECT_GT(spine.joints, last);
    if (spine.joints > kFewestSpineJoints) {
      EXPECT_GT(
          spine_deviation(job.loaded.character.mesh.positions(), job.loaded.character.weights,
                          job.bones[0], job.poses, spine.joints - 1, spine.stretch,
                          bounding_box(job.loaded.character.mesh.positions()).diagonal().norm()),
          tolerance);
    }
    last = spine.joints;
  }
}

TEST(Spines, AToleranceThatNoRowMeetsIsToldOf) {
  SpineRequest request = request_for(kForeArm, BoneKind::spine);
  request.tolerance_rel = 1e-7;
  Job job = job_for(capsule_arm({.hand_bend_deg = 60}), {request});
  const ConvertedSpines converted = convert(job, job.loaded.character.weights);
  EXPECT_FALSE(converted.spines[0].within_tolerance);
  EXPECT_EQ(converted.spines[0].joints, kMostSpineJoints);
  ASSERT_FALSE(converted.notices.empty());
  EXPECT_EQ(converted.notices[0].code, "spine_tolerance");
}

TEST(Spines, AStretchIsByScaleKeysWhereTheSkinEndsWithTheBone) {
  BoneLimits limits;
  limits.bend_deg = {-5, 5};
  limits.stretch = {0.7, 1.5};
  Job job = job_for(with_limits(capsule_arm(), kForeArm, limits),
                    {request_for(kForeArm, BoneKind::stretch_twist, 4)});
  const ConvertedSpines converted = convert(job, job.loaded.character.weights);
  EXPECT_EQ(converted.spines[0].stretch, StretchBy::scale_keys);
  EXPECT_LT(converted.spines[0].deviation_rel, *converted.spines[0].other_deviation_rel);
}

TEST(Spines, AStretchIsByTranslationsWhereSkinSticksOutFarBeyondTheBone) {
  BoneLimits limits;
  limits.bend_deg = {-5, 5};
  limits.stretch = {0.7, 1.5};
  Job job = job_for(with_limits(capsule_arm(), kForeArm, limits),
                    {request_for(kForeArm, BoneKind::stretch_twist, 8)});
  // All of the hand's skin on the forearm too: half a bone's length of it sticks out.
  std::vector<std::vector<Influence>> rows;
  for (const Vec3& point : job.loaded.character.mesh.positions())
    rows.push_back({{static_cast<std::uint32_t>(point.x() < 0.3 ? kArm : kForeArm), 1}});
  const ConvertedSpines converted = convert(job, SkinWeights::from_rows(3, rows));
  EXPECT_EQ(converted.spines[0].stretch, StretchBy::translations);
  EXPECT_LT(converted.spines[0].deviation_rel, *converted.spines[0].other_deviation_rel);
}

/// How far the forearm turns from end to end in the poses that a request is judged on, degrees.
std::set<double> judged_deg(const Character& character, const SpineRequest& request) {
  const Skeleton skeleton = checked(with_spines(character.skeleton, {&request, 1}));
  std::set<double> angles;
  for (const PosedBones& pose : spine_poses(character, skeleton, {&request, 1}, 0))
    angles.insert(std::round(pose.spines[kForeArm].angle_rad * 180 / std::numbers::pi));
  return angles;
}

TEST(Spines, BonesAreJudgedAsFarAsTheyMayBendAndHelpersAsFarAsWhatTwistsThem) {
  BoneLimits limits;
  limits.bend_deg = {-30, 45};
  limits.twist_deg = {-5, 5};  // of the whole forearm on the arm: nothing that a row follows
  Character character = with_limits(capsule_arm(), kForeArm, limits);
  for (const BoneKind kind : {BoneKind::spine, BoneKind::stretch_twist})
    EXPECT_EQ(judged_deg(character, request_for(kForeArm, kind)), (std::set<double>{-30, 45}))
        << to_string(kind);
  SpineRequest helpers = request_for(kForeArm, BoneKind::stretch_twist);
  helpers.follows = SpineToWrite::Follows::twist;
  EXPECT_EQ(judged_deg(character, helpers), (std::set<double>{-90, 90}));
  limits.twist_deg = {-80, 60};
  character = with_limits(character, kHand, limits);
  EXPECT_EQ(judged_deg(character, helpers), (std::set<double>{-80, 60}));
}

/// The arm with a leg below the elbow, straight down, as a pelvis has one.
Character arm_with_a_leg() {
  Character character = capsule_arm();
  character.clips.clear();
  std::vector<Bone> bones = character.skeleton.bones();
  for (const auto& [name, parent, height] :
       {std::tuple{"Leg", kForeArm, -0.05}, std::tuple{"Foot", 3, -0.4}}) {
    Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.rest.translation() = Vec3(0.3, height, 0);
    bone.source_node = static_cast<int>(character.nodes.nodes.size());
    Node node;
    node.name = name;
    node.parent = bones[static_cast<std::size_t>(parent)].source_node;
    node.local.translation =
        bone.rest.translation() - bones[static_cast<std::size_t>(parent)].head();
    character.nodes.nodes.push_back(node);
    character.nodes.order.push_back(bone.source_node);
    bones.push_back(std::move(bone));
  }
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  character.weights = split_spine_weights(character.weights, 5, {});
  return character;
}

TEST(Spines, WhatHangsOnTheBaseAndSlidesIsNamedWithHowFar) {
  BoneLimits limits;
  limits.bend_deg = {0, 90};
  Job job = job_for(with_limits(arm_with_a_leg(), kForeArm, limits),
                    {request_for(kForeArm, BoneKind::spine)});
  const ConvertedSpines converted = convert(job, job.loaded.character.weights);
  ASSERT_EQ(converted.notices.size(), 1U);
  EXPECT_EQ(converted.notices[0].code, "carried_at_base");
  // A quarter turn about z takes the foot from (0.3, -0.4) to (0.7 + r, r - 0.3), r = 0.6 / π:
  // 0.659, of a diagonal of 0.812.
  EXPECT_EQ(converted.notices[0].message,
            "what hangs on the base of 'ForeArm' goes with its far end ('Leg'): bending it moves "
            "'Foot' by up to 81% of the character's size");
}

TEST(Spines, WhatHangsOnTheEndOfASpineIsNoNews) {
  Job job = job_for(capsule_arm({.hand_bend_deg = 50}), {request_for(kForeArm, BoneKind::spine)});
  EXPECT_TRUE(convert(job, job.loaded.character.weights).notices.empty());
}

/// The largest distance that weights on the rows are off over the poses, of the diagonal, posed
/// bone by bone.
double deviation_of(const SkinWeights& on_rows, const Job& job, const ConvertedSpines& converted,
                    const SkinWeights& on_spines) {
  const std::span<const Vec3> positions = job.loaded.character.mesh.positions();
  double largest = 0;
  for (const PosedBones& pose : job.poses) {
    std::vector<Affine3> transforms = pose.transforms;
    for (std::size_t s = 0; s < job.bones.size(); ++s)
      for (const double u : spine_joint_parameters(converted.spines[s].joints))
        transforms.push_back(spine_joint_transform(
            job.bones[s].rest, pose.spines[static_cast<std::size_t>(job.bones[s].bone)], u,
            converted.spines[s].stretch));
    const std::vector<Vec3> exact = deform_with_spines(positions, on_spines, pose, job.bones);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      Vec3 moved = Vec3::Zero();
      for (const Influence& influence : on_rows.row(v))
        moved += influence.weight * (transforms[influence.bone] * positions[v]);
      largest = std::max(largest, (moved - exact[v]).norm());
    }
  }
  return largest / bounding_box(positions).diagonal().norm();
}

TEST(Spines, TheCapHoldsAndTheCheaperWayIsTaken) {
  Job job = job_for(
      capsule_arm({.hand_bend_deg = 50}),
      {request_for(kArm, BoneKind::stretch_twist, 6), request_for(kForeArm, BoneKind::spine, 12)});
  // Everything a little on everything, so that splitting needs more room than there is.
  std::vector<std::vector<Influence>> rows;
  for (const Vec3& point : job.loaded.character.mesh.positions()) {
    const double fore = 0.2 + 0.6 * std::clamp(point.x() / 0.75, 0.0, 1.0);
    rows.push_back({{kArm, 0.95 - fore}, {kForeArm, fore}, {kHand, 0.05}});
  }
  const SkinWeights weights = SkinWeights::from_rows(3, rows);
  const ConvertedSpines converted = convert(job, weights, 3);
  EXPECT_GT(converted.cap.vertices, 0U);
  EXPECT_NE(converted.cap.way, CapReport::Way::none);
  EXPECT_LE(converted.weights.max_influences(), 3U);
  const ConvertedSpines roomy = [&] {
    Job again = job_for(capsule_arm({.hand_bend_deg = 50}), job.requests);
    return convert(again, weights, 8);
  }();
  EXPECT_EQ(roomy.cap.way, CapReport::Way::none);
  EXPECT_LT(roomy.cap.deviation_rel, converted.cap.deviation_rel);
  const double taken = deviation_of(converted.weights, job, converted, weights);
  const double lowered = deviation_of(cap_influences(roomy.weights, 3), job, converted, weights);
  const double dropped = deviation_of(drop_weakest(roomy.weights, 3), job, converted, weights);
  EXPECT_GT(std::abs(lowered - dropped), 1e-6);  // else either would do
  EXPECT_NEAR(taken, std::min(lowered, dropped), 1e-12);
  EXPECT_NEAR(converted.cap.deviation_rel, std::min(lowered, dropped), 1e-12);
  EXPECT_NEAR(converted.cap.other_deviation_rel, std::max(lowered, dropped), 1e-12);
}

TEST(Spines, TheReportNamesBonesJointsAndDeviation) {
  Job job = job_for(capsule_arm({.hand_bend_deg = 50}), {request_for(kForeArm, BoneKind::spine)});
  const std::vector<std::string> lines = in_words(convert(job, job.loaded.character.weights));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("ForeArm: 8 joints for a spine bone"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("baked into 1 clip,"), std::string::npos) << lines[0];
}

std::string refusal(std::vector<SpineRequest> requests, const Skeleton& skeleton) {
  const Result<Skeleton> result = with_spines(skeleton, requests);
  return result.ok() ? "accepted" : result.error().to_string();
}

TEST(Spines, WhatCannotBeASpineIsRefusedWithItsPlace) {
  const Skeleton skeleton = capsule_arm().skeleton;
  EXPECT_EQ(refusal({request_for(9, BoneKind::spine)}, skeleton), "bones[9]: there are 3 bones");
  EXPECT_EQ(
      refusal({request_for(1, BoneKind::spine), request_for(1, BoneKind::stretch_twist)}, skeleton),
      "bones[1]: 'ForeArm' is asked for as spine and as stretch-twist bone; it can be one of "
      "them");
  EXPECT_EQ(refusal({request_for(1, BoneKind::spine, 65)}, skeleton),
            "joints: 65 is not from 2 to 64");
  EXPECT_EQ(refusal({request_for(1, BoneKind::spine, 1)}, skeleton),
            "joints: 1 is not from 2 to 64");
  EXPECT_EQ(refusal({request_for(kHand, BoneKind::spine)}, skeleton), "accepted");
  std::vector<Bone> bones = skeleton.bones();
  bones[kHand].tail.reset();
  EXPECT_NE(refusal({request_for(kHand, BoneKind::spine)}, *Skeleton::create(bones))
                .find("bones[2]: 'Hand' is a spine bone and ends nowhere"),
            std::string::npos);
}

TEST(Spines, HelpersThatNothingWouldTurnAreRefused) {
  SpineRequest request = request_for(kHand, BoneKind::stretch_twist);
  request.follows = SpineToWrite::Follows::twist;
  EXPECT_EQ(refusal({request}, capsule_arm().skeleton),
            "bones[2]: no bone hangs on 'Hand' that could twist it, and helper joints would never "
            "turn; name the bone above what twists");
  request.bone = kForeArm;
  EXPECT_EQ(refusal({request}, capsule_arm().skeleton), "accepted");
}

TEST(Spines, ANumberOfJointsIsOneOrAnAutomaticOne) {
  EXPECT_EQ(checked(parse_spine_joint_count("12")).joints, 12);
  EXPECT_EQ(checked(parse_spine_joint_count("auto:0.01")).tolerance_rel, 0.01);
  for (const char* text : {"", "1", "65", "8.5", "many", "auto", "auto:", "auto:0", "auto:2", "8x"})
    EXPECT_FALSE(parse_spine_joint_count(text).ok()) << text;
}

TEST(SpinesShown, JointsThatShowASpineSayWhichAndRowsOfTheFileAreThemselves) {
  // The arm is a row already when the forearm is shown.
  Job job = job_for(capsule_arm(), {request_for(kArm, BoneKind::stretch_twist, 4)});
  const ConvertedSpines converted = convert(job, job.loaded.character.weights);
  ASSERT_TRUE(write_weights(job.document, converted.loaded, converted.weights).ok());
  const auto arm =
      static_cast<std::size_t>(job.loaded.character.skeleton.bone(kForeArm).source_node);
  job.document.json["nodes"][arm]["extras"]["sinew"]["kind"] = "spine";
  const LoadedCharacter loaded = checked(read_characters(job.document)).front();
  const SpinesShown shown = checked(show_own_spines(job.document, loaded));
  const Skeleton& skeleton = shown.loaded.character.skeleton;
  ASSERT_EQ(shown.shown_for.size(), skeleton.bone_count());
  int stand_ins = 0;
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    const int shown_for = shown.shown_for[static_cast<std::size_t>(bone)];
    if (skeleton.bone(bone).name.starts_with("ForeArm.")) {
      EXPECT_EQ(skeleton.bone(shown_for).name, "ForeArm");
      ++stand_ins;
    } else {
      EXPECT_EQ(shown_for, bone);
    }
  }
  EXPECT_EQ(stand_ins, kMostSpineJoints);
}

TEST(SpinesShown, ASpineWithoutLengthStaysRigidAndTheOthersAreShown) {
  Character character = capsule_arm();
  std::vector<Bone> bones = character.skeleton.bones();
  bones[kForeArm].kind = BoneKind::spine;
  bones[kHand].kind = BoneKind::spine;
  bones[kHand].tail.reset();
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  Document document = checked(make_document(character));
  const LoadedCharacter loaded = checked(read_characters(document)).front();
  ASSERT_EQ(loaded.character.skeleton.bone(kHand).kind, BoneKind::spine);
  const SpinesShown shown = checked(show_own_spines(document, loaded));
  EXPECT_EQ(shown.spines, 1U);
  EXPECT_EQ(shown.loaded.character.skeleton.bone_count(), 3U + kMostSpineJoints);
  ASSERT_EQ(shown.notices.size(), 1U);
  EXPECT_EQ(shown.notices[0].code, "spine_without_length");
  EXPECT_EQ(shown.notices[0].place, "bones[2]");
}

}  // namespace
}  // namespace sinew
