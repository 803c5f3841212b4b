// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "characters/biped_shape.h"
#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

const Vec3 kForward = Vec3::UnitZ();
const Vec3 kBackward = -Vec3::UnitZ();

void add_torso_bones(Rig& rig, const BipedLandmarks& at) {
  rig.add({"Hips", "", at.hips, at.spine, kForward, {-15, 15}, {-10, 10}});
  rig.add({"Spine", "Hips", at.spine, at.chest, kForward, {-20, 30}, {-12, 12}});
  rig.add({"Chest", "Spine", at.chest, at.upper_chest, kForward, {-20, 25}, {-12, 12}});
  rig.add({"UpperChest", "Chest", at.upper_chest, at.neck, kForward, {-10, 15}, {-10, 10}});
  rig.add({"Neck", "UpperChest", at.neck, at.head, kForward, {-30, 35}, {-35, 35}});
  rig.add({"Head", "Neck", at.head, at.crown, kForward, {-30, 30}, {-35, 35}});
}

void add_leg_bones(Rig& rig, const BipedLandmarks& at) {
  rig.add({"Thigh.L", "Hips", at.hip, at.knee, kForward, {-25, 100}, {-25, 25}});
  rig.add({"Shin.L", "Thigh.L", at.knee, at.ankle, kBackward, {0, 130}, {-8, 8}, true});
  rig.add({"Foot.L", "Shin.L", at.ankle, at.ball, Vec3::UnitY(), {-45, 25}, {-15, 15}, true});
  rig.add({"Toes.L", "Foot.L", at.ball, at.toe, Vec3::UnitY(), {-20, 55}, {-3, 3}, true});
}

void add_arm_bones(Rig& rig, const BipedLandmarks& at) {
  const Vec3 tip = at.hand().at(0, 0.090, 0);
  rig.add({"Shoulder.L", "UpperChest", at.collar, at.shoulder, kForward, {-15, 20}, {-5, 5}});
  rig.add({"UpperArm.L", "Shoulder.L", at.shoulder, at.elbow, kForward, {-60, 90}, {-40, 40}});
  rig.add({"Forearm.L", "UpperArm.L", at.elbow, at.wrist, kForward, {0, 135}, {-70, 70}, true});
  rig.add(
      {"Hand.L", "Forearm.L", at.wrist, tip, at.hand().direction(0, 0, -1), {-60, 70}, {-10, 10}});
}

/// Hands get a lattice four times as fine as the trunk, the head three times. Beyond x = 0.3
/// there is nothing but an arm, and above y = 1.5 nothing but the head: each slice there can be
/// scaled on its own.
Warp biped_warp(const BipedLandmarks& at) {
  const SlopeRamp to_hands{0.28, 0.34, 0.26};
  const SlopeRamp to_head{1.47, 0.18, 0.34};
  const double arm_slope = (at.wrist.y() - at.shoulder.y()) / (at.wrist.x() - at.shoulder.x());
  Warp warp;
  warp.to_body = [=](const Vec3& lattice) {
    const double head_scale = to_head.slope(lattice.y());
    Vec3 p(lattice.x() * head_scale, to_head.map(lattice.y()), lattice.z() * head_scale);
    const double outward = std::abs(p.x());
    if (outward <= to_hands.start) return p;
    const double hand_scale = to_hands.slope(outward);
    const double x = to_hands.map(outward);
    const double arm_y = at.shoulder.y() + arm_slope * (x - at.shoulder.x());
    return Vec3(std::copysign(x, p.x()), arm_y + hand_scale * (p.y() - arm_y), hand_scale * p.z());
  };
  const double half_width = to_hands.inverse(0.74);
  warp.lattice_bounds =
      Box(Vec3(-half_width, -0.01, -0.44), Vec3(half_width, to_head.inverse(1.77), 0.44));
  return warp;
}

BodyPlan biped_plan(Rig& rig, const BipedLandmarks& at) {
  BodyPlan plan;
  plan.name = "Skin";
  plan.body.mirrored = true;
  plan.body.groups = biped_groups(at);
  plan.safe_spacing = 0.019;
  plan.warp = biped_warp(at);
  plan.chains = {
      {{"Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"},
       {0.05, 0.07, 0.07, 0.06, 0.035, 0.030},
       ""},
      {{"Thigh.L", "Shin.L", "Foot.L", "Toes.L"}, {0.08, 0.055, 0.040, 0.022}, "Hips"},
      {{"UpperArm.L", "Forearm.L", "Hand.L"}, {0.055, 0.040, 0.024}, "Shoulder.L"},
  };
  plan.soft_bones = {{"Shoulder.L", 0, 0.115}};
  add_hand(plan, rig, at.hand(), 2, "Hand.L", ".L");
  return plan;
}

double wave(double phase) { return std::sin(2 * std::numbers::pi * phase); }

/// One step of a walk for one side; `phase` 0 is its heel strike.
void add_leg_walk(ClipWriter& clip, const std::string& side, double lead) {
  clip.turn("Thigh" + side, [=](double t) { return Motion{4 + 24 * wave(t + lead + 0.25), 0, 0}; });
  clip.turn("Shin" + side, [=](double t) {
    const double swing = std::max(0.0, wave(t + lead + 0.42));
    const double give = std::max(0.0, wave(2 * (t + lead) + 0.95)) * 8;
    return Motion{5 + give + 52 * swing * swing, 0, 0};
  });
  clip.turn("Foot" + side, [=](double t) {
    return Motion{2 + 14 * wave(t + lead + 0.16) - 6 * wave(2 * (t + lead)), 0, 0};
  });
  clip.turn("Toes" + side, [=](double t) {
    const double push = std::max(0.0, wave(t + lead + 0.68));
    return Motion{26 * push * push * push, 0, 0};
  });
}

void add_arm_walk(ClipWriter& clip, const std::string& side, double lead) {
  const double sign = side == ".L" ? 1 : -1;
  clip.turn("Shoulder" + side, [=](double t) { return Motion{4 * wave(t + lead + 0.25), 0, 0}; });
  clip.turn("UpperArm" + side, [=](double t) {
    return Motion{22 * wave(t + lead + 0.25), sign * -34, 0};
  });
  clip.turn("Forearm" + side, [=](double t) {
    return Motion{24 + 14 * wave(t + lead + 0.20), 0, 0};
  });
  for (const std::string& finger : finger_names())
    for (int i = 1; i <= 3; ++i)
      clip.turn(finger + std::to_string(i) + side, [=](double t) {
        return Motion{(finger == "Thumb" ? 6.0 : 16.0) + 4 * wave(t + lead + 0.1), 0, 0};
      });
}

Clip walk(const Rig& rig) {
  constexpr double kDuration_s = 1.1;
  constexpr int kKeys = 25;
  ClipWriter clip(rig, "Walk", kDuration_s, kKeys);
  clip.shift("Hips", [](double t) {
    return Vec3(0.018 * wave(t + 0.0), -0.022 + 0.018 * wave(2 * t + 0.55), 0);
  });
  clip.turn("Hips", [](double t) { return Motion{3, 3 * wave(t), 6 * wave(t + 0.25)}; });
  clip.turn("Spine", [](double t) { return Motion{1, -2 * wave(t), -4 * wave(t + 0.25)}; });
  clip.turn("Chest", [](double t) { return Motion{0, -1.5 * wave(t), -6 * wave(t + 0.25)}; });
  clip.turn("Head", [](double t) { return Motion{-3 + 1.5 * wave(2 * t), 0, 4 * wave(t + 0.25)}; });
  add_leg_walk(clip, ".L", 0);
  add_leg_walk(clip, ".R", 0.5);
  add_arm_walk(clip, ".L", 0.5);
  add_arm_walk(clip, ".R", 0);
  return std::move(clip).finish();
}

}  // namespace

Blueprint biped_blueprint() {
  const BipedLandmarks at;
  Blueprint blueprint;
  add_torso_bones(blueprint.rig, at);
  add_leg_bones(blueprint.rig, at);
  add_arm_bones(blueprint.rig, at);
  blueprint.bodies.push_back(biped_plan(blueprint.rig, at));
  blueprint.rig.mirror_left_to_right();
  blueprint.clips = {walk(blueprint.rig)};
  return blueprint;
}

}  // namespace sinew::sculpt
