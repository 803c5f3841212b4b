// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

constexpr int kBones = 12;
constexpr double kLength = 1.20;  // metres
constexpr double kBaseRadius = 0.085;
constexpr double kTipRadius = 0.013;
constexpr int kSuckerRows = 15;  // of two each

/// The axis at rest: upright, leaning back a little at the top. `t` runs from 0 at the base to 1 at
/// the tip.
Vec3 axis_at(double t) { return {0, kLength * t, -0.10 * t * t + 0.05 * std::sin(3 * t) * t}; }

double radius_at(double t) {
  return kTipRadius + (kBaseRadius - kTipRadius) * std::pow(1 - t, 1.15);
}

Vec3 front_at(double t) {
  const Vec3 along = (axis_at(t + 0.01) - axis_at(t - 0.01)).normalized();
  return (Vec3::UnitZ() - along.z() * along).normalized();
}

/// A cup with a rim on the front, right of the middle; the body is mirrored, so its twin is on the
/// left.
void add_sucker(std::vector<Primitive>& p, double t) {
  const double r = radius_at(t);
  const Vec3 front = front_at(t);
  const Vec3 out = (front + 0.62 * Vec3::UnitX()).normalized();
  const double size = 0.40 * r;
  const Vec3 centre = axis_at(t) + 0.93 * r * out;
  p.push_back(egg_along(centre, out, Vec3::UnitX(), {size, 0.46 * size, size}, 0.25 * size));
  p.push_back(carved(egg_along(centre + 0.48 * size * out, out, Vec3::UnitX(),
                               Vec3(0.60, 0.42, 0.60) * size, 0.22 * size)));
}

Group tentacle_group() {
  constexpr int kPieces = 24;
  Group group;
  std::vector<Primitive>& p = group.primitives;
  for (int i = 0; i < kPieces; ++i) {
    const double a = static_cast<double>(i) / kPieces, b = static_cast<double>(i + 1) / kPieces;
    const double end = i + 1 == kPieces ? 1 - kTipRadius / kLength : b;
    p.push_back(limb(axis_at(a), radius_at(a), axis_at(end), radius_at(b), 0.01));
  }
  // A foot that spreads on the ground, cut flat.
  p.push_back(egg({0, 0.0, 0}, {0.125, 0.060, 0.125}, 0.09));
  for (int i = 0; i < kSuckerRows; ++i) {
    const double s = (i + 0.8) / kSuckerRows;
    add_sucker(p, 0.05 + 0.86 * s * (1.35 - 0.35 * s));
  }
  p.push_back(carved(box({0, -0.2, 0}, {0.5, 0.2, 0.5}, 0.001, 0.020)));
  return group;
}

std::string bone_name(int i) { return "Tentacle" + std::to_string(i + 1); }

/// A wave runs up while the tip curls in and lets go again.
Clip curl(const Rig& rig) {
  constexpr double kDuration_s = 2.0;
  constexpr int kKeys = 33;
  ClipWriter clip(rig, "Curl", kDuration_s, kKeys);
  for (int i = 0; i < kBones; ++i) {
    const double t = static_cast<double>(i) / (kBones - 1);
    clip.turn(bone_name(i), [=](double phase) {
      const double grip =
          ease(0.05 + 0.25 * (1 - t), 0.45 + 0.15 * (1 - t), phase) * (1 - ease(0.70, 0.98, phase));
      const double wave = std::sin(2 * std::numbers::pi * (phase - 0.7 * t));
      const double calm = ease(0, 0.15, phase) * (1 - ease(0.85, 1, phase));
      return Motion{(4 + 40 * t * t) * grip + 4 * wave * calm, 5 * wave * calm * (1 - grip), 0};
    });
  }
  return std::move(clip).finish();
}

}  // namespace

Blueprint tentacle_blueprint() {
  Blueprint blueprint;
  Chain chain;
  for (int i = 0; i < kBones; ++i) {
    const double a = static_cast<double>(i) / kBones, b = static_cast<double>(i + 1) / kBones;
    BoneSpec bone;
    bone.name = bone_name(i);
    bone.parent = i == 0 ? "" : bone_name(i - 1);
    bone.head = axis_at(a) + Vec3(0, i == 0 ? 0.01 : 0.0, 0);
    bone.tail = axis_at(b) - Vec3(0, i + 1 == kBones ? 0.004 : 0.0, 0);
    bone.bends_toward = Vec3::UnitZ();
    bone.flex_deg = {-40, 50};
    bone.twist_deg = {-10, 10};
    blueprint.rig.add(bone);
    chain.bones.push_back(bone.name);
    chain.joint_width.push_back(0.5 * kLength / kBones);  // half a bone each way: always two bones
  }
  BodyPlan plan;
  plan.name = "Skin";
  plan.body.groups = {tentacle_group()};
  plan.body.mirrored = true;
  plan.safe_spacing = 0.0105;
  plan.chains = {chain};
  // The tip is a sixth as thick as the base: above the foot there is nothing to either side, so
  // that slices may shrink.
  const SlopeRamp to_tip{0.10, 1.10, 0.45};
  plan.warp.to_body = [=](const Vec3& lattice) {
    const double scale = to_tip.slope(lattice.y());
    const double y = to_tip.map(lattice.y());
    const double centre = axis_at(y / kLength).z();
    return Vec3(scale * lattice.x(), y, centre + scale * (lattice.z() - centre));
  };
  plan.warp.lattice_bounds =
      Box(Vec3(-0.15, -0.01, -0.20), Vec3(0.15, to_tip.inverse(kLength + 0.02), 0.16));
  blueprint.bodies.push_back(std::move(plan));
  blueprint.clips = {curl(blueprint.rig)};
  return blueprint;
}

}  // namespace sinew::sculpt
