// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/gltf_spine_joints.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include "gltf/gltf_json.h"
#include "math/swing_twist.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/rig/spine_parameters.h"
#include "support/capsule_arm.h"
#include "support/checked.h"

namespace sinew {
namespace {

using test::capsule_arm;
using test::CapsuleArm;
using test::checked;
using test::kForeArm;
using test::kHand;

constexpr int kJoints = 16;
/// Of twenty thousand keys in half an hour: nine times what it takes, and a quarter of what it took
/// when every key went over all moments before it.
const Quat kOddTurn(Eigen::AngleAxisd(0.8, Vec3(1, 2, -0.5).normalized()));

/// An arm in a document, with a row of joints for its forearm and weights on them.
struct Converted {
  Document before, after;
  LoadedCharacter loaded;
  Skeleton skeleton;  // with the forearm's kind
  SpineBone spine;
  SpineJoints joints;
  SkinWeights weights;
};

Document document_of(const Character& character) { return checked(make_document(character)); }

Converted convert(Document document, BoneKind kind, SpineToWrite::Follows follows,
                  StretchBy stretch = StretchBy::translations, int joints = kJoints) {
  Converted result;
  result.before = document;
  result.after = std::move(document);
  result.loaded = checked(read_characters(result.before)).front();
  std::vector<Bone> bones = result.loaded.character.skeleton.bones();
  bones[kForeArm].kind = kind;
  result.skeleton = checked(with_spine_tails(checked(Skeleton::create(std::move(bones)))));
  SpineToWrite spine;
  spine.bone = kForeArm;
  spine.kind = kind;
  spine.segment = checked(spine_segment(result.skeleton, kForeArm));
  spine.joints = joints;
  spine.stretch = stretch;
  spine.follows = follows;
  result.spine.bone = kForeArm;
  result.spine.rest = spine.segment.rest;
  result.spine.parameters =
      linear_parameters(spine.segment.rest, result.loaded.character.mesh.positions());
  result.joints = checked(add_spine_joints(result.after, result.loaded, std::span(&spine, 1)));
  const SplitSpine split{&result.spine, result.joints.spines[0].first_joint, joints};
  result.weights = split_spine_weights(result.loaded.character.weights,
                                       result.joints.loaded.character.skeleton.bone_count(),
                                       std::span(&split, 1));
  const Status written = write_weights(result.after, result.joints.loaded, result.weights);
  if (!written.ok()) throw std::runtime_error(written.error().to_string());
  return result;
}

/// What the file that was written does at a moment of its clip, read as any file is.
std::vector<Vec3> played(const Document& document, double time_s) {
  const LoadedCharacter loaded = checked(read_characters(document)).front();
  const Character& character = loaded.character;
  const NodeTree posed =
      time_s < 0 ? character.nodes : sample_clip(character.nodes, character.clips[0], time_s);
  return deform_with_spines(character.mesh.positions(), character.weights,
                            {character.skinning_transforms(posed), {}}, {});
}

/// What spines do at that moment, exactly.
std::vector<Vec3> exact(const Converted& converted, double time_s) {
  const Character& character = converted.loaded.character;
  const NodeTree posed =
      time_s < 0 ? character.nodes : sample_clip(character.nodes, character.clips[0], time_s);
  const PosedBones bones = drive_spines(converted.skeleton, character.skinning_transforms(posed));
  return deform_with_spines(character.mesh.positions(), character.weights, bones,
                            std::span(&converted.spine, 1));
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v)
    largest = std::max(largest, (a[v] - b[v]).norm());
  return largest;
}

const Json& channel_on(const Document& document, std::string_view node, std::string_view path) {
  for (const Json& channel : document.json["animations"][0]["channels"]) {
    const int target = channel["target"]["node"].get<int>();
    if (string_or(element(document, "nodes", target), "name", "") == node &&
        channel["target"]["path"] == path)
      return channel;
  }
  throw std::runtime_error("no such channel");
}

TEST(SpineJointsInGltf, NothingMovesAtRest) {
  CapsuleArm arm;
  arm.turn = kOddTurn;
  arm.scale = 100;
  const Converted converted =
      convert(document_of(capsule_arm(arm)), BoneKind::spine, SpineToWrite::Follows::spine);
  EXPECT_LT(largest_distance(played(converted.after, -1), played(converted.before, -1)), 1e-6);
}

TEST(SpineJointsInGltf, PlaysWhatTheSpineDoesAtAnyMoment) {
  for (const double scale : {1.0, 100.0})
    for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic_spline}) {
      CapsuleArm arm;
      arm.turn = kOddTurn;
      arm.scale = scale;
      arm.hand_twist_deg = 40;
      arm.hand_bend_deg = 70;
      arm.hand_stretch = 1.15;
      arm.interpolation = interpolation;
      const Converted converted =
          convert(document_of(capsule_arm(arm)), BoneKind::spine, SpineToWrite::Follows::spine);
      for (const double time_s : {0.0, 0.17, 0.4, 0.63, 0.91, 1.0}) {
        const std::vector<Vec3> expected = exact(converted, time_s);
        EXPECT_LT(largest_distance(played(converted.after, time_s), expected), 4e-3) << time_s;
        if (time_s > 0.5) {  // the clip alone is far from it
          EXPECT_GT(largest_distance(played(converted.before, time_s), expected), 2e-2);
        }
      }
    }
}

TEST(SpineJointsInGltf, StretchedByScaleKeysOrTranslationsAStretchTwistBoneIsFollowed) {
  for (const StretchBy way : {StretchBy::translations, StretchBy::scale_keys}) {
    CapsuleArm arm;
    arm.turn = kOddTurn;
    arm.hand_twist_deg = 90;
    arm.hand_stretch = 1.3;
    const Converted converted = convert(document_of(capsule_arm(arm)), BoneKind::stretch_twist,
                                        SpineToWrite::Follows::spine, way);
    for (const double time_s : {0.2, 0.7, 1.0})
      EXPECT_LT(largest_distance(played(converted.after, time_s), exact(converted, time_s)), 4e-3)
          << to_string(way);
  }
}

TEST(SpineJointsInGltf, OldJointsKeepTheirNumbersAndNewOnesAreMarkedLeavesAfterThem) {
  const Converted converted =
      convert(document_of(capsule_arm()), BoneKind::spine, SpineToWrite::Follows::spine);
  const Json& old_joints = converted.before.json["skins"][0]["joints"];
  const Json& joints = converted.after.json["skins"][0]["joints"];
  ASSERT_EQ(joints.size(), old_joints.size() + kJoints);
  for (std::size_t j = 0; j < old_joints.size(); ++j) EXPECT_EQ(joints[j], old_joints[j]);
  const Json& children =
      element(converted.after, "nodes", old_joints[kForeArm].get<int>())["children"];
  for (std::size_t k = 0; k < kJoints; ++k) {
    const Json& index = joints[old_joints.size() + k];
    const Json& node = element(converted.after, "nodes", index.get<int>());
    EXPECT_EQ(node["name"], fmt::format("ForeArm.spine.{}", k));
    EXPECT_EQ(node["extras"]["sinew"]["part_of"]["bone"], "ForeArm");
    EXPECT_FALSE(node.contains("children"));
    EXPECT_NE(std::find(children.begin(), children.end(), index), children.end());
  }
  EXPECT_TRUE(checked(read_characters(converted.after)).front().notices.empty());
  const SkinWeights weights = checked(read_characters(converted.after)).front().character.weights;
  EXPECT_EQ(weights.weight_per_bone()[kForeArm], 0);
}

/// Holds that a node beside the hand of an arm that bends goes with the end of the forearm.
void expect_carried_by_the_end(const Json& local) {
  CapsuleArm arm;
  arm.turn = kOddTurn;
  arm.hand_twist_deg = 30;
  arm.hand_bend_deg = 80;
  Document document = document_of(capsule_arm(arm));
  const int fore_arm = document.json["skins"][0]["joints"][kForeArm].get<int>();
  const std::size_t watch = document.json["nodes"].size();
  document.json["nodes"].push_back(local);
  element(document, "nodes", fore_arm)["children"].push_back(watch);
  const Converted converted =
      convert(std::move(document), BoneKind::spine, SpineToWrite::Follows::spine);
  const Character before = checked(read_characters(converted.before)).front().character;
  const Character after = checked(read_characters(converted.after)).front().character;
  const SpineSegment segment = checked(spine_segment(converted.skeleton, kForeArm));
  for (const double time_s : {0.17, 0.4, 1.0}) {
    const NodeTree clip = sample_clip(before.nodes, before.clips[0], time_s);
    const PosedBones driven = drive_spines(converted.skeleton, before.skinning_transforms(clip));
    const Affine3 end = carried_by(segment, driven.spines[kForeArm]);
    const Affine3 expected =
        end * driven.transforms[kForeArm].inverse(Eigen::Affine) * clip.world_transforms()[watch];
    const Affine3 found =
        sample_clip(after.nodes, after.clips[0], time_s).world_transforms()[watch];
    EXPECT_LT((found.matrix() - expected.matrix()).norm(), 1e-3) << time_s;
    EXPECT_GT((found.linear() - clip.world_transforms()[watch].linear()).norm(), 0.1) << time_s;
  }
}

TEST(SpineJointsInGltf, WhatHangsBesideTheHandOnASpineIsCarriedByItsEnd) {
  expect_carried_by_the_end({{"name", "Watch"}, {"translation", {0.1, 0.25, -0.05}}});
}

TEST(SpineJointsInGltf, AMirroredMatrixOnASpineStaysMirroredWhenItIsCarried) {
  Affine3 mirrored(Eigen::AngleAxisd(0.5, Vec3(0.3, 1, -0.2).normalized()));
  mirrored.linear() = mirrored.linear() * Vec3(-1, 1, 2).asDiagonal();
  mirrored.translation() = Vec3(0.1, 0.25, -0.05);
  std::vector<double> numbers;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 4; ++r)
      numbers.push_back(r < 3 ? mirrored.matrix()(r, c) : c == 3 ? 1.0 : 0.0);
  expect_carried_by_the_end({{"name", "Watch"}, {"matrix", numbers}});
}

/// The arm of a clip that bends its hand, with a thumb beside the hand that carries another joint.
/// The clip turns the thumb too, by this part of what it turns the hand.
Document forked_arm(double thumb_part) {
  Character character = capsule_arm({.hand_twist_deg = 30, .hand_bend_deg = 80});
  std::vector<Bone> bones = character.skeleton.bones();
  for (const auto& [name, parent] : {std::pair<const char*, int>{"Thumb", kForeArm}, {"Tip", 3}}) {
    Bone bone = bones[kHand];
    bone.name = name;
    bone.parent = parent;
    bone.tail.reset();
    bone.rest.translation() = parent == kForeArm ? Vec3(0.55, 0.05, 0) : Vec3(0.6, 0.1, 0);
    bone.source_node = static_cast<int>(character.nodes.nodes.size());
    Node node;
    node.name = name;
    node.parent = bones[static_cast<std::size_t>(parent)].source_node;
    node.local.translation =
        bone.rest.translation() - bones[static_cast<std::size_t>(parent)].rest.translation();
    character.nodes.nodes.push_back(node);
    character.nodes.order.push_back(bone.source_node);
    bones.push_back(std::move(bone));
  }
  character.skeleton = checked(Skeleton::create(bones));
  character.weights = split_spine_weights(character.weights, bones.size(), {});
  Channel thumb = character.clips[0].channels[0];
  thumb.node = bones[3].source_node;
  for (std::size_t k = 0; k < thumb.times.size(); ++k) {
    const Eigen::Map<const Eigen::Vector4d> of_hand(&thumb.values[4 * k]);
    const Quat turn = Quat::Identity().slerp(thumb_part, Quat(Eigen::Vector4d(of_hand)));
    for (std::size_t i = 0; i < 4; ++i)
      thumb.values[4 * k + i] = turn.coeffs()[static_cast<Eigen::Index>(i)];
  }
  character.clips[0].channels.push_back(std::move(thumb));
  return document_of(character);
}

/// A clip that swings the hand to and fro, with a key every twelfth of a second.
Clip long_clip(int keys) {
  Channel channel;
  channel.node = kHand + 1;
  channel.path = ChannelPath::rotation;
  channel.width = 4;
  for (int k = 0; k < keys; ++k) {
    const Quat turn(Eigen::AngleAxisd(k % 2 == 0 ? 0.0 : 0.02, Vec3::UnitZ()));
    channel.times.push_back(k / 12.0);
    channel.values.insert(channel.values.end(), {turn.x(), turn.y(), turn.z(), turn.w()});
  }
  const double end_s = channel.times.back();
  return {"Long", {std::move(channel)}, 0, end_s};
}

TEST(SpineJointsInGltf, TwentyThousandKeysInHalfAnHourAreBaked) {
  constexpr int kKeys = 20'000;  // takes half a second, and a minute if every key began anew
  Character character = capsule_arm({.rings_per_bone = 2, .around = 3});
  character.clips = {long_clip(kKeys)};
  const Converted converted = convert(document_of(character), BoneKind::spine,
                                      SpineToWrite::Follows::spine, StretchBy::translations, 2);
  EXPECT_GE(converted.joints.spines[0].keys, static_cast<std::size_t>(kKeys));
  for (const double time_s : {0.04, 900.04, 1600.0})
    EXPECT_LT(largest_distance(played(converted.after, time_s), played(converted.before, time_s)),
              0.01);
}

TEST(SpineJointsInGltf, AClipThatTurnsOneProngOfAForkMovesNothingElse) {
  const Converted converted = convert(forked_arm(0), BoneKind::spine, SpineToWrite::Follows::spine);
  EXPECT_EQ(converted.joints.spines[0].clips, 0U);
  EXPECT_EQ(converted.joints.spines[0].moved_nodes, 0U);
  for (const double time_s : {0.4, 1.0})
    EXPECT_LT(largest_distance(played(converted.after, time_s), played(converted.before, time_s)),
              1e-6);
}

TEST(SpineJointsInGltf, AForkWhoseProngsTurnTogetherBendsAsTheExactOne) {
  const Converted converted = convert(forked_arm(1), BoneKind::spine, SpineToWrite::Follows::spine);
  const Character before = checked(read_characters(converted.before)).front().character;
  const Character after = checked(read_characters(converted.after)).front().character;
  for (const double time_s : {0.17, 0.4, 1.0}) {
    EXPECT_LT(largest_distance(played(converted.after, time_s), exact(converted, time_s)), 6e-3);
    const PosedBones driven = drive_spines(
        converted.skeleton,
        before.skinning_transforms(sample_clip(before.nodes, before.clips[0], time_s)));
    const std::vector<Affine3> baked =
        after.skinning_transforms(sample_clip(after.nodes, after.clips[0], time_s));
    for (std::size_t j = 0; j < driven.transforms.size(); ++j)
      EXPECT_LT((baked[j].matrix() - driven.transforms[j].matrix()).norm(), 1e-3) << j;
  }
  EXPECT_GT(largest_distance(played(converted.before, 1), exact(converted, 1)), 2e-2);
}

TEST(SpineJointsInGltf, TheHandKeepsItsTurnAndMovesToTheEndOfTheArc) {
  CapsuleArm arm;
  arm.hand_twist_deg = 0;
  arm.hand_bend_deg = 90;
  const Converted converted =
      convert(document_of(capsule_arm(arm)), BoneKind::spine, SpineToWrite::Follows::spine);
  const auto hand_at = [](const Document& document) {
    const Character character = checked(read_characters(document)).front().character;
    const NodeTree posed = sample_clip(character.nodes, character.clips[0], 1);
    return character.skinning_transforms(posed)[kHand];
  };
  const Affine3 before = hand_at(converted.before), after = hand_at(converted.after);
  EXPECT_LT((before.linear() - after.linear()).norm(), 1e-6);
  // A quarter of a circle of length 0.3 from (0.3, 0, 0): its radius is 0.6 / π.
  const double radius = 0.6 / 3.14159265358979;
  EXPECT_LT((after * Vec3(0.6, 0, 0) - Vec3(0.3 + radius, radius, 0)).norm(), 1e-6);
}

TEST(SpineJointsInGltf, StepsStaySteps) {
  CapsuleArm arm;
  arm.interpolation = Interpolation::step;
  arm.hand_bend_deg = 60;
  const Converted converted = convert(document_of(capsule_arm(arm)), BoneKind::spine,
                                      SpineToWrite::Follows::spine, StretchBy::translations, 4);
  const Json& channel = channel_on(converted.after, "ForeArm.spine.2", "rotation");
  const Json& sampler =
      converted.after.json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
  EXPECT_EQ(sampler["interpolation"], "STEP");
  EXPECT_EQ(accessor_count(converted.after, sampler["input"].get<int>()), 3U);
}

TEST(SpineJointsInGltf, KeysAreAddedOnlyWhereALineWouldMiss) {
  CapsuleArm arm;  // a twist about one axis is a line for every joint
  const Converted converted =
      convert(document_of(capsule_arm(arm)), BoneKind::stretch_twist, SpineToWrite::Follows::twist);
  EXPECT_EQ(converted.joints.spines[0].keys, 3U);
  arm.hand_bend_deg = 80;
  const Converted swung =
      convert(document_of(capsule_arm(arm)), BoneKind::spine, SpineToWrite::Follows::spine);
  EXPECT_GT(swung.joints.spines[0].keys, 8U);
  EXPECT_LT(swung.joints.spines[0].keys, 130U);
}

TEST(SpineJointsInGltf, AClipThatDoesNotTouchTheSpineStaysAsItWas) {
  Character character = capsule_arm();
  for (Channel& channel : character.clips[0].channels) channel.node = test::kArm + 1;
  const Converted converted =
      convert(document_of(character), BoneKind::spine, SpineToWrite::Follows::spine);
  EXPECT_EQ(converted.after.json["animations"], converted.before.json["animations"]);
}

TEST(SpineJointsInGltf, ABindPoseThatIsNotTheStoredPoseIsFollowedToo) {
  Character character = capsule_arm({.turn = kOddTurn});
  Document document = document_of(character);
  const Quat bent(Eigen::AngleAxisd(0.9, Vec3(0.2, 1, 0.4).normalized()));
  NodeTransform local = character.nodes.nodes[kHand + 1].local;
  const Quat turned = bent * local.rotation;
  element(document, "nodes", document.json["skins"][0]["joints"][kHand].get<int>())["rotation"] = {
      turned.x(), turned.y(), turned.z(), turned.w()};
  const Converted converted = convert(document, BoneKind::spine, SpineToWrite::Follows::spine);
  EXPECT_LT(largest_distance(played(converted.after, -1), exact(converted, -1)), 4e-3);
  EXPECT_GT(largest_distance(played(converted.before, -1), exact(converted, -1)), 2e-2);
  EXPECT_LT(largest_distance(played(converted.after, 0.6), exact(converted, 0.6)), 4e-3);
}

/// The turn of a helper as VRMC_node_constraint 1.0 defines a roll constraint.
Quat rolled(const Quat& source_rest, const Quat& source, const Quat& helper_rest, const Vec3& axis,
            double weight) {
  const Quat in_parent = source * source_rest.conjugate();
  const Quat in_helper = helper_rest.conjugate() * in_parent * helper_rest;
  const Quat swing = Quat::FromTwoVectors(axis, in_helper * axis);
  const Quat target = helper_rest * swing.conjugate() * in_helper;
  return helper_rest.slerp(weight, target);
}

TEST(SpineJointsInGltf, ADriverDoesWhatTheBakedClipDoes) {
  for (const Quat& turn : {Quat::Identity(), kOddTurn}) {
    CapsuleArm arm;
    arm.turn = turn;
    arm.hand_bend_deg = 35;
    const Converted converted = convert(document_of(capsule_arm(arm)), BoneKind::stretch_twist,
                                        SpineToWrite::Follows::twist, StretchBy::translations, 3);
    ASSERT_EQ(converted.joints.drivers.size(), 3U);
    EXPECT_EQ(converted.after.json["extensionsUsed"], Json::array({"VRMC_node_constraint"}));
    const Character& character = converted.joints.loaded.character;
    const auto rotation = [](const NodeTree& tree, int node) {
      return tree.nodes[static_cast<std::size_t>(node)].local.rotation;
    };
    for (const TwistDriver& driver : converted.joints.drivers) {
      const Json& roll =
          element(converted.after, "nodes",
                  driver.helper_node)["extensions"]["VRMC_node_constraint"]["constraint"]["roll"];
      EXPECT_EQ(roll["source"], driver.source_node);
      EXPECT_EQ(driver.source, "Hand");
      const Vec3 axis = Vec3::Unit(roll["rollAxis"].get<std::string>()[0] - 'X');
      for (const double time_s : {0.25, 0.8, 1.0}) {
        const NodeTree posed = sample_clip(character.nodes, character.clips[0], time_s);
        const Quat driven = rolled(
            rotation(character.nodes, driver.source_node), rotation(posed, driver.source_node),
            rotation(character.nodes, driver.helper_node), axis, roll["weight"].get<double>());
        EXPECT_LT(driven.angularDistance(rotation(posed, driver.helper_node)), 1e-3);
      }
    }
  }
}

TEST(SpineJointsInGltf, HelpersOfATwistMoveNothingElse) {
  CapsuleArm arm;
  arm.hand_stretch = 1.2;
  const Converted converted = convert(document_of(capsule_arm(arm)), BoneKind::stretch_twist,
                                      SpineToWrite::Follows::twist, StretchBy::translations, 3);
  EXPECT_EQ(converted.joints.spines[0].moved_nodes, 0U);
  EXPECT_THROW((void)channel_on(converted.after, "ForeArm.twist.1", "translation"),
               std::runtime_error);
  EXPECT_EQ(channel_on(converted.after, "Hand", "translation"),
            channel_on(converted.before, "Hand", "translation"));
}

TEST(SpineJointsInGltf, DriversAreSaidInWords) {
  const TwistDriver driver{7, "ForeArm.twist.0", 3, "Hand", 'X', 0.25};
  const Json json = twist_drivers_json(std::span(&driver, 1));
  EXPECT_EQ(json["drivers"][0]["in_words"],
            "ForeArm.twist.0 turns about its own X axis by 0.25 of the twist of Hand");
}

}  // namespace
}  // namespace sinew
