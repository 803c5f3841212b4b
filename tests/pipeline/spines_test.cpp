// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/pipeline/spines.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/deform/spine_blend.h"
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
  limits.twist_deg = {-5, 5};
  limits.stretch = {0.7, 1.5};
  Job job = job_for(with_limits(capsule_arm(), kForeArm, limits),
                    {request_for(kForeArm, BoneKind::stretch_twist, 4)});
  const ConvertedSpines converted = convert(job, job.loaded.character.weights);
  EXPECT_EQ(converted.spines[0].stretch, StretchBy::scale_keys);
  EXPECT_LT(converted.spines[0].deviation_rel, *converted.spines[0].other_deviation_rel);
}

TEST(Spines, AStretchIsByTranslationsWhereSkinSticksOutFarBeyondTheBone) {
  BoneLimits limits;
  limits.twist_deg = {-5, 5};
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
  EXPECT_LE(converted.cap.deviation_rel, converted.cap.other_deviation_rel);
  const ConvertedSpines roomy = [&] {
    Job again = job_for(capsule_arm({.hand_bend_deg = 50}), job.requests);
    return convert(again, weights, 8);
  }();
  EXPECT_EQ(roomy.cap.way, CapReport::Way::none);
  EXPECT_LT(roomy.cap.deviation_rel, converted.cap.deviation_rel);
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

}  // namespace
}  // namespace sinew
