// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

const Vec3 kX = Vec3::UnitX();
const Vec3 kY = Vec3::UnitY();
const Vec3 kZ = Vec3::UnitZ();

/// The joints of the robot, left side, in metres: 1.5 m tall, arms hanging a little away from the
/// body.
struct Landmarks {
  Vec3 hips{0, 0.740, 0};
  Vec3 waist{0, 0.840, 0};
  Vec3 neck{0, 1.240, 0};
  Vec3 head{0, 1.300, 0};
  Vec3 crown{0, 1.500, 0};
  Vec3 shoulder{0.265, 1.160, 0};
  Vec3 elbow{0.330, 0.900, -0.005};
  Vec3 wrist{0.360, 0.680, 0.020};
  Vec3 grip{0.370, 0.600, 0.028};
  Vec3 claw_in{0.352, 0.600, 0.028};
  Vec3 claw_in_tip{0.340, 0.505, 0.036};
  Vec3 claw_out{0.392, 0.600, 0.028};
  Vec3 claw_out_tip{0.412, 0.507, 0.036};
  Vec3 hip{0.115, 0.720, 0};
  Vec3 knee{0.125, 0.410, 0.012};
  Vec3 ankle{0.130, 0.100, -0.010};
  Vec3 toe{0.132, 0.040, 0.160};
};

/// A part of one or more solids that melt together, rigid on one bone.
BodyPlan part(const std::string& name, const std::string& bone, double spacing,
              std::initializer_list<Primitive> solids) {
  BodyPlan plan;
  plan.name = name;
  plan.safe_spacing = spacing;
  Group group;
  group.primitives = solids;
  plan.body.groups = {group};
  plan.chains = {{{bone}, {0.01}, ""}};
  return plan;
}

std::string to_right(std::string name) {
  if (name.ends_with(".L")) name.back() = 'R';
  return name;
}

BodyPlan mirror_image(BodyPlan plan) {
  plan.name = to_right(plan.name);
  for (Chain& chain : plan.chains)
    for (std::string& bone : chain.bones) bone = to_right(bone);
  for (Group& group : plan.body.groups)
    for (Primitive& solid : group.primitives) {
      solid.origin.x() *= -1;
      solid.axes.row(0) *= -1;
      solid.axes.col(0) *=
          -1;  // the solids are symmetric in their own X: this only keeps the axes right-handed
    }
  return plan;
}

Primitive slab(const Vec3& from, const Vec3& to, double half_width, double half_depth,
               double rounding) {
  Primitive solid =
      box((from + to) / 2, {half_width, (to - from).norm() / 2, half_depth}, rounding, 0.010);
  solid.axes.col(1) = (to - from).normalized();
  solid.axes.col(0) = (kX - kX.dot(solid.axes.col(1)) * solid.axes.col(1)).normalized();
  solid.axes.col(2) = solid.axes.col(0).cross(solid.axes.col(1));
  return solid;
}

Vec3 between(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

void add_trunk(std::vector<BodyPlan>& parts) {
  parts.push_back(part("Pelvis", "Hips", 0.010,
                       {box({0, 0.745, 0}, {0.115, 0.055, 0.085}, 0.030, 0),
                        box({0, 0.700, 0.005}, {0.050, 0.050, 0.075}, 0.024, 0.030)}));
  parts.push_back(
      part("Waist", "Spine", 0.010, {cylinder({0, 0.835, 0}, kY, 0.070, 0.050, 0.016, 0)}));
  parts.push_back(part("Chest", "Spine", 0.012,
                       {box({0, 1.090, 0}, {0.185, 0.125, 0.115}, 0.045, 0),
                        box({0, 0.940, 0}, {0.120, 0.070, 0.090}, 0.035, 0.080),
                        turned(box({0, 1.100, 0.105}, {0.120, 0.065, 0.030}, 0.018, 0.012), kX, -8),
                        carved(cylinder({0, 1.100, 0.150}, kZ, 0.040, 0.022, 0.006, 0.008))}));
  parts.push_back(
      part("Reactor", "Spine", 0.008, {egg({0, 1.100, 0.122}, {0.032, 0.032, 0.018}, 0)}));
  parts.push_back(part("Pack", "Spine", 0.010,
                       {box({0, 1.095, -0.160}, {0.120, 0.105, 0.038}, 0.024, 0),
                        cylinder({0.070, 1.100, -0.185}, kY, 0.034, 0.095, 0.015, 0.014),
                        cylinder({-0.070, 1.100, -0.185}, kY, 0.034, 0.095, 0.015, 0.014)}));
  parts.push_back(
      part("NeckShell", "Neck", 0.009, {cylinder({0, 1.262, 0}, kY, 0.044, 0.046, 0.012, 0)}));
  parts.push_back(part("HeadShell", "Head", 0.009,
                       {box({0, 1.405, 0.005}, {0.092, 0.090, 0.095}, 0.045, 0),
                        box({0, 1.345, 0.045}, {0.060, 0.032, 0.060}, 0.022, 0.030),
                        carved(box({0, 1.415, 0.105}, {0.070, 0.028, 0.020}, 0.012, 0.008))}));
  parts.push_back(
      part("Visor", "Head", 0.007, {box({0, 1.415, 0.083}, {0.064, 0.022, 0.012}, 0.010, 0)}));
  parts.push_back(part("Antenna", "Head", 0.005,
                       {limb({0.050, 1.480, -0.030}, 0.010, {0.062, 1.575, -0.045}, 0.007, 0),
                        egg({0.063, 1.582, -0.046}, Vec3::Constant(0.015), 0.006)}));
  parts.push_back(
      part("Core", "Hips", 0.009, {cylinder({0, 0.795, 0}, kY, 0.048, 0.030, 0.010, 0)}));
}

void add_arm(std::vector<BodyPlan>& parts, const Landmarks& at) {
  parts.push_back(
      part("ShoulderBall.L", "Shoulder.L", 0.009,
           {egg(at.shoulder - Vec3(0.018, 0, 0), Vec3::Constant(0.062), 0),
            cylinder(at.shoulder - Vec3(0.055, 0, 0), kX, 0.040, 0.035, 0.010, 0.012)}));
  parts.push_back(part(
      "ShoulderPlate.L", "UpperArm.L", 0.009,
      {turned(box(at.shoulder + Vec3(0.028, 0.020, 0), {0.048, 0.070, 0.078}, 0.032, 0), kZ, 12)}));
  parts.push_back(part("UpperArmShell.L", "UpperArm.L", 0.008,
                       {slab(between(at.shoulder, at.elbow, 0.24),
                             between(at.shoulder, at.elbow, 0.84), 0.040, 0.044, 0.022)}));
  parts.push_back(
      part("Elbow.L", "Forearm.L", 0.008, {cylinder(at.elbow, kX, 0.038, 0.046, 0.012, 0)}));
  parts.push_back(
      part("ForearmShell.L", "Forearm.L", 0.009,
           {slab(between(at.elbow, at.wrist, 0.16), between(at.elbow, at.wrist, 0.88), 0.046, 0.052,
                 0.024),
            slab(between(at.elbow, at.wrist, 0.30) + Vec3(0.024, 0, 0),
                 between(at.elbow, at.wrist, 0.78) + Vec3(0.024, 0, 0), 0.034, 0.034, 0.014)}));
  parts.push_back(part("Wrist.L", "Hand.L", 0.007,
                       {cylinder(at.wrist, at.grip - at.wrist, 0.030, 0.026, 0.008, 0)}));
  parts.push_back(part("Palm.L", "Hand.L", 0.007,
                       {slab(between(at.wrist, at.grip, 0.30), between(at.wrist, at.grip, 1.08),
                             0.046, 0.034, 0.016)}));
  parts.push_back(part(
      "ClawInnerShell.L", "ClawInner.L", 0.006,
      {slab(between(at.claw_in, at.claw_in_tip, 0.02), at.claw_in_tip, 0.0120, 0.024, 0.009)}));
  parts.push_back(part(
      "ClawOuterShell.L", "ClawOuter.L", 0.006,
      {slab(between(at.claw_out, at.claw_out_tip, 0.02), at.claw_out_tip, 0.0120, 0.024, 0.009)}));
}

void add_leg(std::vector<BodyPlan>& parts, const Landmarks& at) {
  parts.push_back(part("HipBall.L", "Thigh.L", 0.009, {egg(at.hip, Vec3::Constant(0.058), 0)}));
  parts.push_back(part(
      "ThighShell.L", "Thigh.L", 0.009,
      {slab(between(at.hip, at.knee, 0.16), between(at.hip, at.knee, 0.86), 0.058, 0.064, 0.030)}));
  parts.push_back(part("Knee.L", "Shin.L", 0.008, {cylinder(at.knee, kX, 0.045, 0.056, 0.014, 0)}));
  parts.push_back(part("KneePlate.L", "Shin.L", 0.008,
                       {box(at.knee + Vec3(0, 0.004, 0.056), {0.038, 0.048, 0.017}, 0.014, 0)}));
  parts.push_back(
      part("ShinShell.L", "Shin.L", 0.009,
           {slab(between(at.knee, at.ankle, 0.15), between(at.knee, at.ankle, 0.86), 0.054, 0.058,
                 0.026),
            slab(between(at.knee, at.ankle, 0.28) - Vec3(0, 0, 0.030),
                 between(at.knee, at.ankle, 0.66) - Vec3(0, 0, 0.030), 0.042, 0.048, 0.022)}));
  parts.push_back(part("Ankle.L", "Foot.L", 0.008,
                       {cylinder(at.ankle - Vec3(0, 0.004, 0), kX, 0.034, 0.044, 0.010, 0)}));
  parts.push_back(part(
      "FootShell.L", "Foot.L", 0.009,
      {box({at.ankle.x(), 0.030, 0.030}, {0.062, 0.030, 0.110}, 0.018, 0),
       turned(box({at.ankle.x(), 0.056, 0.005}, {0.048, 0.030, 0.064}, 0.018, 0.024), kX, 12)}));
  parts.push_back(part("Toe.L", "Toes.L", 0.008,
                       {box({at.ankle.x(), 0.026, 0.176}, {0.060, 0.026, 0.030}, 0.018, 0)}));
}

void add_bones(Rig& rig, const Landmarks& at) {
  const Vec3 ball(at.ankle.x(), 0.030, 0.142);
  const Vec3 back = -kZ;
  rig.add({"Hips", "", at.hips, at.waist, kZ, {-15, 15}, {-20, 20}});
  rig.add({"Spine", "Hips", at.waist, at.neck, kZ, {-20, 30}, {-45, 45}});
  rig.add({"Neck", "Spine", at.neck, at.head, kZ, {-20, 20}, {-60, 60}});
  rig.add({"Head", "Neck", at.head, at.crown, kZ, {-25, 25}, {-30, 30}});
  rig.add({"Shoulder.L",
           "Spine",
           at.shoulder - Vec3(0.120, 0, 0),
           at.shoulder,
           kZ,
           {-5, 5},
           {-120, 120}});
  rig.add({"UpperArm.L", "Shoulder.L", at.shoulder, at.elbow, kZ, {-40, 120}, {-5, 5}});
  rig.add({"Forearm.L", "UpperArm.L", at.elbow, at.wrist, kZ, {0, 125}, {0, 0}, true});
  rig.add({"Hand.L", "Forearm.L", at.wrist, at.grip, kZ, {-45, 45}, {-120, 120}});
  rig.add({"ClawInner.L", "Hand.L", at.claw_in, at.claw_in_tip, kX, {-30, 25}, {0, 0}, true});
  rig.add({"ClawOuter.L", "Hand.L", at.claw_out, at.claw_out_tip, -kX, {-30, 25}, {0, 0}, true});
  rig.add({"Thigh.L", "Hips", at.hip, at.knee, kZ, {-40, 95}, {-15, 15}});
  rig.add({"Shin.L", "Thigh.L", at.knee, at.ankle, back, {0, 120}, {0, 0}, true});
  rig.add({"Foot.L", "Shin.L", at.ankle, ball, kY, {-35, 35}, {-15, 15}, true});
  rig.add({"Toes.L", "Foot.L", ball, Vec3(at.ankle.x(), 0.026, 0.198), kY, {-5, 45}, {0, 0}, true});
}

double wave(double phase) { return std::sin(2 * std::numbers::pi * phase); }

Clip march(const Rig& rig) {
  constexpr double kDuration_s = 1.4;
  constexpr int kKeys = 29;
  ClipWriter clip(rig, "March", kDuration_s, kKeys);
  clip.shift("Hips", [](double t) { return Vec3(0, 0.012 * wave(2 * t + 0.25) - 0.012, 0); });
  clip.turn("Spine", [](double t) { return Motion{2, 0, 10 * wave(t)}; });
  clip.turn("Neck", [](double t) { return Motion{0, 0, -16 * wave(t)}; });
  clip.turn("Head", [](double t) { return Motion{4 * wave(2 * t), 0, 0}; });
  for (const auto& [side, lead] : {std::pair<std::string, double>{".L", 0}, {".R", 0.5}}) {
    const double phase = lead;
    clip.turn("Thigh" + side, [=](double t) { return Motion{14 + 32 * wave(t + phase), 0, 0}; });
    clip.turn("Shin" + side, [=](double t) {
      return Motion{16 + 46 * std::max(0.0, wave(t + phase + 0.18)), 0, 0};
    });
    clip.turn("Foot" + side, [=](double t) {
      return Motion{2 + 14 * wave(t + phase - 0.05), 0, 0};
    });
    clip.turn("UpperArm" + side, [=](double t) { return Motion{4 - 34 * wave(t + phase), 0, 0}; });
    clip.turn("Forearm" + side, [=](double t) { return Motion{52 - 26 * wave(t + phase), 0, 0}; });
    for (const char* claw : {"ClawInner", "ClawOuter"})
      clip.turn(claw + side, [=](double t) { return Motion{2 + 12 * wave(2 * t + phase), 0, 0}; });
  }
  return std::move(clip).finish();
}

}  // namespace

Blueprint robot_blueprint() {
  const Landmarks at;
  Blueprint blueprint;
  add_bones(blueprint.rig, at);
  blueprint.rig.mirror_left_to_right();
  add_trunk(blueprint.bodies);
  std::vector<BodyPlan> left;
  add_arm(left, at);
  add_leg(left, at);
  for (BodyPlan& plan : left) {
    blueprint.bodies.push_back(mirror_image(plan));
    blueprint.bodies.push_back(std::move(plan));
  }
  blueprint.clips = {march(blueprint.rig)};
  return blueprint;
}

}  // namespace sinew::sculpt
