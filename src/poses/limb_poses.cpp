// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/limb_poses.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "poses/limb_angles.h"
#include "poses/turn_about_joints.h"

namespace sinew {
namespace {

/// How far joints of bodies go, degrees from the anatomical zero: far enough to show folds, and no
/// farther than people do.
constexpr double kArmRaisedDeg = 90;
constexpr double kArmHighDeg = 150;
constexpr double kArmInFrontDeg = 90;
constexpr double kElbowDeg = 140;
constexpr double kForearmTwistDeg = 85;
constexpr double kWristDeg = 70;
constexpr double kHipDeg = 90;
constexpr double kHipFarDeg = 110;
constexpr double kHipSpreadDeg = 45;
constexpr double kKneeDeg = 130;
constexpr double kAnkleUpDeg = 20;
constexpr double kAnkleDownDeg = 45;
constexpr double kNodDeg = 40;
constexpr double kHeadTurnDeg = 70;
constexpr double kSpineDeg = 45;
constexpr double kFingerDeg = 80;
constexpr double kThumbDeg = 50;
/// A crouch, with the knees and ankles of above.
constexpr double kCrouchHipDeg = 100;
constexpr double kCrouchSpineDeg = 20;
/// What a chosen bone is bent by.
constexpr double kBendDeg = 60;
/// Cosine of the angle to straight up beyond which a body does not stand.
constexpr double kUpright = 0.5;
/// Sine of the angle between two directions below which their cross product is no axis.
constexpr double kParallel = 0.05;

std::string with_degrees(std::string_view words, double degrees) {
  return fmt::format("{} {}\u00b0", words, static_cast<int>(degrees));
}

bool stands_upright(const Skeleton& skeleton, const LimbBones& bones) {
  if (bones.head < 0 || bones.hips < 0) return true;  // nothing against it
  const Vec3 up = skeleton.bone(bones.head).head() - skeleton.bone(bones.hips).head();
  return up.y() > kUpright * up.norm();
}

class PoseList {
 public:
  PoseList(const Skeleton& skeleton, const std::vector<int>& parent)
      : skeleton_(skeleton), parent_(parent) {}

  /// Nothing for turns of no bone. The pose is about `bone`, or about the first that turns.
  void add(std::string name, std::optional<Limb> limb, int bone, const LimbAngles::Turns& turns) {
    if (turns.empty()) return;
    std::vector<Eigen::Matrix3d> rotations(parent_.size(), Eigen::Matrix3d::Identity());
    for (const auto& [turned, rotation] : turns)
      rotations[static_cast<std::size_t>(turned)] = rotation;
    if (!turns.contains(bone)) bone = turns.begin()->first;
    poses_.push_back(
        {std::move(name), limb, bone, turn_about_joints(skeleton_, parent_, rotations)});
  }
  [[nodiscard]] std::vector<LimbPose> take() { return std::move(poses_); }

 private:
  const Skeleton& skeleton_;
  const std::vector<int>& parent_;
  std::vector<LimbPose> poses_;
};

class BodyPoses {
 public:
  BodyPoses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
            const EffectiveHierarchy& hierarchy, const LimbBones& bones)
      : bones_(bones),
        angles_(skeleton, roles, hierarchy, bones),
        list_(skeleton, hierarchy.parent) {}

  [[nodiscard]] std::vector<LimbPose> make() {
    add_arms();
    add_hands();
    add_legs();
    add_trunk();
    return list_.take();
  }

 private:
  using Angle = void (LimbAngles::*)(LimbAngles::Turns&, std::size_t, double) const;

  void bend(LimbAngles::Turns& turns, Angle angle, double degrees) const {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
      (angles_.*angle)(turns, side, degrees);
  }
  void add(std::string name, std::optional<Limb> limb, int bone, Angle angle, double degrees) {
    LimbAngles::Turns turns;
    bend(turns, angle, degrees);
    list_.add(std::move(name), limb, bone, turns);
  }

  void add_arms() {
    const ArmBones& arm = bones_.arms[0];
    add("Arm hanging", {}, arm.upper, &LimbAngles::raise_arm, 0);
    add(with_degrees("Arm raised", kArmRaisedDeg), {}, arm.upper, &LimbAngles::raise_arm,
        kArmRaisedDeg);
    add(with_degrees("Arm raised", kArmHighDeg), Limb::shoulder, arm.upper, &LimbAngles::raise_arm,
        kArmHighDeg);
    add(with_degrees("Arm in front", kArmInFrontDeg), {}, arm.upper, &LimbAngles::lift_arm,
        kArmInFrontDeg);
    add(with_degrees("Elbow bent", kElbowDeg), Limb::elbow, arm.lower, &LimbAngles::bend_elbow,
        kElbowDeg);
    add(with_degrees("Forearm twisted", kForearmTwistDeg), Limb::forearm_twist, arm.lower,
        &LimbAngles::twist_forearm, kForearmTwistDeg);
    add(with_degrees("Forearm twisted back", kForearmTwistDeg), {}, arm.lower,
        &LimbAngles::twist_forearm, -kForearmTwistDeg);
  }

  void add_hands() {
    const ArmBones& arm = bones_.arms[0];
    add(with_degrees("Wrist bent", kWristDeg), {}, arm.hand, &LimbAngles::bend_wrist, kWristDeg);
    add(with_degrees("Wrist bent back", kWristDeg), {}, arm.hand, &LimbAngles::bend_wrist,
        -kWristDeg);
    add(with_degrees("Fingers bent", kFingerDeg), {},
        arm.fingers.empty() ? -1 : arm.fingers.front().front(), &LimbAngles::bend_fingers,
        kFingerDeg);
    add(with_degrees("Thumb bent", kThumbDeg), {}, arm.thumb.empty() ? -1 : arm.thumb.front(),
        &LimbAngles::bend_thumb, kThumbDeg);
  }

  void add_legs() {
    const LegBones& leg = bones_.legs[0];
    add(with_degrees("Hip bent", kHipDeg), Limb::hip, leg.thigh, &LimbAngles::bend_hip, kHipDeg);
    add(with_degrees("Hip bent", kHipFarDeg), {}, leg.thigh, &LimbAngles::bend_hip, kHipFarDeg);
    add(with_degrees("Hip spread", kHipSpreadDeg), {}, leg.thigh, &LimbAngles::spread_hip,
        kHipSpreadDeg);
    add(with_degrees("Knee bent", kKneeDeg), Limb::knee, leg.shin, &LimbAngles::bend_knee,
        kKneeDeg);
    add(with_degrees("Ankle bent", kAnkleUpDeg), {}, leg.foot, &LimbAngles::bend_ankle,
        kAnkleUpDeg);
    add(with_degrees("Ankle stretched", kAnkleDownDeg), {}, leg.foot, &LimbAngles::bend_ankle,
        -kAnkleDownDeg);
  }

  template <class Turn>
  void add_whole(std::string name, std::optional<Limb> limb, int bone, const Turn& turn) {
    LimbAngles::Turns turns;
    turn(turns);
    list_.add(std::move(name), limb, bone, turns);
  }

  void add_trunk() {
    using Turns = LimbAngles::Turns;
    const int neck = bones_.neck.empty() ? bones_.head : bones_.neck.front();
    add_whole(with_degrees("Neck bent", kNodDeg), Limb::neck, neck,
              [&](Turns& turns) { angles_.nod(turns, kNodDeg); });
    add_whole(with_degrees("Neck bent back", kNodDeg), {}, neck,
              [&](Turns& turns) { angles_.nod(turns, -kNodDeg); });
    add_whole(with_degrees("Head turned left", kHeadTurnDeg), {}, neck,
              [&](Turns& turns) { angles_.turn_head(turns, kHeadTurnDeg); });
    add_whole(with_degrees("Head turned right", kHeadTurnDeg), {}, neck,
              [&](Turns& turns) { angles_.turn_head(turns, -kHeadTurnDeg); });
    add_whole(with_degrees("Spine bent", kSpineDeg), {},
              bones_.spine.empty() ? -1 : bones_.spine.front(),
              [&](Turns& turns) { angles_.bend_spine(turns, kSpineDeg); });
    if (bones_.legs[0].thigh < 0 || bones_.legs[0].shin < 0) return;
    add_whole("Crouch", {}, bones_.legs[0].thigh, [&](Turns& turns) {
      bend(turns, &LimbAngles::bend_hip, kCrouchHipDeg);
      bend(turns, &LimbAngles::bend_knee, kKneeDeg);
      bend(turns, &LimbAngles::bend_ankle, kAnkleUpDeg);
      angles_.bend_spine(turns, kCrouchSpineDeg);
    });
  }

  const LimbBones& bones_;
  LimbAngles angles_;
  PoseList list_;
};

/// Where a bone points: to its deforming children on the whole, else to its tail, else away from
/// what it hangs on.
Vec3 direction(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
               const std::vector<int>& parent, int bone) {
  const Vec3 head = skeleton.bone(bone).head();
  Vec3 sum = Vec3::Zero();
  for (std::size_t j = 0; j < parent.size(); ++j)
    if (parent[j] == bone && roles[j].deforms) sum += skeleton.bones()[j].head() - head;
  if (!(sum.norm() > 0) && skeleton.bone(bone).tail) sum = *skeleton.bone(bone).tail - head;
  const int above = parent[static_cast<std::size_t>(bone)];
  if (!(sum.norm() > 0) && above >= 0) sum = head - skeleton.bone(above).head();
  return sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitY());
}

}  // namespace

std::string_view to_string(Limb limb) {
  switch (limb) {
    case Limb::shoulder:
      return "shoulder";
    case Limb::elbow:
      return "elbow";
    case Limb::forearm_twist:
      return "forearm twist";
    case Limb::hip:
      return "hip";
    case Limb::knee:
      return "knee";
    case Limb::neck:
      return "neck";
  }
  return "";
}

std::vector<LimbPose> limb_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                 const EffectiveHierarchy& hierarchy) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  const LimbBones bones = find_limb_bones(skeleton, roles, hierarchy);
  if (!stands_upright(skeleton, bones)) return {};
  return BodyPoses(skeleton, roles, hierarchy, bones).make();
}

std::vector<LimbPose> bend_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                 const EffectiveHierarchy& hierarchy, std::span<const int> bones) {
  PoseList list(skeleton, hierarchy.parent);
  for (const int bone : bones) {
    const Vec3 along = direction(skeleton, roles, hierarchy.parent, bone);
    const Vec3 across = along.cross(Vec3::UnitZ());
    const Vec3 axis =
        across.norm() > kParallel ? Vec3(across.normalized()) : along.unitOrthogonal();
    const std::string& name = skeleton.bone(bone).name;
    const std::string words = name.empty() ? "Bone " + std::to_string(bone) : name;
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(kBendDeg * std::numbers::pi / 180, axis).toRotationMatrix();
    list.add(with_degrees(words + " bent", kBendDeg), std::nullopt, bone, {{bone, turn}});
  }
  return list.take();
}

}  // namespace sinew
