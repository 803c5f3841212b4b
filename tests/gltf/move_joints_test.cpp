// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/move_joints.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gltf/gltf_json.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/model/joint_displacements.h"
#include "sinew/model/pose.h"
#include "support/capsule_arm.h"
#include "support/checked.h"
#include "support/gltf_samples.h"

namespace sinew {
namespace {

using test::capsule_arm;
using test::CapsuleArm;
using test::checked;
using test::kForeArm;
using test::kHand;

/// What is left of a place within a metre where bind matrices are floats.
constexpr double kFloatSteps = 2e-7;

const Quat kOddTurn(Eigen::AngleAxisd(0.8, Vec3(1, 2, -0.5).normalized()));
const std::vector<Vec3> kMoves{Vec3(0.004, -0.01, 0.003), Vec3(-0.02, 0.015, 0.01),
                               Vec3(0.01, 0.02, -0.03)};

LoadedCharacter only_character(const Document& document) {
  return checked(read_characters(document)).front();
}

Document arm_document(const CapsuleArm& options = {}) {
  return checked(make_document(capsule_arm(options)));
}

/// An arm whose parts all move: own axes, a scaled armature, keys for translations.
CapsuleArm busy_arm(Interpolation interpolation = Interpolation::linear, double scale = 1) {
  CapsuleArm arm;
  arm.rings_per_bone = 6;
  arm.around = 8;
  arm.turn = kOddTurn;
  arm.scale = scale;
  arm.hand_bend_deg = 70;
  arm.hand_stretch = 1.3;
  arm.interpolation = interpolation;
  return arm;
}

std::vector<Vec3> negated(std::vector<Vec3> moves) {
  for (Vec3& move : moves) move = -move;
  return moves;
}

/// The vertices of the stored pose, or of a moment of a clip, as any program shows them.
std::vector<Vec3> shown(const Character& character, const NodeTree& posed) {
  return deform_with_spines(character.mesh.positions(), character.weights,
                            {character.skinning_transforms(posed), {}}, {});
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v)
    largest = std::max(largest, (a[v] - b[v]).norm());
  return largest;
}

/// What each bone does relative to its parent, in words that know nothing of nodes.
Pose pose_of(const Character& character, const NodeTree& posed) {
  const std::vector<Affine3> transforms = character.skinning_transforms(posed);
  Pose pose = Pose::rest(character.skeleton);
  for (std::size_t b = 0; b < transforms.size(); ++b) {
    const Bone& bone = character.skeleton.bones()[b];
    const Affine3 parent =
        bone.parent < 0 ? Affine3::Identity() : transforms[static_cast<std::size_t>(bone.parent)];
    const Affine3 relative = parent.inverse(Eigen::Affine) * transforms[b];
    pose.bones[b].rotation = Quat(Eigen::Matrix3d(relative.linear())).normalized();
    pose.bones[b].translation = relative * bone.head() - bone.head();
  }
  return pose;
}

/// How far the bones of the moved file are from forward kinematics with moved joints, over a clip.
double largest_kinematic_error(const Document& before, const Document& after,
                               const std::vector<Vec3>& moves) {
  const Character old = only_character(before).character;
  const Character moved = only_character(after).character;
  const Skeleton expected_skeleton = with_joints_moved(old.skeleton, moves);
  double largest = 0;
  for (const Clip& clip : old.clips)
    for (double time_s = -0.1; time_s < 1.15; time_s += 0.05) {
      const Clip& same = moved.clips[static_cast<std::size_t>(&clip - old.clips.data())];
      const std::vector<Affine3> expected =
          forward_kinematics(expected_skeleton, pose_of(old, sample_clip(old.nodes, clip, time_s)));
      const std::vector<Affine3> actual =
          moved.skinning_transforms(sample_clip(moved.nodes, same, time_s));
      for (std::size_t b = 0; b < expected.size(); ++b)
        largest = std::max(largest, (expected[b].matrix() - actual[b].matrix()).norm() /
                                        expected[b].matrix().norm());
    }
  return largest;
}

Json& node_named(Document& document, std::string_view name) {
  for (Json& node : document.json["nodes"])
    if (string_or(node, "name", "") == name) return node;
  throw std::runtime_error("no such node");
}

std::size_t node_index(const Document& document, std::string_view name) {
  for (std::size_t n = 0; n < document.json["nodes"].size(); ++n)
    if (string_or(document.json["nodes"][n], "name", "") == name) return n;
  throw std::runtime_error("no such node");
}

const Json& channel_on(const Document& document, std::size_t node, std::string_view path) {
  for (const Json& channel : document.json["animations"][0]["channels"])
    if (channel["target"]["node"] == node && channel["target"]["path"] == path) return channel;
  throw std::runtime_error("no such channel");
}

std::vector<float> keys_of(const Document& document, std::size_t node) {
  const Json& channel = channel_on(document, node, "translation");
  const Json& samplers = document.json["animations"][0]["samplers"];
  const int output = samplers[channel["sampler"].get<std::size_t>()]["output"].get<int>();
  return checked(read_floats(document, output, "VEC3"));
}

TEST(MoveJoints, LeavesEveryVertexWhereItWasInTheBindPose) {
  for (const double scale : {1.0, 100.0}) {
    const Document before = arm_document(busy_arm(Interpolation::linear, scale));
    Document after = before;
    const MovedJoints moved = checked(move_joints(after, only_character(before), kMoves));
    EXPECT_EQ(moved.joints, 3u);
    EXPECT_EQ(moved.skins, 1u);
    const Character old = only_character(before).character;
    const Character now = only_character(after).character;
    EXPECT_LT(largest_distance(shown(old, old.nodes), shown(now, now.nodes)), kFloatSteps);
    for (std::size_t b = 0; b < kMoves.size(); ++b)
      EXPECT_LT(
          (now.skeleton.bones()[b].head() - old.skeleton.bones()[b].head() - kMoves[b]).norm(),
          kFloatSteps);
  }
}

TEST(MoveJoints, PlaysEveryClipAsForwardKinematicsWithMovedJoints) {
  for (const double scale : {1.0, 100.0})
    for (const Interpolation interpolation :
         {Interpolation::linear, Interpolation::step, Interpolation::cubic_spline}) {
      const Document before = arm_document(busy_arm(interpolation, scale));
      Document after = before;
      const MovedJoints moved = checked(move_joints(after, only_character(before), kMoves));
      EXPECT_EQ(moved.channels, 1u);
      EXPECT_LT(largest_kinematic_error(before, after, kMoves), 1e-5);
      EXPECT_GT(largest_kinematic_error(before, before, kMoves), 1e-3);  // it can tell
    }
}

TEST(MoveJoints, ReturnsTheCharacterAsItReadsFromTheDocument) {
  const Document before = arm_document(busy_arm());
  Document after = before;
  const MovedJoints moved = checked(move_joints(after, only_character(before), kMoves));
  const Character reread = only_character(after).character;
  for (std::size_t b = 0; b < kMoves.size(); ++b)
    EXPECT_LT((moved.loaded.character.skeleton.bones()[b].rest.matrix() -
               reread.skeleton.bones()[b].rest.matrix())
                  .norm(),
              1e-6);
  EXPECT_EQ(moved.loaded.character.clips[0].channels[1].values, reread.clips[0].channels[1].values);
}

TEST(MoveJoints, ThereAndBackAgainGivesTheNumbersBack) {
  const Document before = arm_document(busy_arm(Interpolation::cubic_spline));
  Document after = before;
  const MovedJoints there = checked(move_joints(after, only_character(before), kMoves));
  const MovedJoints back = checked(move_joints(after, there.loaded, negated(kMoves)));
  EXPECT_EQ(back.joints, 3u);
  const std::size_t hand = node_index(before, "Hand");
  const std::vector<float> keys = keys_of(before, hand), keys_back = keys_of(after, hand);
  ASSERT_EQ(keys.size(), keys_back.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_NEAR(keys[i], keys_back[i], 1e-7);
  const auto matrices_of = [](const Document& document) {
    return checked(
        read_floats(document, document.json["skins"][0]["inverseBindMatrices"].get<int>(), "MAT4"));
  };
  const std::vector<float> matrices = matrices_of(before), matrices_back = matrices_of(after);
  for (std::size_t i = 0; i < matrices.size(); ++i)
    EXPECT_NEAR(matrices[i], matrices_back[i], 1e-7);
  for (const char* name : {"Arm", "ForeArm", "Hand"})
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(before.json["nodes"][node_index(before, name)]
                      .value("translation", Json{0.0, 0.0, 0.0})[c]
                      .get<double>(),
                  node_named(after, name)["translation"][c].get<double>(), 1e-15);
}

TEST(MoveJoints, KeepsTheBitsOfWhatDoesNotMove) {
  const Document before = arm_document(busy_arm());
  Document after = before;
  std::vector<Vec3> moves(3, Vec3::Zero());
  moves[kHand] = kMoves[kHand];
  const MovedJoints moved = checked(move_joints(after, only_character(before), moves));
  EXPECT_EQ(moved.nodes, 1u);
  for (const char* name : {"Armature", "Arm", "ForeArm"})
    EXPECT_EQ(node_named(after, name), before.json["nodes"][node_index(before, name)]);
  const int accessor = before.json["skins"][0]["inverseBindMatrices"].get<int>();
  const std::vector<float> matrices = checked(read_floats(before, accessor, "MAT4"));
  const std::vector<float> now = checked(read_floats(after, accessor, "MAT4"));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const bool is_moved = i / 16 == kHand && i % 16 >= 12 && i % 16 < 15;
    if (!is_moved) {
      EXPECT_EQ(matrices[i], now[i]) << i;
    }
  }
  EXPECT_EQ(before.json["accessors"].size(), after.json["accessors"].size());
}

TEST(MoveJoints, ChangesNothingForJointsThatDoNotMove) {
  const Document before = arm_document(busy_arm());
  Document after = before;
  const MovedJoints moved =
      checked(move_joints(after, only_character(before), std::vector<Vec3>(3, Vec3::Zero())));
  EXPECT_EQ(moved.joints + moved.nodes + moved.skins + moved.channels, 0u);
  EXPECT_EQ(before.json, after.json);
  EXPECT_EQ(before.buffers, after.buffers);
}

TEST(MoveJoints, LeavesTheTangentsOfSplinesAlone) {
  Character arm = capsule_arm(busy_arm(Interpolation::cubic_spline));
  std::vector<double>& values = arm.clips[0].channels[1].values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i / 3 % 3 != 1) values[i] = 0.125 * static_cast<double>(i % 7);
  const Document before = checked(make_document(arm));
  Document after = before;
  checked(move_joints(after, only_character(before), kMoves));
  const std::size_t hand = node_index(before, "Hand");
  const std::vector<float> old = keys_of(before, hand), now = keys_of(after, hand);
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (i / 3 % 3 == 1)
      EXPECT_NEAR(now[i] - old[i], now[3 + i % 3] - old[3 + i % 3], 1e-6);
    else
      EXPECT_EQ(now[i], old[i]);
  }
  EXPECT_LT(largest_kinematic_error(before, after, kMoves), 1e-5);
}

TEST(MoveJoints, GivesAPosedNodeTheOffsetOfTheBindPose) {
  Document before = arm_document(busy_arm());
  const LoadedCharacter at_rest = only_character(before);
  node_named(before, "ForeArm")["rotation"] = {0.0, 0.6, 0.0, 0.8};
  node_named(before, "Hand")["translation"][0] =
      node_named(before, "Hand")["translation"][0].get<double>() + 0.1;
  const LoadedCharacter posed = only_character(before);
  ASSERT_GT(posed.bind.node_deviation_rel, 0.01);
  Document after = before;
  checked(move_joints(after, posed, kMoves));
  EXPECT_LT(largest_kinematic_error(before, after, kMoves), 1e-5);
  const Character old = posed.character, now = only_character(after).character;
  const std::vector<Affine3> expected =
      forward_kinematics(with_joints_moved(old.skeleton, kMoves), pose_of(old, old.nodes));
  const std::vector<Affine3> actual = now.skinning_transforms(now.nodes);
  for (std::size_t b = 0; b < expected.size(); ++b)
    EXPECT_LT((expected[b].matrix() - actual[b].matrix()).norm(), 1e-6);
  Document rest_after = arm_document(busy_arm());
  checked(move_joints(rest_after, at_rest, kMoves));
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(node_named(after, "Hand")["translation"][c].get<double>() -
                    node_named(before, "Hand")["translation"][c].get<double>(),
                node_named(rest_after, "Hand")["translation"][c].get<double>() -
                    at_rest.character.nodes.nodes[kHand + 1]
                        .local.translation[static_cast<Eigen::Index>(c)],
                1e-7);
}

TEST(MoveJoints, MovesNodesThatAreStoredAsMatrices) {
  Document before = arm_document(busy_arm());
  before.json.erase("animations");
  for (const char* name : {"Arm", "ForeArm", "Hand"}) {
    Json& node = node_named(before, name);
    const LoadedCharacter loaded = only_character(before);
    const Affine3 local = loaded.character.nodes.nodes[node_index(before, name)].local.to_affine();
    for (const char* key : {"translation", "rotation", "scale"}) node.erase(key);
    node["matrix"] = Json::array();
    for (int i = 0; i < 16; ++i)
      node["matrix"].push_back(i % 4 == 3 ? (i == 15 ? 1.0 : 0.0) : local.matrix()(i % 4, i / 4));
  }
  Document after = before;
  checked(move_joints(after, only_character(before), kMoves));
  const Character old = only_character(before).character, now = only_character(after).character;
  EXPECT_LT(largest_distance(shown(old, old.nodes), shown(now, now.nodes)), kFloatSteps);
  EXPECT_FALSE(node_named(after, "Hand").contains("translation"));
}

TEST(MoveJoints, HoldsWhatElseHangsOnAJoint) {
  Document before = arm_document(busy_arm());
  const std::size_t camera = before.json["nodes"].size();
  before.json["cameras"] = Json::array(
      {Json{{"type", "perspective"}, {"perspective", {{"yfov", 1.0}, {"znear", 0.1}}}}});
  before.json["nodes"].push_back({{"name", "Eye"}, {"camera", 0}, {"translation", {0.1, 0, 0}}});
  before.json["nodes"].push_back({{"name", "Hand_end"}});
  node_named(before, "ForeArm")["children"].push_back(camera);
  node_named(before, "Hand")["children"] = {camera + 1};
  Document after = before;
  const MovedJoints moved = checked(move_joints(after, only_character(before), kMoves));
  EXPECT_EQ(moved.nodes, 5u);
  const std::vector<Affine3> old = only_character(before).character.nodes.world_transforms();
  const std::vector<Affine3> now = only_character(after).character.nodes.world_transforms();
  for (const std::size_t node : {camera, camera + 1})
    EXPECT_LT((old[node].matrix() - now[node].matrix()).norm(), kFloatSteps);
}

TEST(MoveJoints, SplitsAccessorsAndSamplersThatOthersRead) {
  Document before = arm_document(busy_arm());
  const std::size_t hand = node_index(before, "Hand"), arm = node_index(before, "Arm");
  const Json& channel = channel_on(before, hand, "translation");
  const std::size_t sampler = channel["sampler"].get<std::size_t>();
  // The root plays the very sampler of the hand, and a second clip its numbers.
  Json shared = {{"sampler", sampler}, {"target", {{"node", arm}, {"path", "translation"}}}};
  before.json["animations"][0]["channels"].push_back(shared);
  Json second = before.json["animations"][0];
  second["name"] = "Again";
  before.json["animations"].push_back(second);
  const int old_output = before.json["animations"][0]["samplers"][sampler]["output"].get<int>();
  Document after = before;
  std::vector<Vec3> moves(3, Vec3::Zero());
  moves[kHand] = kMoves[kHand];
  const MovedJoints moved = checked(move_joints(after, only_character(before), moves));
  EXPECT_EQ(moved.channels, 2u);
  EXPECT_EQ(checked(read_floats(before, old_output, "VEC3")),
            checked(read_floats(after, old_output, "VEC3")));
  EXPECT_EQ(after.json["accessors"].size(), before.json["accessors"].size() + 1);
  EXPECT_EQ(after.json["animations"][0]["samplers"].size(),
            before.json["animations"][0]["samplers"].size() + 1);
  EXPECT_EQ(keys_of(after, arm), keys_of(before, arm));
  EXPECT_NE(keys_of(after, hand), keys_of(before, hand));
  EXPECT_LT(largest_kinematic_error(before, after, moves), 1e-5);
}

TEST(MoveJoints, LeavesNoAccessorBehindThatNothingReads) {
  Document before = arm_document(busy_arm());
  const std::size_t hand = node_index(before, "Hand"), arm = node_index(before, "Arm");
  Json shared = {{"sampler", channel_on(before, hand, "translation")["sampler"]},
                 {"target", {{"node", arm}, {"path", "translation"}}}};
  before.json["animations"][0]["channels"].push_back(shared);
  Document after = before;
  checked(move_joints(after, only_character(before), kMoves));
  EXPECT_EQ(after.json["accessors"].size(), before.json["accessors"].size() + 1);
  EXPECT_LT(largest_kinematic_error(before, after, kMoves), 1e-5);
}

TEST(MoveJoints, GivesEverySkinOverTheJointsNewMatrices) {
  Document before;
  for (const test::Sample& sample : test::gltf_samples())
    if (sample.name.find("skins") != std::string::npos)
      before = checked(parse_gltf(sample.file, test::no_files()));
  ASSERT_EQ(before.json["skins"].size(), 2u);
  // A third one shares the matrices of the first, with its joints in another order.
  Json third = before.json["skins"][0];
  std::swap(third["joints"][0], third["joints"][1]);
  before.json["skins"].push_back(third);
  Document after = before;
  const std::vector<Vec3> moves{Vec3(0.01, 0, 0.02), Vec3(0, 0.05, 0.03)};
  const LoadedCharacter loaded = only_character(before);
  ASSERT_EQ(loaded.skins.size(), 2u);
  const MoveJointsOptions all_the_same{MoveJointsOptions::Relied::move};
  const MovedJoints moved = checked(move_joints(after, loaded, moves, all_the_same));
  EXPECT_EQ(moved.skins, 3u);
  const Character old = loaded.character, now = only_character(after).character;
  EXPECT_LT(largest_distance(shown(old, old.nodes), shown(now, now.nodes)), kFloatSteps);
  EXPECT_LT(largest_kinematic_error(before, after, moves), 1e-5);
  EXPECT_NE(after.json["skins"][0]["inverseBindMatrices"],
            after.json["skins"][2]["inverseBindMatrices"]);
}

TEST(MoveJoints, GivesASkinWithoutMatricesSome) {
  Document before = test::make_tube_document();
  before.json["skins"][0].erase("inverseBindMatrices");
  Document after = before;
  const std::vector<Vec3> moves{Vec3::Zero(), Vec3(0, 0.05, 0.03)};
  checked(move_joints(after, only_character(before), moves));
  const int accessor = after.json["skins"][0]["inverseBindMatrices"].get<int>();
  const std::vector<float> matrices = checked(read_floats(after, accessor, "MAT4"));
  ASSERT_EQ(matrices.size(), 32u);
  EXPECT_FLOAT_EQ(matrices[16 + 13], -0.05F);
  EXPECT_FLOAT_EQ(matrices[16 + 14], -0.03F);
  EXPECT_EQ(matrices[13], 0.0F);
}

TEST(MoveJoints, WritesTheTailsThatNodesState) {
  Document before = arm_document(busy_arm());
  const LoadedCharacter loaded = only_character(before);
  ASSERT_TRUE(loaded.character.skeleton.bone(kHand).tail);
  Document after = before;
  checked(move_joints(after, loaded, kMoves));
  const Skeleton expected = with_joints_moved(loaded.character.skeleton, kMoves);
  const Skeleton now = only_character(after).character.skeleton;
  EXPECT_LT((*now.bone(kHand).tail - *expected.bone(kHand).tail).norm(), 1e-6);
}

TEST(MoveJoints, FollowsPointersToTranslations) {
  Document before = arm_document(busy_arm());
  const std::size_t hand = node_index(before, "Hand");
  for (Json& channel : before.json["animations"][0]["channels"])
    if (channel["target"]["path"] == "translation")
      channel["target"] = {{"path", "pointer"},
                           {"extensions",
                            {{"KHR_animation_pointer",
                              {{"pointer", "/nodes/" + std::to_string(hand) + "/translation"}}}}}};
  Document after = before;
  EXPECT_EQ(checked(move_joints(after, only_character(before), kMoves)).channels, 1u);
}

TEST(MoveJoints, RefusesJointsThatAPropHangsOn) {
  Document before = arm_document(busy_arm());
  Json prop = before.json["meshes"][0];
  for (Json& primitive : prop["primitives"])
    for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) primitive["attributes"].erase(name);
  before.json["meshes"].push_back(prop);
  const std::size_t sword = before.json["nodes"].size();
  before.json["nodes"].push_back({{"name", "Sword"}, {"mesh", 1}});
  node_named(before, "Hand")["children"] = {sword};
  const LoadedCharacter loaded = only_character(before);
  const std::vector<JointReliance> reliances = joints_relied_on(before, loaded);
  ASSERT_EQ(reliances.size(), 1u);
  EXPECT_EQ(reliances[0].bone, kHand);
  EXPECT_EQ(reliances[0].by, JointReliance::By::prop);
  EXPECT_EQ(reliances[0].reason, "carries the mesh 'Sword'");

  Document after = before;
  const Result<MovedJoints> refused = move_joints(after, loaded, kMoves);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place, "nodes[" + std::to_string(sword) + "]");
  EXPECT_EQ(refused.error().message,
            "the joint 'Hand' was to move, but it carries the mesh 'Sword'");
  EXPECT_EQ(after.json, before.json);

  std::vector<Vec3> without_hand = kMoves;
  without_hand[kHand].setZero();
  EXPECT_TRUE(move_joints(after, loaded, without_hand).ok());
  after = before;
  checked(move_joints(after, loaded, kMoves, {MoveJointsOptions::Relied::move}));
  const std::vector<Affine3> old = loaded.character.nodes.world_transforms();
  const std::vector<Affine3> now = only_character(after).character.nodes.world_transforms();
  EXPECT_LT((old[sword].matrix() - now[sword].matrix()).norm(), kFloatSteps);
}

TEST(MoveJoints, RefusesWhatIsNotFiniteOrNotThere) {
  const Document before = arm_document();
  Document after = before;
  const LoadedCharacter loaded = only_character(before);
  std::vector<Vec3> moves(3, Vec3::Zero());
  EXPECT_FALSE(move_joints(after, loaded, std::span(moves).first(2)).ok());
  moves[1].y() = std::nan("");
  const Result<MovedJoints> refused = move_joints(after, loaded, moves);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place, "displacements[1]");
  EXPECT_EQ(after.json, before.json);
}

}  // namespace
}  // namespace sinew
