// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "characters/implicit_body.h"
#include "characters/polygonise.h"
#include "characters/rig.h"

namespace sinew::sculpt {

/// The bones that carry one group of a body: a chain whose joints hand over from one bone to the
/// next, each within `joint_width` metres of its head. What lies before the first joint goes to
/// `attach_bone`.
struct Chain {
  std::vector<std::string> bones;
  std::vector<double>
      joint_width;          // one per bone; that of the first is used only with an attach_bone
  std::string attach_bone;  // empty for the chain at the root
};

/// A bone that borrows from the bones around it, within `reach` of its axis: a collar bone in a
/// chest.
struct SoftBone {
  std::string bone;
  int group = 0;
  double reach = 0.1;
};

/// One closed surface of a character and the bones that carry it.
struct BodyPlan {
  std::string name;
  ImplicitBody body;
  Warp warp;
  double safe_spacing = 0.01;  // lattice spacing at which everything thin is still resolved
  std::vector<Chain> chains;   // one per group of the body
  std::vector<SoftBone> soft_bones;
};

/// All that a character is made from.
struct Blueprint {
  std::vector<BodyPlan> bodies;  // one connected part each
  Rig rig;
  std::vector<Clip> clips;
};

[[nodiscard]] Blueprint biped_blueprint();
[[nodiscard]] Blueprint quadruped_blueprint();
[[nodiscard]] Blueprint hand_blueprint();
[[nodiscard]] Blueprint tentacle_blueprint();
[[nodiscard]] Blueprint robot_blueprint();

}  // namespace sinew::sculpt
