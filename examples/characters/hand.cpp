// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <array>

#include "characters/hand_shape.h"
#include "characters/sculptor.h"

namespace sinew::sculpt {
namespace {

const Vec3 kElbowEnd{0, 0.020, 0};
const Vec3 kWrist{0, 0.200, 0};

Group forearm_group() {
  const Vec3 x = Vec3::UnitX();
  Group arm;
  std::vector<Primitive>& p = arm.primitives;
  p.push_back(flat_limb(kElbowEnd, 0.037, kWrist, 0.0215, x, 1.12, 0.90, 0));
  p.push_back(egg({0.012, 0.060, -0.010}, {0.028, 0.085, 0.030}, 0.030));
  p.push_back(egg({-0.010, 0.050, 0.010}, {0.030, 0.080, 0.026}, 0.030));
  p.push_back(egg({-0.018, 0.190, 0.010}, Vec3::Constant(0.010), 0.014));
  // Cut off below the elbow, with a soft edge.
  p.push_back(carved(box({0, -0.1, 0}, {0.2, 0.1, 0.2}, 0.001, 0.016)));
  return arm;
}

/// Fingers close one after the other, little finger first and the thumb over them, and open
/// together.
Clip fist(const Rig& rig) {
  constexpr double kDuration_s = 2.0;
  constexpr int kKeys = 41;
  constexpr std::array<double, 3> kFingerFlexDeg = {72, 88, 48};
  constexpr std::array<double, 3> kThumbFlexDeg = {22, 38, 52};
  ClipWriter clip(rig, "Fist", kDuration_s, kKeys);
  clip.turn("Hand", [](double t) {
    return Motion{-18 * ease(0.05, 0.5, t) * ease(1, 0.8, t), 0, 0};
  });
  const std::vector<std::string>& names = finger_names();
  for (std::size_t f = 0; f < names.size(); ++f) {
    const double start = 0.04 + 0.10 * static_cast<double>(names.size() - 1 - f);
    for (std::size_t i = 0; i < 3; ++i) {
      const double full = f == 0 ? kThumbFlexDeg[i] : kFingerFlexDeg[i];
      clip.turn(names[f] + std::to_string(i + 1), [=](double t) {
        return Motion{full * ease(start, start + 0.24, t) * (1 - ease(0.80, 0.98, t)), 0, 0};
      });
    }
  }
  return std::move(clip).finish();
}

}  // namespace

Blueprint hand_blueprint() {
  const Vec3 palm_side = -Vec3::UnitZ();
  HandFrame frame;
  frame.wrist = kWrist;
  Blueprint blueprint;
  Rig& rig = blueprint.rig;
  rig.add({"Forearm", "", {0, 0.004, 0}, kWrist, palm_side, {-10, 10}, {-10, 10}});
  rig.add({"Hand", "Forearm", kWrist, frame.at(0, 0.090, 0), palm_side, {-60, 70}, {-10, 10}});
  BodyPlan plan;
  plan.name = "Skin";
  plan.body.groups = {forearm_group()};
  plan.safe_spacing = 0.0042;
  plan.chains = {{{"Forearm", "Hand"}, {0.02, 0.024}, ""}};
  add_hand(plan, rig, frame, 0, "Hand", "");
  blueprint.bodies.push_back(std::move(plan));
  blueprint.clips = {fist(rig)};
  return blueprint;
}

}  // namespace sinew::sculpt
