// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/poses/exemplars.h"
#include "sinew/poses/judging_poses.h"
#include "support/capsule_arm.h"
#include "support/made_skeletons.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

constexpr double kTogether = 1e-10;  // of skeletons a unit or two tall
constexpr double kDegrees = 180 / std::numbers::pi;

EffectiveHierarchy file_hierarchy(const Skeleton& skeleton) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  return hierarchy;
}

/// A leg with a pole that controls its knee, and a tail that hangs on nothing.
std::vector<Bone> leg() {
  return make_skeleton({{"Hip", -1, {0, 1, 0}},
                        {"Knee", 0, {0, 0.5, 0.1}},
                        {"Pole", 1, {0, 0.5, 1}},
                        {"Foot", 1, {0, 0, 0}},
                        {"Toe", 3, {0, 0, 0.2}},
                        {"Tail", -1, {0, 1, -0.3}},
                        {"TailEnd", 5, {0, 1, -0.8}}})
      .bones();
}

std::vector<BoneRole> leg_roles() {
  std::vector<BoneRole> roles(7);
  roles[2].deforms = false;
  return roles;
}

struct Recorded {
  std::size_t pose, bone;
  std::array<double, 12> columns;  // of [A | t]
};

void expect_recorded(const std::vector<SampledPose>& poses, std::span<const Recorded> expected) {
  for (const Recorded& each : expected) {
    EXPECT_TRUE(poses[each.pose].spines.empty());
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> matrix(each.columns.data());
    EXPECT_LT((poses[each.pose].transforms[each.bone].matrix() - matrix).norm(), 1e-13);
  }
}

// What was drawn before there were spines.
TEST(RigidExemplars, AreTheRecordedOnes) {
  const Skeleton skeleton = *Skeleton::create(leg());
  const std::array<Recorded, 6> exemplars{{
      {0,
       4,
       {0.9359097263686067, 0.35223481508110588, -0.0019024020129381203, 0.026673639462303264,
        -0.065486083399928063, 0.99749691219510683, 0.35122855955413812, -0.93361780613145795,
        -0.070684446859323069, -0.084215973740204841, 0.17636097589656763, -0.20637306358591551}},
      {0,
       6,
       {0.95743165954234899, -0.27229664295746575, 0.095807909590376772, 0.19534016874765583,
        0.85554319197503592, 0.47946643796912852, -0.21252490625717421, -0.44034121417289696,
        0.87231461028754875, -0.52361916048782731, 0.16972909668304609, -0.36869251699144517}},
      {7,
       4,
       {0.97353158285736685, -0.12056712657037241, 0.19416442817826784, 0.024620122533802684,
        0.89991811329723492, 0.43536334127480864, -0.22722259294720326, -0.41905961073588172,
        0.87906708270998346, -0.0089050724750714717, 0.065340227211288932, -0.25366098038916163}},
      {7,
       6,
       {0.87029632342719199, -0.045756638190396805, -0.49039844972290192, -0.46853000552396745,
        0.23009812491913834, -0.85295632176120695, 0.1518681775515312, 0.97209113923037571,
        0.17881519420051181, 0.32875375735139067, 1.326947807051531, 0.33123277873167067}},
      {47,
       4,
       {0.9823667637483029, 0.1279739310190291, -0.13630192391240387, -0.077559779075303592,
        0.94228192040275038, 0.32571346786998917, 0.17011767148793216, -0.30939853823449337,
        0.93559207050181992, 0.12403831696705524, 0.086946993786211152, -0.2711655108038355}},
      {47,
       6,
       {0.44152424597991957, 0.37482703417081076, 0.81520613016989596, -0.031345885864247594,
        0.91445058717052463, -0.40348179520626243, -0.89670160903795026, 0.15259363708292878,
        0.41550139141831327, -0.53956979579414599, 0.13151661045989946, -0.036093045259816159}},
  }};
  const std::array<Recorded, 6> judging{{
      {0,
       4,
       {0.2496864577137366, 0.75969048768605951, -0.60043903583434988, 0.37679998335544684,
        0.49498223217783982, 0.78295233722850455, 0.89200809714805929, -0.42173801434961966,
        -0.1626610029316754, 0.049896013493911609, 0.21360175120135072, -0.28788772623950881}},
      {0,
       6,
       {0.98232736223600237, 0.072026878666882718, -0.17275729261586617, 0.048359242939559316,
        0.79398477374681586, 0.60601119022715266, 0.18081575435998529, -0.60365578586453028,
        0.77646980312662883, 0.096293360548428908, -0.2769094024384402, -0.78483534772584962}},
      {7,
       4,
       {0.85402024866799997, -0.060081747641443535, -0.51675874299850766, 0.30164611043314188,
        0.8664795877349134, 0.39777223143312984, 0.42386205176401975, -0.4955838048595661,
        0.75811453846718391, -0.03183751522932389, 0.10337910092929326, -0.21382024360017821}},
      {7,
       6,
       {0.78951165844113935, -0.1294184926711332, -0.59993515894657612, 0.10828561368124812,
        0.99155279526464724, -0.071395238444451392, 0.60410724797439508, -0.0085969737464077142,
        0.79685665272193495, 0.37500018469826796, 0.0015696257382266099, -0.0911194393780006}},
      {47,
       4,
       {0.85622805543701808, 0.44398077927457819, 0.26411093259704577, -0.50956958426390575,
        0.80990442518209804, 0.29050587061807498, -0.084925590228465464, -0.38332217481538133,
        0.91970199217961535, 0.061640535816158394, 0.178447078669356, -0.26892569686793655}},
      {47,
       6,
       {0.72669199595505185, 0.27515243085180852, 0.62945204965207924, 0.065593109366809899,
        0.88430367206151805, -0.46228190488284182, -0.68382474876130117, 0.3772242772872072,
        0.62456829699135996, -0.61265290837585096, 0.41747574976824775, 0.16193654247592981}},
  }};
  const EffectiveHierarchy hierarchy = file_hierarchy(skeleton);
  expect_recorded(sample_exemplars(skeleton, leg_roles(), hierarchy), exemplars);
  expect_recorded(random_poses(skeleton, leg_roles(), hierarchy), judging);
}

struct Spines {
  Skeleton skeleton;
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
};

/// Two spines in a row, a fork at the end of the second, a stretch-twist arm, and a foot that the
/// file hangs on the root but that goes with the shin, a spine as well.
Spines creature() {
  enum : int { kRoot, kLow, kHigh, kNeck, kArm, kHand, kShin, kFoot };
  std::vector<Bone> bones = make_skeleton({{"Root", -1, {0, 0.5, 0}},
                                           {"Low", kRoot, {0, 0.6, 0}},
                                           {"High", kLow, {0, 1, 0.1}},
                                           {"Neck", kHigh, {0.1, 1.4, 0}},
                                           {"Arm", kHigh, {0.3, 1.3, 0}},
                                           {"Hand", kArm, {0.9, 1.2, 0.1}},
                                           {"Shin", kRoot, {0.1, 0.4, 0}},
                                           {"Foot", kRoot, {0.1, 0, 0.05}}})
                                .bones();
  for (const int spine : {int{kLow}, int{kHigh}, int{kShin}})
    bones[static_cast<std::size_t>(spine)].kind = BoneKind::spine;
  bones[kArm].kind = BoneKind::stretch_twist;
  for (Bone& bone : bones) {
    bone.limits.bend_deg = {-100, 80};
    bone.limits.stretch = {0.8, 1.4};
  }
  Spines spines{*Skeleton::create(bones), std::vector<BoneRole>(bones.size()), {}};
  spines.hierarchy = file_hierarchy(spines.skeleton);
  spines.hierarchy.parent[kFoot] = kShin;
  return spines;
}

TEST(SpineExemplars, TailsAndTheHeadsOfWhatHangsOnThemStayTogether) {
  const Spines creature_ = creature();
  const std::vector<std::optional<SpineSegment>> segments =
      spine_segments(creature_.skeleton, creature_.hierarchy.parent);
  const std::vector<Exemplar> exemplars =
      sample_exemplars(creature_.skeleton, creature_.roles, creature_.hierarchy);
  std::size_t compared = 0;
  for (const Exemplar& exemplar : exemplars) {
    ASSERT_EQ(exemplar.spines.size(), creature_.skeleton.bone_count());
    for (std::size_t c = 0; c < exemplar.transforms.size(); ++c) {
      EXPECT_EQ(exemplar.spines[c].base.matrix(), exemplar.transforms[c].matrix());
      const int parent = creature_.hierarchy.parent[c];
      if (parent < 0 || !segments[static_cast<std::size_t>(parent)]) continue;
      const auto p = static_cast<std::size_t>(parent);
      const Vec3 head = creature_.skeleton.bones()[c].head();
      const Affine3 end = spine_transform(segments[p]->rest, exemplar.spines[p], 1);
      EXPECT_LT((end * head - exemplar.transforms[c] * head).norm(), kTogether);
      if (segments[p]->child == static_cast<int>(c)) {
        EXPECT_LT((end * segments[p]->rest.tail - exemplar.transforms[c] * head).norm(), kTogether);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 5 * exemplars.size());
}

TEST(SpineExemplars, BendsAndStretchesFillTheirLimits) {
  const Spines creature_ = creature();
  ExemplarOptions options;
  options.count = 400;
  double least_deg = 0, most_deg = 0, least = 1, most = 1;
  Vec3 axes = Vec3::Zero();
  for (const Exemplar& exemplar :
       sample_exemplars(creature_.skeleton, creature_.roles, creature_.hierarchy, options)) {
    const SpineMotion &spine = exemplar.spines[1], &arm = exemplar.spines[4];
    EXPECT_NEAR(spine.axis.norm(), 1, 1e-14);
    axes += spine.axis.cwiseAbs();
    least_deg = std::min(least_deg, kDegrees * spine.angle_rad);
    most_deg = std::max(most_deg, kDegrees * spine.angle_rad);
    least = std::min(least, spine.stretch);
    most = std::max(most, spine.stretch);
    const Vec3 along = creature_.skeleton.bone(5).head() - creature_.skeleton.bone(4).head();
    EXPECT_LT((arm.axis - along.normalized()).norm(), 1e-15);
    EXPECT_EQ(exemplar.spines[0].angle_rad, 0);
    EXPECT_EQ(exemplar.spines[0].stretch, 1);
  }
  EXPECT_GE(least_deg, -100);
  EXPECT_LT(least_deg, -95);
  EXPECT_LE(most_deg, 80);
  EXPECT_GT(most_deg, 75);
  EXPECT_GE(least, 0.8);
  EXPECT_LT(least, 0.82);
  EXPECT_LE(most, 1.4);
  EXPECT_GT(most, 1.38);
  // Over the sphere, the mean of a coordinate's size is one half.
  EXPECT_LT((axes / 400 - Vec3(0.5, 0.5, 0.5)).norm(), 0.06);
}

TEST(SpineExemplars, WithoutRoomToBendTheyAreThoseOfRigidBones) {
  std::vector<Bone> bones = leg();
  const std::vector<BoneRole> roles = leg_roles();
  const Skeleton rigid = *Skeleton::create(bones);
  for (const std::size_t spine : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    bones[spine].kind = BoneKind::spine;
    bones[spine].limits.bend_deg = {0, 0};
  }
  const Skeleton spines = *Skeleton::create(bones);
  const std::vector<Exemplar> as_rigid = sample_exemplars(rigid, roles, file_hierarchy(rigid));
  const std::vector<Exemplar> as_spines = sample_exemplars(spines, roles, file_hierarchy(spines));
  for (std::size_t p = 0; p < as_rigid.size(); ++p)
    for (std::size_t j = 0; j < bones.size(); ++j)
      EXPECT_EQ(as_spines[p].transforms[j].matrix(), as_rigid[p].transforms[j].matrix());
}

TEST(SpineExemplars, AMainRootBendsThoughItDoesNotTurn) {
  std::vector<Bone> bones = leg();
  bones[0].kind = BoneKind::spine;
  const Skeleton skeleton = *Skeleton::create(bones);
  double most = 0;
  for (const Exemplar& exemplar :
       sample_exemplars(skeleton, leg_roles(), file_hierarchy(skeleton))) {
    EXPECT_EQ(exemplar.transforms[0].matrix(), Affine3::Identity().matrix());
    most = std::max(most, std::abs(exemplar.spines[0].angle_rad));
  }
  EXPECT_GT(kDegrees * most, 50);
}

/// A strip whose lower bone is a spine; its clip turns the upper one by 90 degrees.
Character bent_strip(BoneKind kind) {
  Character character = tiny_character();
  std::vector<Bone> bones = character.skeleton.bones();
  bones[0].kind = kind;
  character.skeleton = *Skeleton::create(bones);
  return character;
}

TEST(SpineExemplars, ThoseOfClipsAreDrivenByWhatHangsOnTheSpine) {
  const Character character = bent_strip(BoneKind::spine);
  const std::vector<SampledPose> played = clip_poses(character, 5);
  const std::vector<Exemplar> exemplars = clip_exemplars(character, std::array{0}, 5);
  ASSERT_EQ(exemplars.size(), played.size());
  for (std::size_t p = 0; p < exemplars.size(); ++p) {
    EXPECT_TRUE(played[p].spines.empty());
    EXPECT_NEAR(exemplars[p].spines[0].angle_rad, played[p].time_s * std::numbers::pi / 2, 1e-6);
    EXPECT_EQ(exemplars[p].transforms[1].linear(), played[p].transforms[1].linear());
    const SpineRest rest = spine_segment(character.skeleton, 0)->rest;
    const Vec3 knee = character.skeleton.bone(1).head();
    EXPECT_LT((spine_transform(rest, exemplars[p].spines[0], 1) * rest.tail -
               exemplars[p].transforms[1] * knee)
                  .norm(),
              kTogether);
    // Taken back as a whole.
    EXPECT_EQ(exemplars[p].spines[0].base.matrix(), exemplars[p].transforms[0].matrix());
    const Vec3 travel = exemplars[p].transforms[1] * knee - knee +
                        exemplars[p].transforms[0] * rest.head - rest.head;
    EXPECT_LT(travel.norm(), 1e-12);
  }
}

TEST(SpineExemplars, GivenPosesBendAsTheyState) {
  const Skeleton skeleton = bent_strip(BoneKind::spine).skeleton;
  Pose pose = Pose::rest(skeleton);
  pose.bones[0].bend = SpineBend{Vec3::UnitZ(), 1, 1.5};
  const std::vector<Exemplar> exemplars = pose_exemplars(skeleton, std::array{pose});
  ASSERT_EQ(exemplars.size(), 1u);
  EXPECT_EQ(exemplars[0].spines[0].angle_rad, 1);
  EXPECT_EQ(exemplars[0].spines[0].stretch, 1.5);
}

TEST(SpineExemplars, LimitsFromClipsAreThoseOfTheBend) {
  const Character character = bent_strip(BoneKind::spine);
  const std::vector<BoneLimits> limits =
      limits_from_clips(character, std::vector<BoneRole>(2), file_hierarchy(character.skeleton));
  EXPECT_GT(limits[0].bend_deg.max, 90);
  EXPECT_LT(limits[0].bend_deg.max, 115);
  EXPECT_EQ(limits[0].bend_deg.min, -limits[0].bend_deg.max);
  EXPECT_NEAR(limits[0].stretch.min, 1, 1e-6);
  EXPECT_NEAR(limits[0].stretch.max, 1, 1e-6);
  // All of the turn is in the spine: what hangs on it turns no further.
  EXPECT_LE(limits[1].roll_deg.max, 5.01);
}

TEST(BendSpines, JudgingPosesCanBeSeenBent) {
  const Spines creature_ = creature();
  std::vector<SampledPose> poses =
      random_poses(creature_.skeleton, creature_.roles, creature_.hierarchy);
  const std::vector<SampledPose> plain = poses;
  bend_spines(creature_.skeleton, poses, creature_.hierarchy.parent);
  for (std::size_t p = 0; p < poses.size(); ++p) {
    EXPECT_TRUE(plain[p].spines.empty());
    ASSERT_EQ(poses[p].spines.size(), creature_.skeleton.bone_count());
    // The arm and its hand hang beside the neck, and are carried by the end of the spine.
    for (const std::size_t j : {0U, 1U, 2U, 3U, 6U, 7U})
      EXPECT_EQ(poses[p].transforms[j].linear(), plain[p].transforms[j].linear());
    EXPECT_GT((poses[p].transforms[2].translation() - plain[p].transforms[2].translation()).norm(),
              1e-4);
  }
}

TEST(ClipFrames, OfASpineThatTurnsPastHalfATurnGoOn) {
  Character character = capsule_arm({.rings_per_bone = 2, .around = 4, .hand_twist_deg = 240});
  std::vector<Bone> bones = character.skeleton.bones();
  bones[kForeArm].kind = BoneKind::stretch_twist;
  character.skeleton = *Skeleton::create(std::move(bones));
  std::vector<SampledPose> frames = clip_poses(character, 40);
  std::swap(frames.front(), frames.back());  // in any order
  bend_spines(character, frames);
  for (const SampledPose& frame : frames) {
    // The clip's middle key is at 0.4 s, a third of the way.
    const double part =
        frame.time_s < 0.4 ? frame.time_s / 0.4 / 3 : 1.0 / 3 + (frame.time_s - 0.4) / 0.6 * 2 / 3;
    EXPECT_NEAR(kDegrees * frame.spines[kForeArm].angle_rad, 240 * part, 1e-3) << frame.time_s;
  }
}

}  // namespace
}  // namespace sinew::test
