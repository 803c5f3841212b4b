// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "poses/limb_angles.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace sinew {
namespace {

using Eigen::Matrix3d;

/// Of a raised arm, what exceeds this is in part the clavicle's.
constexpr double kClavicleBeginsDeg = 30;
constexpr double kClavicleShare = 1.0 / 3;
/// Sine of the angle between two directions below which their cross product is no axis.
constexpr double kParallel = 0.05;

Matrix3d turn(const Vec3& axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix();
}

/// The least turn that brings one direction to another.
Matrix3d least_turn(const Vec3& from, const Vec3& to) {
  return Quat::FromTwoVectors(from, to).toRotationMatrix();
}

/// What turns `from` towards `to`, or towards `else_to` where these are parallel.
Vec3 axis_towards(const Vec3& from, const Vec3& to, const Vec3& else_to) {
  const Vec3 axis = from.cross(to);
  if (axis.norm() > kParallel) return axis.normalized();
  const Vec3 other = from.cross(else_to);
  return other.norm() > kParallel ? Vec3(other.normalized()) : Vec3(from.unitOrthogonal());
}

/// From the right to the left of a pair of joints; zero where one is not there.
Vec3 across(const Skeleton& skeleton, int left, int right) {
  if (left < 0 || right < 0) return Vec3::Zero();
  return skeleton.bone(left).head() - skeleton.bone(right).head();
}

Vec3 level(const Vec3& direction, const Vec3& up) { return direction - up * up.dot(direction); }

}  // namespace

BodyFrame body_frame(const Skeleton& skeleton, const LimbBones& bones,
                     std::span<const int> parent) {
  BodyFrame body;
  Vec3 left = across(skeleton, bones.arms[0].upper, bones.arms[1].upper) +
              across(skeleton, bones.legs[0].thigh, bones.legs[1].thigh);
  left = level(left, body.up);
  if (left.norm() > 0) {
    body.left = left.normalized();
    body.front = body.left.cross(body.up);
    return body;
  }
  Vec3 front = Vec3::Zero();
  for (const LegBones& leg : bones.legs)
    if (leg.toes >= 0 && parent[static_cast<std::size_t>(leg.toes)] >= 0)
      front += skeleton.bone(leg.toes).head() -
               skeleton.bone(parent[static_cast<std::size_t>(leg.toes)]).head();
  front = level(front, body.up);
  if (front.norm() > 0) body.front = front.normalized();
  body.left = body.up.cross(body.front);
  return body;
}

LimbAngles::LimbAngles(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                       const EffectiveHierarchy& hierarchy, const LimbBones& bones)
    : skeleton_(skeleton),
      roles_(roles),
      parent_(hierarchy.parent),
      bones_(bones),
      body_(body_frame(skeleton, bones, hierarchy.parent)) {}

bool LimbAngles::turns_bone(int bone) const {
  return bone >= 0 && roles_[static_cast<std::size_t>(bone)].deforms;
}

Vec3 LimbAngles::head_of(int bone) const { return skeleton_.bone(bone).head(); }

/// Unit: to the next bone of the limb, else to the deforming children on the whole, else to the
/// tail, else away from what it hangs on. Of a bone that is not there, as a limb hangs.
Vec3 LimbAngles::direction(int bone, int next) const {
  if (bone < 0) return -body_.up;
  const Vec3 head = head_of(bone);
  Vec3 along = next >= 0 ? Vec3(head_of(next) - head) : Vec3::Zero();
  if (!(along.norm() > 0))
    for (std::size_t j = 0; j < parent_.size(); ++j)
      if (parent_[j] == bone && roles_[j].deforms) along += skeleton_.bones()[j].head() - head;
  if (!(along.norm() > 0) && skeleton_.bone(bone).tail) along = *skeleton_.bone(bone).tail - head;
  const int above = parent_[static_cast<std::size_t>(bone)];
  if (!(along.norm() > 0) && above >= 0) along = head - head_of(above);
  return along.norm() > 0 ? Vec3(along.normalized()) : Vec3(-body_.up);
}

void LimbAngles::swing_arm(Turns& turns, std::size_t side, const Vec3& towards,
                           double degrees) const {
  const ArmBones& arm = bones_.arms[side];
  if (!turns_bone(arm.upper)) return;
  const Vec3 down = -body_.up;
  const Vec3 axis = down.cross(towards);
  const bool has_clavicle = turns_bone(arm.clavicle) && arm.clavicle != arm.upper;
  const double by_clavicle =
      has_clavicle ? kClavicleShare * std::max(0.0, degrees - kClavicleBeginsDeg) : 0;
  if (by_clavicle > 0) turns[arm.clavicle] = turn(axis, by_clavicle);
  turns[arm.upper] =
      turn(axis, degrees - by_clavicle) * least_turn(direction(arm.upper, arm.lower), down);
}

void LimbAngles::raise_arm(Turns& turns, std::size_t side, double degrees) const {
  swing_arm(turns, side, body_.out(side), degrees);
}

void LimbAngles::lift_arm(Turns& turns, std::size_t side, double degrees) const {
  swing_arm(turns, side, body_.front, degrees);
}

void LimbAngles::bend_elbow(Turns& turns, std::size_t side, double degrees) const {
  const ArmBones& arm = bones_.arms[side];
  if (!turns_bone(arm.lower)) return;
  const Vec3 lower = direction(arm.lower, arm.hand);
  const Vec3 upper = arm.upper >= 0 ? direction(arm.upper, arm.lower) : lower;
  // An arm that is modelled to the front bends up.
  const Vec3 axis = axis_towards(upper, body_.front, body_.up);
  turns[arm.lower] = turn(axis, degrees) * least_turn(lower, upper);
}

void LimbAngles::twist_forearm(Turns& turns, std::size_t side, double degrees) const {
  const ArmBones& arm = bones_.arms[side];
  if (!turns_bone(arm.lower)) return;
  // Both palms the same way: what is outwards on the left is inwards on the right.
  turns[arm.lower] = turn(direction(arm.lower, arm.hand), side == 0 ? -degrees : degrees);
}

/// Where the palm looks: by the fingers, from the little one's side to the thumb's; else by an arm
/// that was raised from the thigh straight.
Vec3 LimbAngles::palm(std::size_t side) const {
  const ArmBones& arm = bones_.arms[side];
  const int upper = arm.upper >= 0 ? arm.upper : arm.lower;
  const Vec3 upper_along = direction(upper, upper == arm.upper ? arm.lower : arm.hand);
  const Vec3 hand =
      arm.hand >= 0 ? direction(arm.hand, arm.fingers.empty() ? -1 : arm.fingers.front().front())
                    : direction(arm.lower, -1);
  const Vec3 by_arm = least_turn(-body_.up, upper_along) * -body_.out(side);
  if (arm.fingers.size() < 2 || arm.thumb.empty()) return by_arm;
  Vec3 first = head_of(arm.fingers.front().front());
  Vec3 last = head_of(arm.fingers.back().front());
  const Vec3 thumb = head_of(arm.thumb.front());
  if ((thumb - last).norm() < (thumb - first).norm()) std::swap(first, last);
  const Vec3 normal = hand.cross(first - last) * (side == 0 ? 1.0 : -1.0);
  return normal.norm() > 0 ? Vec3(normal.normalized()) : by_arm;
}

void LimbAngles::bend_wrist(Turns& turns, std::size_t side, double degrees) const {
  const ArmBones& arm = bones_.arms[side];
  if (!turns_bone(arm.hand)) return;
  const Vec3 lower = arm.lower >= 0 ? direction(arm.lower, arm.hand) : direction(arm.hand, -1);
  turns[arm.hand] = turn(axis_towards(lower, palm(side), body_.front), degrees);
}

void LimbAngles::bend_fingers(Turns& turns, std::size_t side, double degrees) const {
  if (bones_.arms[side].fingers.empty()) return;
  const Vec3 to_palm = palm(side);
  for (const std::vector<int>& finger : bones_.arms[side].fingers)
    for (std::size_t k = 0; k < finger.size(); ++k) {
      const Vec3 along = direction(finger[k], k + 1 < finger.size() ? finger[k + 1] : -1);
      turns[finger[k]] = turn(axis_towards(along, to_palm, body_.front), degrees);
    }
}

void LimbAngles::bend_thumb(Turns& turns, std::size_t side, double degrees) const {
  const ArmBones& arm = bones_.arms[side];
  if (arm.thumb.empty()) return;
  Vec3 target = palm(side);
  if (!arm.fingers.empty()) {  // over the palm, to the roots of the fingers that are farthest
    Vec3 farthest = Vec3::Zero();
    for (const std::vector<int>& finger : arm.fingers) {
      const Vec3 way = head_of(finger.front()) - head_of(arm.thumb.front());
      if (way.norm() > farthest.norm()) farthest = way;
    }
    if (farthest.norm() > 0) target += farthest.normalized();
  }
  // Of three joints the first, in the palm, stays: it opens a hand rather than bends a thumb.
  for (std::size_t k = arm.thumb.size() > 2 ? 1 : 0; k < arm.thumb.size(); ++k) {
    const Vec3 along = direction(arm.thumb[k], k + 1 < arm.thumb.size() ? arm.thumb[k + 1] : -1);
    turns[arm.thumb[k]] = turn(axis_towards(along, target, palm(side)), degrees);
  }
}

void LimbAngles::swing_thigh(Turns& turns, std::size_t side, const Vec3& towards,
                             double degrees) const {
  const LegBones& leg = bones_.legs[side];
  if (!turns_bone(leg.thigh)) return;
  const Vec3 down = -body_.up;
  turns[leg.thigh] =
      turn(down.cross(towards), degrees) * least_turn(direction(leg.thigh, leg.shin), down);
}

void LimbAngles::bend_hip(Turns& turns, std::size_t side, double degrees) const {
  swing_thigh(turns, side, body_.front, degrees);
}

void LimbAngles::spread_hip(Turns& turns, std::size_t side, double degrees) const {
  swing_thigh(turns, side, body_.out(side), degrees);
}

void LimbAngles::bend_knee(Turns& turns, std::size_t side, double degrees) const {
  const LegBones& leg = bones_.legs[side];
  if (!turns_bone(leg.shin)) return;
  const Vec3 lower = direction(leg.shin, leg.foot);
  const Vec3 upper = leg.thigh >= 0 ? direction(leg.thigh, leg.shin) : lower;
  turns[leg.shin] =
      turn(axis_towards(upper, -body_.front, body_.up), degrees) * least_turn(lower, upper);
}

void LimbAngles::bend_ankle(Turns& turns, std::size_t side, double degrees) const {
  const LegBones& leg = bones_.legs[side];
  if (!turns_bone(leg.foot)) return;
  const Vec3 down = -body_.up;
  // Modelled with flat soles: where the shin leans, the ankle is bent already.
  const Vec3 shin = leg.shin >= 0 ? direction(leg.shin, leg.foot) : down;
  turns[leg.foot] =
      turn(axis_towards(body_.front, body_.up, body_.up), degrees) * least_turn(down, shin);
}

void LimbAngles::nod(Turns& turns, double degrees) const {
  std::vector<int> chain = bones_.neck;
  if (turns_bone(bones_.head)) chain.push_back(bones_.head);
  for (const int bone : chain)
    turns[bone] = turn(body_.left, degrees / static_cast<double>(chain.size()));
}

void LimbAngles::turn_head(Turns& turns, double degrees) const {
  std::vector<int> chain = bones_.neck;
  if (turns_bone(bones_.head)) chain.push_back(bones_.head);
  for (const int bone : chain)
    turns[bone] = turn(body_.up, degrees / static_cast<double>(chain.size()));
}

void LimbAngles::bend_spine(Turns& turns, double degrees) const {
  for (const int bone : bones_.spine)
    turns[bone] = turn(body_.left, degrees / static_cast<double>(bones_.spine.size()));
}

}  // namespace sinew
