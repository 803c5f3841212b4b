// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "sinew/model/character.h"

namespace sinew {

/// Why a bone is bound to, or is not.
enum class RoleReason {
  said,          // by the user, the rig file or the document's extras
  has_weights,   // the file's own weights use it
  no_weights,    // the file has weights, and none on it
  hardly_used,   // the file has weights, and what is on it is what somebody left behind
  carries_prop,  // no weights, but a rigid mesh hangs on it: it moves, and nothing is bound to it
  name,          // no old weights to go by; its name is that of a control
  outside,       // no old weights; it lies outside the mesh, and so do its segments
  nothing_against
};
[[nodiscard]] std::string_view to_string(RoleReason reason);

struct BoneRole {
  bool deforms = true;
  RoleReason reason = RoleReason::nothing_against;
};

struct DeformingOptions {
  std::vector<int> bones;  // bind to these, whatever they look like
  std::vector<int> skip;   // never bind to these; wins over the rest
  bool remnants = true;  // whether bones deform that have next to no weight: less than a thousandth
                         // of the vertices in all, and than 0.15 of any; roots that a brush touched
};

/// Which bones may carry vertices. Real rigs have joints that must not: IK targets, poles, weapon
/// slots, roots.
///
/// Options and `Bone::deforms` are obeyed. Else, if the character has weights, the bones that have
/// any deform. Without weights, names decide (ik, pole, ctrl, socket, ..._end, root above others),
/// and a bone deforms unless it lies outside the mesh with all of its segments. If that leaves
/// none, all deform that were not said not to.
[[nodiscard]] std::vector<BoneRole> decide_deforming_bones(const Character& character,
                                                           const DeformingOptions& options = {});

/// Whether a name is that of a joint that controls others: "IK_Foot.L", "Pole.Knee", "hand_ctrl".
[[nodiscard]] bool is_control_name(std::string_view name);
/// Whether a name is that of the end of a chain: "Head_end", "Toe_Nub".
[[nodiscard]] bool is_end_name(std::string_view name);

}  // namespace sinew
