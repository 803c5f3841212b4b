// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/spines/spines.h"

namespace sinew {

struct TwistOptions {
  double twist_deg = 90;  // to either side, to see who collapses: as far as a hand turns in play
  /// What helpers have to last for where nobody limits the limb: clips that come later are not
  /// known, and at 150 degrees a forearm is wrung as far as an arm can wring it.
  double lasting_deg = 150;
  double collapsed_below =
      0.8;  // of the area at rest; two bones that blend evenly leave half of it
  double elongated_above = 2.5;  // length over mean radius; a torso has about 1, a limb 4 and more
  double exercised_deg = 20;     // in clips; less is hardly seen, whatever the weights
  double least_length_rel = 0.05;  // of the diagonal; fingers are shorter, and many
  int clip_frames = 48;            // to see how far clips twist it
  int stations = 24;               // along the limb, where it is cut
};

/// As many helper joints as keep a limb's section when it is twisted so far to one side: half way
/// between two of them it is cos² of half their angle, which is 0.96 for what one helper takes.
/// That leaves 0.9 of the whole where a limb has lost 6% besides, to the bones at its ends. Where
/// helpers sit does not change that: n of them have n steps between them whether they sit at the
/// middles of n parts or at the ends, since what is beyond the last must not swing with the hand.
inline constexpr double kTwistPerHelperDeg = 22.5;
inline constexpr int kMostTwistJoints = 8;  // half a turn
[[nodiscard]] int twist_joints_for(double twist_deg);

/// A bone with exactly one deforming child, and whether its skin needs help when that child twists.
struct TwistLimb {
  int bone = -1;
  int child = -1;
  double elongation = 0;        // length over mean radius of what it carries
  double smallest_section = 1;  // area at the worst place under the twist, relative to rest
  double smallest_at = 0;       // where that is: 0 at the bone's head, 1 at the child's
  double clip_twist_deg = 0;    // the most that the file's clips twist it
  double lasting_deg = 0;       // what helpers would be made for
  bool collapses = false;       // all of what TwistOptions asks for: treat it
  std::string reason;           // one sentence without a full stop, for either decision
};

/// Limbs whose twist collapses under linear blending with the present weights, and those that were
/// looked at and are fine, bones ascending. A limb is treated when it is elongated and no finger,
/// its skin falls below `collapsed_below`, and the twist happens: the file's clips exercise it, or
/// without such clips nobody limits it (limits that allow more than `exercised_deg`, or the
/// default).
[[nodiscard]] std::vector<TwistLimb> find_twist_limbs(const Character& character,
                                                      const std::vector<BoneRole>& roles,
                                                      const SkinWeights& weights,
                                                      const TwistOptions& options = {});

/// The same for bones that somebody chose, whatever their skin does: as many joints as for a limb
/// that clips twist as they twist this one, and at least as far as its limits, or without stated
/// ones `options.lasting_deg`.
[[nodiscard]] int twist_joints_of(const Character& character, int bone,
                                  const TwistOptions& options = {});

/// Requests for helper joints of those that collapse, which follow twist alone. `joints` is for
/// each; without, as many as TwistLimb::lasting_deg takes.
[[nodiscard]] std::vector<SpineRequest> twist_requests(std::span<const TwistLimb> limbs,
                                                       std::optional<int> joints = {});

}  // namespace sinew
