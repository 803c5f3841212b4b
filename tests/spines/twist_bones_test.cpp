// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/twist_bones.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "math/swing_twist.h"
#include "quality/cross_section.h"
#include "sinew/bind/bind.h"
#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/spine_blend.h"
#include "support/capsule_arm.h"
#include "support/checked.h"

namespace sinew {
namespace {

using test::capsule_arm;
using test::CapsuleArm;
using test::checked;
using test::kForeArm;
using test::kHand;

constexpr double kRadius = 0.05;
const std::vector<BoneRole> kAllDeform(3);

/// The sections of the forearm relative to rest: in its middle, and at its thinnest.
struct Sections {
  double middle = 0;
  double thinnest = 1;
};

Sections sections(const Character& character, const std::vector<Vec3>& posed) {
  const std::span<const Vec3> rest = character.mesh.positions();
  const std::vector<bool> all(rest.size(), true);
  Sections found;
  for (int s = 0; s <= 100; ++s) {
    const SectionPlane plane{{0.3 + 0.3 * (s + 0.0123) / 100.0246, 0, 0}, Vec3::UnitX()};
    const double share = cross_section_area(rest, posed, character.mesh.triangles(), plane, all) /
                         cross_section_area(rest, rest, character.mesh.triangles(), plane, all);
    if (s == 50) found.middle = share;
    found.thinnest = std::min(found.thinnest, share);
  }
  return found;
}

std::vector<Vec3> by_dual_quaternions(const Character& character, const SkinWeights& weights,
                                      const std::vector<Affine3>& transforms) {
  std::vector<float> rest, posed;
  for (const Vec3& point : character.mesh.positions())
    for (int i = 0; i < 3; ++i) rest.push_back(static_cast<float>(point[i]));
  posed.resize(rest.size());
  dual_quaternion_blend(checked(PackedInfluences::create(weights)), BoneDualQuaternions(transforms),
                        {rest, {}, posed, {}});
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < posed.size(); i += 3)
    points.emplace_back(posed[i], posed[i + 1], posed[i + 2]);
  return points;
}

/// A helper of a file without clips for it, as VRMC_node_constraint 1.0 defines a roll constraint.
void roll(const Document& document, const NodeTree& rest, NodeTree& posed) {
  for (std::size_t n = 0; n < posed.nodes.size(); ++n) {
    const Json& node = document.json["nodes"][n];
    if (!node.contains("extensions")) continue;
    const Json& driver = node["extensions"]["VRMC_node_constraint"]["constraint"]["roll"];
    const auto source = driver["source"].get<std::size_t>();
    const Vec3 axis = Vec3::Unit(driver["rollAxis"].get<std::string>()[0] - 'X');
    const Quat& helper = rest.nodes[n].local.rotation;
    const Quat turn =
        posed.nodes[source].local.rotation * rest.nodes[source].local.rotation.conjugate();
    const double twist_rad = swing_twist(turn, helper * axis).twist_rad;
    posed.nodes[n].local.rotation =
        helper * Quat(Eigen::AngleAxisd(driver["weight"].get<double>() * twist_rad, axis));
  }
}

/// A forearm bound by heat, in every way that there is to pose it with the hand turned by 150
/// degrees.
class TwistedForearm : public testing::Test {
 protected:
  void SetUp() override {
    document_ = checked(make_document(capsule_arm({.radius = kRadius})));
    loaded_ = checked(read_characters(document_)).front();
    BindOptions options;
    options.method = BindMethod::heat;
    weights_ = checked(bind(loaded_.character, options)).weights;
    twisted_ = sample_clip(loaded_.character.nodes, loaded_.character.clips[0], 1);
    clip_ = loaded_.character.skinning_transforms(twisted_);
  }

  /// As any program plays the file with helpers that was written, made for it with its clip or, if
  /// the clip comes later, without.
  enum class ClipComes { with_the_file, later };
  [[nodiscard]] Sections with_helpers(std::optional<int> joints,
                                      ClipComes when = ClipComes::with_the_file) const {
    LoadedCharacter loaded = loaded_;
    Document document = document_;
    if (when == ClipComes::later) {
      loaded.character.clips.clear();
      document.json.erase("animations");
    }
    SpineRequest request;
    request.bone = kForeArm;
    request.kind = BoneKind::stretch_twist;
    request.joints = joints.value_or(twist_joints_of(loaded.character, kForeArm));
    request.follows = SpineToWrite::Follows::twist;
    const Skeleton skeleton = checked(with_spines(loaded.character.skeleton, {&request, 1}));
    const std::vector<SpineBone> bones =
        checked(spine_bones_of(loaded.character.mesh, skeleton, {&request, 1}));
    const ConvertedSpines converted =
        checked(convert_spines(document, loaded, weights_, {&request, 1}, bones,
                               spine_poses(loaded.character, skeleton, {&request, 1})));
    const Status written = write_weights(document, converted.loaded, converted.weights);
    EXPECT_TRUE(written.ok());
    const LoadedCharacter again = checked(read_characters(document)).front();
    NodeTree posed = again.character.nodes;
    if (when == ClipComes::with_the_file) {
      posed = sample_clip(posed, again.character.clips[0], 1);
    } else {
      for (std::size_t n = 0; n < twisted_.nodes.size(); ++n) posed.nodes[n] = twisted_.nodes[n];
      roll(document, again.character.nodes, posed);
    }
    return sections(loaded_.character,
                    deform_with_spines(again.character.mesh.positions(), again.character.weights,
                                       {again.character.skinning_transforms(posed), {}}, {}));
  }

  [[nodiscard]] Sections exact() const {
    SpineRequest request;
    request.bone = kForeArm;
    request.kind = BoneKind::stretch_twist;
    const Skeleton skeleton = checked(with_spines(loaded_.character.skeleton, {&request, 1}));
    const std::vector<SpineBone> bones =
        checked(spine_bones_of(loaded_.character.mesh, skeleton, {&request, 1}));
    return sections(loaded_.character,
                    deform_with_spines(loaded_.character.mesh.positions(), weights_,
                                       drive_spines(skeleton, clip_), bones));
  }

  Document document_;
  LoadedCharacter loaded_;
  SkinWeights weights_;
  NodeTree twisted_;
  std::vector<Affine3> clip_;
};

TEST_F(TwistedForearm, KeepsNineTenthsExactlyAndAfterExportWhereLinearBlendingCollapses) {
  const Character& character = loaded_.character;
  const Sections linear = sections(
      character, deform_with_spines(character.mesh.positions(), weights_, {clip_, {}}, {}));
  const Sections dual = sections(character, by_dual_quaternions(character, weights_, clip_));
  const Sections exactly = exact();
  const Sections exported = with_helpers({});
  const Sections later = with_helpers({}, ClipComes::later);
  EXPECT_LT(linear.thinnest, 0.3);
  EXPECT_GT(dual.thinnest, 0.9);
  for (const Sections& ours : {exactly, exported, later}) {
    EXPECT_GE(ours.middle, 0.9);
    EXPECT_GE(ours.thinnest, 0.9);
  }
  const auto note = [](const std::string& name, const Sections& found) {
    testing::Test::RecordProperty(name, fmt::format("{:.3f} {:.3f}", found.middle, found.thinnest));
  };
  note("linear", linear);
  note("dual_quaternions", dual);
  note("exact", exactly);
  note("exported", exported);
  note("clip_later", later);
  note("three_helpers", with_helpers(3));
}

TEST_F(TwistedForearm, GetsAsManyHelpersWhetherOrNotAClipTwistsIt) {
  Character character = loaded_.character;
  EXPECT_EQ(twist_joints_of(character, kForeArm), 7);  // 150 degrees
  character.clips.clear();
  EXPECT_EQ(twist_joints_of(character, kForeArm), 7);
  const std::vector<SpineRequest> of_both =
      twist_requests(find_twist_limbs(character, kAllDeform, weights_));
  ASSERT_EQ(of_both.size(), 2U);  // without clips nothing says that the arm is not twisted
  for (const SpineRequest& request : of_both) EXPECT_EQ(request.joints, 7) << request.bone;
  // Who says how far it goes gets what that takes.
  std::vector<Bone> bones = character.skeleton.bones();
  bones[kHand].limits.twist_deg = {-80, 60};
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  EXPECT_EQ(twist_joints_of(character, kForeArm), 4);
  const std::vector<TwistLimb> limbs = find_twist_limbs(character, kAllDeform, weights_);
  EXPECT_EQ(twist_requests(limbs)[1].joints, 4);
  EXPECT_EQ(twist_requests(limbs, 5)[1].joints, 5);
}

TEST(TwistJoints, AreAsManyAsTheTwistTakes) {
  EXPECT_EQ(twist_joints_for(0), kFewestTwistJoints);
  EXPECT_EQ(twist_joints_for(90), 4);
  EXPECT_EQ(twist_joints_for(150), 7);
  EXPECT_EQ(twist_joints_for(1000), kMostTwistJoints);
}

TEST_F(TwistedForearm, KeepsLessThanNineTenthsWithFewerHelpers) {
  // Half way between two helpers the section is cos² of half their angle, less what the exact one
  // has lost: 0.82 of it for three over 150 degrees, 0.95 for seven.
  double last = 0;
  for (const int joints : {3, 4, 5, 6}) {
    const Sections found = with_helpers(joints);
    EXPECT_GT(found.thinnest, last) << joints;
    EXPECT_LT(found.thinnest, 0.9) << joints;
    last = found.thinnest;
    RecordProperty(fmt::format("thinnest_{}", joints), fmt::format("{:.3f}", found.thinnest));
  }
}

TEST_F(TwistedForearm, IsFoundAndTheArmThatNoClipTwistsIsNot) {
  const std::vector<TwistLimb> limbs = find_twist_limbs(loaded_.character, kAllDeform, weights_);
  ASSERT_EQ(limbs.size(), 2U);  // the hand has no child
  EXPECT_EQ(limbs[1].bone, kForeArm);
  EXPECT_TRUE(limbs[1].collapses) << limbs[1].reason;
  EXPECT_LT(limbs[1].smallest_section, 0.8);
  EXPECT_GT(limbs[1].clip_twist_deg, 100);
  EXPECT_FALSE(limbs[0].collapses);
  EXPECT_NE(limbs[0].reason.find("in the clips"), std::string::npos) << limbs[0].reason;
  EXPECT_EQ(twist_requests(limbs).size(), 1U);
}

TEST_F(TwistedForearm, WithoutClipsLimitsDecide) {
  Character character = loaded_.character;
  character.clips.clear();
  const std::vector<TwistLimb> unlimited = find_twist_limbs(character, kAllDeform, weights_);
  ASSERT_EQ(unlimited.size(), 2U);
  for (const TwistLimb& limb : unlimited) EXPECT_TRUE(limb.collapses) << limb.reason;
  std::vector<Bone> bones = character.skeleton.bones();
  bones[kHand].limits.twist_deg = {-5, 5};
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  const std::vector<TwistLimb> limbs = find_twist_limbs(character, kAllDeform, weights_);
  ASSERT_EQ(limbs.size(), 2U);
  EXPECT_TRUE(limbs[0].collapses);
  EXPECT_FALSE(limbs[1].collapses);
}

TEST(TwistBones, AStoutBoneIsNoLimb) {
  const Character character = capsule_arm({.radius = 0.2});
  const std::vector<TwistLimb> limbs = find_twist_limbs(character, kAllDeform, character.weights);
  ASSERT_EQ(limbs.size(), 2U);
  for (const TwistLimb& limb : limbs) {
    EXPECT_FALSE(limb.collapses);
    EXPECT_NE(limb.reason.find("no limb"), std::string::npos) << limb.reason;
  }
}

TEST(CrossSection, OfACapsuleIsItsDiscAndATurnOfAllChangesNothing) {
  const Character character = capsule_arm({.radius = kRadius, .around = 96});
  const std::span<const Vec3> rest = character.mesh.positions();
  const std::vector<bool> all(rest.size(), true);
  const SectionPlane plane{{0.41, 0, 0}, Vec3::UnitX()};
  const double area = cross_section_area(rest, rest, character.mesh.triangles(), plane, all);
  EXPECT_NEAR(area, 3.14159265 * kRadius * kRadius, 1e-5);
  std::vector<Vec3> turned;
  for (const Vec3& point : rest)
    turned.push_back(Eigen::AngleAxisd(1, Vec3::UnitX()) * point + Vec3(0, 3, 1));
  EXPECT_NEAR(cross_section_area(rest, turned, character.mesh.triangles(), plane, all), area,
              1e-12);
}

}  // namespace
}  // namespace sinew
