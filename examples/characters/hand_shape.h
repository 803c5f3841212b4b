// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "characters/blueprint.h"

namespace sinew::sculpt {

/// Where a hand sits: the wrist, and orthonormal axes towards the thumb, along the fingers and out
/// of the back of the hand. A left hand has them right-handed in this order.
struct HandFrame {
  Vec3 wrist = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  double scale = 1;  // 1 for a hand of 0.19 m

  [[nodiscard]] Vec3 at(double to_thumb, double along, double to_back) const {
    return wrist + axes * (scale * Vec3(to_thumb, along, to_back));
  }
  [[nodiscard]] Vec3 direction(double to_thumb, double along, double to_back) const {
    return axes * Vec3(to_thumb, along, to_back);
  }
};

/// Adds the palm to group `arm_group`, which must end with the hand bone, and five fingers of three
/// bones each as groups and chains of their own. Finger bones are named Thumb1 to Pinky3 with
/// `suffix`.
void add_hand(BodyPlan& plan, Rig& rig, const HandFrame& frame, int arm_group,
              const std::string& hand_bone, const std::string& suffix);

/// The names of the fingers, thumb first.
[[nodiscard]] const std::vector<std::string>& finger_names();

}  // namespace sinew::sculpt
