// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "characters/hand_shape.h"

namespace sinew::sculpt {

/// The joints of the biped, left side, in metres: 1.75 m tall, eight heads, arms held away from the
/// body.
struct BipedLandmarks {
  Vec3 hips{0, 0.945, -0.005};
  Vec3 spine{0, 1.035, -0.010};
  Vec3 chest{0, 1.165, -0.020};
  Vec3 upper_chest{0, 1.300, -0.025};
  Vec3 neck{0, 1.465, -0.030};
  Vec3 head{0, 1.555, -0.012};
  Vec3 crown{0, 1.740, -0.008};
  Vec3 collar{0.025, 1.430, 0.010};
  Vec3 shoulder{0.178, 1.412, -0.025};
  Vec3 elbow{0.386, 1.209, -0.040};
  Vec3 wrist{0.562, 1.032, 0.000};
  Vec3 hip{0.094, 0.905, -0.002};
  Vec3 knee{0.104, 0.490, 0.006};
  Vec3 ankle{0.108, 0.085, -0.028};
  Vec3 ball{0.120, 0.022, 0.088};
  Vec3 toe{0.125, 0.018, 0.148};

  [[nodiscard]] HandFrame hand() const;
};

/// Groups 0, 1 and 2: torso with head, leg, arm without the hand.
[[nodiscard]] std::vector<Group> biped_groups(const BipedLandmarks& at);

}  // namespace sinew::sculpt
