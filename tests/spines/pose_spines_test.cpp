// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gltf/gltf_scene.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/formats/rig_file.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/spines/gltf_pose.h"
#include "sinew/spines/gltf_spine_bones.h"
#include "sinew/spines/gltf_spine_joints.h"
#include "support/checked.h"
#include "support/made_skeletons.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

constexpr double kFloatTolerance = 1e-6;  // the strip is a unit tall

/// A strip of a lower bone, of this kind, and an upper one that the clip "Bend" turns by 90 degrees
/// about z within a second.
Character strip(BoneKind kind) {
  Character character = tiny_character({.rows = 9});
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].kind = kind;
  character.skeleton = *Skeleton::create(bones);
  return character;
}

struct Posed {
  std::vector<Vec3> positions;
  Notices notices;
};

Posed posed_at(const Document& document, double time_s,
               Deformer deformer = Deformer::linear_blend) {
  Posed result;
  PoseOptions options{.clip = "Bend", .time_s = time_s, .deformer = deformer};
  const Document posed = checked(pose_document(document, options, &result.notices));
  const Json& mesh = posed.json["nodes"].back()["mesh"];
  const Json& attributes =
      posed.json["meshes"][mesh.get<std::size_t>()]["primitives"][0]["attributes"];
  const std::vector<float> floats =
      checked(read_floats(posed, attributes["POSITION"].get<int>(), "VEC3"));
  for (std::size_t i = 0; i < floats.size(); i += 3)
    result.positions.emplace_back(floats[i], floats[i + 1], floats[i + 2]);
  return result;
}

/// The same from the character, in doubles.
std::vector<Vec3> exactly(const Character& character, double time_s) {
  const NodeTree tree = sample_clip(character.nodes, character.clips[0], time_s);
  const PosedBones bones = drive_spines(character.skeleton, character.skinning_transforms(tree));
  SpineBone spine{0, spine_segment(character.skeleton, 0)->rest, {}, {}};
  for (const Vec3& p : character.mesh.positions())
    spine.parameters.push_back(spine_parameter(spine.rest, p));
  return deform_with_spines(character.mesh.positions(), character.weights, bones,
                            std::vector{spine});
}

void expect_near(const std::vector<Vec3>& actual, const std::vector<Vec3>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_LT((actual[i] - expected[i]).norm(), kFloatTolerance) << i;
}

TEST(PoseSpines, AFileThatSaysSoIsPosedByTheExactDeformer) {
  for (const BoneKind kind : {BoneKind::spine, BoneKind::stretch_twist}) {
    const Character character = strip(kind);
    const Posed posed = posed_at(checked(make_document(character)), 0.75);
    expect_near(posed.positions, exactly(character, 0.75));
    EXPECT_TRUE(posed.notices.empty());
  }
}

TEST(PoseSpines, VerticesSitWhereTheBoneSaysThatTheyDo) {
  Character character = strip(BoneKind::spine);
  const Posed linear = posed_at(checked(make_document(character)), 0.75);
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].parametrisation = SpineParametrisation::harmonic;
  character.skeleton = *Skeleton::create(bones);
  const Document document = checked(make_document(character));
  const LoadedCharacter loaded = checked(read_characters(document)).front();
  EXPECT_EQ(loaded.character.skeleton.bone(0).parametrisation, SpineParametrisation::harmonic);
  const std::vector<SpineBone> spines = checked(own_spine_bones(document, loaded));
  ASSERT_EQ(spines.size(), 1U);
  const NodeTree tree = sample_clip(character.nodes, character.clips[0], 0.75);
  const std::vector<Vec3> expected = deform_with_spines(
      character.mesh.positions(), character.weights,
      drive_spines(character.skeleton, character.skinning_transforms(tree)), spines);
  expect_near(posed_at(document, 0.75).positions, expected);
}

TEST(PoseSpines, AnAttributeThatNoMeshHasIsRefusedByTheBoneThatNamesIt) {
  Character character = strip(BoneKind::spine);
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].painted_attribute = "_ALONG";
  character.skeleton = *Skeleton::create(bones);
  const Document document = checked(make_document(character));
  const Result<Document> posed = pose_document(document, {.clip = "Bend", .time_s = 1});
  ASSERT_FALSE(posed.ok());
  EXPECT_EQ(posed.error().place, "bones[0]");
}

TEST(PoseSpines, TheTopStandsAtTheEndOfTheArc) {
  Character character = strip(BoneKind::spine);
  std::vector<int> owners;
  for (const Vec3& p : character.mesh.positions()) owners.push_back(p.y() > 0.5 ? 1 : 0);
  character.weights = rigid_weights(owners, 2);
  const Posed posed = posed_at(checked(make_document(character)), 1);
  // Half a unit bent by 90 degrees: the knee is at (-r, r), and the upper half lies to the left.
  const double radius = 0.5 / (std::numbers::pi / 2);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const Vec3& rest = character.mesh.positions()[i];
    if (rest.y() < 0.5) continue;
    EXPECT_NEAR(posed.positions[i].x(), -radius - (rest.y() - 0.5), kFloatTolerance);
    EXPECT_NEAR(posed.positions[i].y(), radius + rest.x(), kFloatTolerance);
  }
}

/// Hangs a mesh without a skin on a node, and returns the index of its own.
std::size_t hang(Document& document, std::size_t on, const Vec3& at, const std::string& name) {
  Json& json = document.json;
  if (json["meshes"].size() == 1)
    json["meshes"].push_back(
        {{"primitives",
          {{{"attributes",
             {{"POSITION", json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]}}}}}}});
  const std::size_t node = json["nodes"].size();
  json["nodes"].push_back({{"name", name}, {"mesh", 1}, {"translation", {at.x(), at.y(), at.z()}}});
  json["nodes"][on]["children"].push_back(node);
  return node;
}

/// Where nodes stand in the scene at the end of the clip.
std::vector<Affine3> nodes_posed(const Document& document) {
  return checked(read_nodes(checked(pose_document(document, {.clip = "Bend", .time_s = 1}))))
      .world_transforms();
}

/// A quarter turn about z, and what it takes a place to.
Affine3 quarter_turn(const Vec3& to) {
  Affine3 turned(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
  turned.translation() = to;
  return turned;
}

TEST(PoseSpines, PropsStandAtTheEndOfTheArcWithTheBonesTheyHangOn) {
  Document document = checked(make_document(strip(BoneKind::spine)));
  const std::size_t sword = hang(document, 1, {0, 0.25, 0}, "Sword");
  const std::size_t belt = hang(document, 0, {0.1, 0.5, 0}, "Belt");
  const std::vector<Affine3> posed = nodes_posed(document);
  // As in TheTopStandsAtTheEndOfTheArc: the knee is at (-r, r).
  const double radius = 0.5 / (std::numbers::pi / 2);
  const auto expect_at = [&](std::size_t node, const Vec3& place) {
    EXPECT_LT((posed[node].matrix() - quarter_turn(place).matrix()).norm(), kFloatTolerance)
        << posed[node].matrix();
  };
  expect_at(1, {-radius, radius, 0});
  expect_at(sword, {-radius - 0.25, radius, 0});
  expect_at(belt, {-radius, radius + 0.1, 0});
}

TEST(PoseSpines, PropsStandWhereTheClipsOfARowHaveThem) {
  for (const BoneKind kind : {BoneKind::spine, BoneKind::stretch_twist}) {
    Character character = strip(kind);
    character.clips[0].channels.push_back(
        {1, ChannelPath::translation, Interpolation::linear, 3, {0, 1}, {0, 0.5, 0, 0, 0.7, 0}});
    Document document = checked(make_document(character));
    // A node between the two joints, and props on all of them.
    Json& nodes = document.json["nodes"];
    const std::size_t between = nodes.size();
    nodes.push_back({{"name", "Between"}, {"children", {1}}});
    for (Json& child : nodes[0]["children"])
      if (child == 1) child = between;
    std::vector<std::size_t> props;
    for (const std::size_t on : {std::size_t{0}, std::size_t{1}, between})
      props.push_back(hang(document, on, {0.1, 0.3, 0.2}, "Prop"));
    const std::vector<Affine3> posed = nodes_posed(document);

    const LoadedCharacter loaded = checked(read_characters(document)).front();
    SpineToWrite row;
    row.bone = 0;
    row.kind = kind;
    row.segment = checked(spine_segment(loaded.character.skeleton, 0));
    const SpineJoints baked = checked(add_spine_joints(document, loaded, {&row, 1}));
    const Character& played = baked.loaded.character;
    const std::vector<Affine3> expected =
        sample_clip(played.nodes, played.clips[0], 1).world_transforms();
    for (const std::size_t prop : props)
      EXPECT_LT((posed[prop].matrix() - expected[prop].matrix()).norm(), 10 * kFloatTolerance)
          << to_string(kind) << " " << prop;
  }
}

TEST(PoseSpines, ASkinThatHangsOnAnotherCharacterGoesWithItsSpine) {
  Document document = checked(make_document(strip(BoneKind::spine)));
  Json& nodes = document.json["nodes"];
  const std::size_t hat = nodes.size();  // both joints stand at the origin at rest
  for (const char* name : {"Hat", "Brim"}) {
    nodes[1]["children"].push_back(nodes.size());
    nodes.push_back({{"name", name}, {"translation", {0, -0.5, 0}}});
  }
  document.json["skins"].push_back({{"joints", {hat, hat + 1}}});
  document.json["scenes"][0]["nodes"].push_back(nodes.size());
  nodes.push_back({{"name", "Felt"}, {"mesh", 0}, {"skin", 1}});
  const double radius = 0.5 / (std::numbers::pi / 2);
  const Posed posed = posed_at(document, 1);
  const Character character = strip(BoneKind::spine);
  ASSERT_EQ(posed.positions.size(), character.mesh.vertex_count());
  for (std::size_t i = 0; i < posed.positions.size(); ++i) {
    const Vec3& rest = character.mesh.positions()[i];
    EXPECT_NEAR(posed.positions[i].x(), -radius - (rest.y() - 0.5), kFloatTolerance);
    EXPECT_NEAR(posed.positions[i].y(), radius + rest.x(), kFloatTolerance);
  }
}

TEST(PoseSpines, NodesThatNoBentSpineCarriesStayAsTheyAreToTheBit) {
  Document document = checked(make_document(strip(BoneKind::spine)));
  const std::size_t belt = hang(document, 0, {0.1, 0.5, 0}, "Belt");
  const Document at_rest = checked(pose_document(document, {.clip = "Bend", .time_s = 0}));
  EXPECT_EQ(at_rest.json["nodes"][belt], document.json["nodes"][belt]);
  EXPECT_EQ(at_rest.json["nodes"][0], document.json["nodes"][0]);
}

TEST(PoseSpines, AtRestAndOnRigidBonesNothingIsDifferent) {
  const Document rigid = checked(make_document(strip(BoneKind::rigid)));
  const Document spine = checked(make_document(strip(BoneKind::spine)));
  expect_near(posed_at(spine, 0).positions, posed_at(rigid, 0).positions);
  EXPECT_GT((posed_at(spine, 1).positions.back() - posed_at(rigid, 1).positions.back()).norm(),
            0.1);
}

TEST(PoseSpines, AnArmatureInOtherUnitsBendsAlike) {
  // Centimetres below a node that scales them, as exporters leave it.
  const Character character = strip(BoneKind::spine);
  Document document = checked(make_document(character));
  const Posed expected = posed_at(document, 0.6);
  Json& nodes = document.json["nodes"];
  const std::size_t above = nodes.size();
  nodes.push_back({{"name", "Armature"}, {"children", {0}}, {"scale", {3, 3, 3}}});
  for (Json& scene : document.json["scenes"])
    for (Json& root : scene["nodes"])
      if (root == 0) root = above;
  const Posed posed = posed_at(document, 0.6);
  for (std::size_t i = 0; i < posed.positions.size(); ++i)
    EXPECT_LT((posed.positions[i] - 3 * expected.positions[i]).norm(), 3 * kFloatTolerance);
}

TEST(PoseSpines, DualQuaternionsSayThatTheyLeaveSpinesStraight) {
  const Posed posed =
      posed_at(checked(make_document(strip(BoneKind::spine))), 1, Deformer::dual_quaternion);
  ASSERT_EQ(posed.notices.size(), 1u);
  EXPECT_EQ(posed.notices[0].code, "straight_spines");
  expect_near(posed.positions,
              posed_at(checked(make_document(strip(BoneKind::rigid))), 1, Deformer::dual_quaternion)
                  .positions);
}

TEST(PoseSpines, ASpineThatEndsNowhereIsNamed) {
  Character character = strip(BoneKind::rigid);
  std::vector<Bone> bones = character.skeleton.bones();
  bones[1].kind = BoneKind::spine;
  character.skeleton = *Skeleton::create(bones);
  const Posed posed = posed_at(checked(make_document(character)), 1);
  ASSERT_EQ(posed.notices.size(), 1u);
  EXPECT_EQ(posed.notices[0].code, "spine_without_length");
  EXPECT_EQ(posed.notices[0].place, "nodes[1]");
  expect_near(posed.positions,
              posed_at(checked(make_document(strip(BoneKind::rigid))), 1).positions);
}

TEST(PoseSpines, AKindThatIsNoneIsRefusedWithItsPlace) {
  Document document = checked(make_document(strip(BoneKind::spine)));
  document.json["nodes"][0]["extras"]["sinew"]["kind"] = "noodle";
  EXPECT_EQ(pose_document(document).error().place, "nodes[0].extras.sinew.kind");
}

}  // namespace
}  // namespace sinew::test
