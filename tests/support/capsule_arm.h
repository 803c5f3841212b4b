// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model/character.h"

namespace sinew::test {

struct CapsuleArm {
  double radius = 0.05;
  int rings_per_bone = 24;
  int around = 24;
  Quat turn = Quat::Identity();  // of every bone's node against its parent's: its own axes
  double scale = 1;              // of a node above the arm, with a smaller arm to match
  double hand_twist_deg = 150;   // what the clip "Twist" turns the hand by, about the arm
  double hand_bend_deg = 0;      // and across it
  double hand_stretch = 1;       // and how far it moves the hand away from the elbow
  Interpolation interpolation = Interpolation::linear;
};

/// A closed capsule along +x on three bones: Arm from 0 to 0.3, ForeArm to 0.6, Hand to its tip at
/// 0.75. Weights go smoothly from bone to bone within a radius of the joints. The clip "Twist" of
/// one second moves the hand; its middle key is at 0.4 s, a third of the way.
[[nodiscard]] Character capsule_arm(const CapsuleArm& options = {});

/// Indices of the bones.
inline constexpr int kArm = 0;
inline constexpr int kForeArm = 1;
inline constexpr int kHand = 2;

}  // namespace sinew::test
