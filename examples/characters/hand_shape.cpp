// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/hand_shape.h"

#include <array>
#include <cmath>
#include <numbers>

#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

/// One finger in the frame of its hand: (to thumb, along, to back), metres.
struct FingerShape {
  const char* name;
  Vec3 root;
  double fan_deg;  // towards the thumb
  std::array<double, 3> lengths;
  double radius;  // at the root
};

// Proportions of a slender adult hand, spread so that the fingers stay apart at any resolution.
const std::array<FingerShape, 4> kFingers = {{
    {"Index", {0.0295, 0.087, 0.0010}, 9, {0.043, 0.026, 0.021}, 0.0088},
    {"Middle", {0.0098, 0.091, 0.0025}, 2, {0.047, 0.030, 0.022}, 0.0090},
    {"Ring", {-0.0102, 0.087, 0.0012}, -6, {0.043, 0.028, 0.022}, 0.0086},
    {"Pinky", {-0.0285, 0.078, -0.0018}, -16, {0.034, 0.021, 0.019}, 0.0076},
}};

constexpr std::array<double, 3> kCurlDeg = {5, 12, 20};  // a hand at rest is never flat
constexpr double kTaper = 0.88;  // of the radius, from one joint to the next

struct FingerPath {
  std::array<Vec3, 4> joints;  // body space
  Vec3 bends_toward;
};

FingerPath finger_path(const FingerShape& finger, const HandFrame& frame) {
  const double to_rad = std::numbers::pi / 180;
  const double fan = finger.fan_deg * to_rad;
  FingerPath path;
  path.bends_toward = frame.direction(0, 0, -1);
  Vec3 local = finger.root;
  path.joints[0] = frame.at(local.x(), local.y(), local.z());
  for (std::size_t i = 0; i < 3; ++i) {
    const double curl = kCurlDeg[i] * to_rad;
    local += finger.lengths[i] *
             Vec3(std::sin(fan) * std::cos(curl), std::cos(fan) * std::cos(curl), -std::sin(curl));
    path.joints[i + 1] = frame.at(local.x(), local.y(), local.z());
  }
  return path;
}

void add_finger_bones(Rig& rig, Chain& chain, const std::string& name, const std::string& suffix,
                      const FingerPath& path, const std::string& hand_bone,
                      const std::array<double, 3>& widths, const std::array<Range, 3>& flex_deg) {
  std::string parent = hand_bone;
  for (std::size_t i = 0; i < 3; ++i) {
    BoneSpec bone;
    bone.name = name + std::to_string(i + 1) + suffix;
    bone.parent = parent;
    bone.head = path.joints[i];
    bone.tail = path.joints[i + 1];
    bone.bends_toward = path.bends_toward;
    bone.flex_deg = flex_deg[i];
    bone.twist_deg = {-3, 3};
    bone.hinge = true;
    rig.add(bone);
    chain.bones.push_back(bone.name);
    chain.joint_width.push_back(widths[i]);
    parent = bone.name;
  }
  chain.attach_bone = hand_bone;
}

void add_finger(BodyPlan& plan, Rig& rig, const FingerShape& finger, const HandFrame& frame,
                int arm_group, const std::string& hand_bone, const std::string& suffix) {
  const double s = frame.scale;
  const FingerPath path = finger_path(finger, frame);
  Group group;
  group.parent = arm_group;
  group.attach = path.joints[0];
  group.attach_blend = 0.013 * s;
  group.attach_reach = 0.026 * s;
  double radius = finger.radius * s;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &head = path.joints[i], &tail = path.joints[i + 1];
    const double next = i == 2 ? radius * 0.82 : radius * kTaper;
    const Vec3 tip_in = i == 2 ? Vec3(tail - (tail - head).normalized() * 0.7 * next) : tail;
    group.primitives.push_back(limb(head, radius, tip_in, next, 0.006 * s));
    // A pad on the palm's side and a knuckle on the back keep a finger from looking like a pipe.
    const Vec3 middle = 0.52 * head + 0.48 * tail + path.bends_toward * radius * 0.26;
    group.primitives.push_back(egg_along(middle, tail - head, frame.direction(1, 0, 0),
                                         {radius * 0.84, (tail - head).norm() * 0.38, radius * 0.8},
                                         0.005 * s));
    if (i > 0)
      group.primitives.push_back(
          egg(head - path.bends_toward * radius * 0.12, Vec3::Constant(radius * 1.0), 0.006 * s));
    radius = next;
  }
  // A hint of a nail.
  const Vec3 last = (path.joints[3] - path.joints[2]).normalized();
  const Vec3 back = (-path.bends_toward + path.bends_toward.dot(last) * last).normalized();
  group.primitives.push_back(egg_along(path.joints[3] - last * radius * 1.3 + back * radius * 0.72,
                                       last, frame.direction(1, 0, 0),
                                       {radius * 0.62, radius * 0.8, radius * 0.3}, 0.0015 * s));
  plan.body.groups.push_back(std::move(group));

  Chain chain;
  const double w = finger.radius * s;
  add_finger_bones(rig, chain, finger.name, suffix, path, hand_bone, {1.3 * w, w, 0.9 * w},
                   {{{-15, 85}, {0, 100}, {0, 75}}});
  plan.chains.push_back(std::move(chain));
}

void add_thumb(BodyPlan& plan, Rig& rig, const HandFrame& frame, int arm_group,
               const std::string& hand_bone, const std::string& suffix) {
  const double s = frame.scale;
  FingerPath path;
  path.joints = {frame.at(0.016, 0.018, -0.008), frame.at(0.043, 0.046, -0.018),
                 frame.at(0.061, 0.071, -0.024), frame.at(0.073, 0.098, -0.028)};
  path.bends_toward = frame.direction(-0.70, 0.25, -0.65);
  Group group;
  group.parent = arm_group;
  group.attach = frame.at(0.030, 0.034, -0.012);
  group.attach_blend = 0.022 * s;
  group.attach_reach = 0.046 * s;
  const std::array<double, 4> radii = {0.0145 * s, 0.0110 * s, 0.0096 * s, 0.0074 * s};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &head = path.joints[i], &tail = path.joints[i + 1];
    const Vec3 end = i == 2 ? Vec3(tail - (tail - head).normalized() * 0.7 * radii[3]) : tail;
    group.primitives.push_back(limb(head, radii[i], end, radii[i + 1], 0.008 * s));
  }
  group.primitives.push_back(egg_along(path.joints[2] * 0.45 + path.joints[3] * 0.55,
                                       path.joints[3] - path.joints[2], frame.direction(1, 0, 0),
                                       {0.0090 * s, 0.014 * s, 0.0082 * s}, 0.006 * s));
  plan.body.groups.push_back(std::move(group));

  Chain chain;
  add_finger_bones(rig, chain, "Thumb", suffix, path, hand_bone, {0.018 * s, 0.013 * s, 0.011 * s},
                   {{{-20, 35}, {0, 60}, {-10, 80}}});
  plan.chains.push_back(std::move(chain));
}

}  // namespace

const std::vector<std::string>& finger_names() {
  static const std::vector<std::string> kNames = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
  return kNames;
}

void add_hand(BodyPlan& plan, Rig& rig, const HandFrame& frame, int arm_group,
              const std::string& hand_bone, const std::string& suffix) {
  const double s = frame.scale;
  std::vector<Primitive>& palm = plan.body.groups[static_cast<std::size_t>(arm_group)].primitives;
  const Vec3 side = frame.direction(1, 0, 0);
  palm.push_back(flat_limb(frame.at(0, 0.016, 0), 0.0180 * s, frame.at(0.001, 0.072, 0), 0.0240 * s,
                           side, 1.48, 0.62, 0.030 * s));
  // The heel of the thumb, the heel of the little finger, and the pads under the knuckles.
  palm.push_back(egg_along(frame.at(0.021, 0.036, -0.008), frame.direction(0.55, 0.8, 0), side,
                           {0.016 * s, 0.031 * s, 0.0135 * s}, 0.014 * s));
  palm.push_back(egg_along(frame.at(-0.023, 0.036, -0.006), frame.direction(-0.1, 1, 0), side,
                           {0.013 * s, 0.034 * s, 0.0125 * s}, 0.014 * s));
  palm.push_back(egg_along(frame.at(0.001, 0.080, -0.004), frame.direction(-0.12, 0, 0) + side,
                           frame.direction(0, 1, 0), {0.014 * s, 0.036 * s, 0.0105 * s},
                           0.012 * s));
  for (const FingerShape& finger : kFingers) {
    const Vec3& root = finger.root;
    palm.push_back(egg(frame.at(root.x() * 0.97, root.y() - 0.003, root.z() + 0.0035),
                       Vec3::Constant(finger.radius * 0.98 * s), 0.010 * s));
    // Tendons fan out over the back of the hand.
    palm.push_back(limb(frame.at(root.x() * 0.42, 0.030, 0.0085), 0.0045 * s,
                        frame.at(root.x() * 0.95, root.y() - 0.006, root.z() + 0.0085), 0.0042 * s,
                        0.010 * s));
  }
  add_thumb(plan, rig, frame, arm_group, hand_bone, suffix);
  for (const FingerShape& finger : kFingers)
    add_finger(plan, rig, finger, frame, arm_group, hand_bone, suffix);
}

}  // namespace sinew::sculpt
