// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "characters/blueprint.h"
#include "sinew/model/skin_weights.h"

namespace sinew::sculpt {

inline constexpr std::size_t kMaxExampleInfluences = 4;  // what every engine can play

/// Simple weights from what the sculptor knows: each point of the surface belongs to the limbs that
/// were melted together there, and along a limb each joint hands over smoothly from one bone to the
/// next. A finger never moves another finger. Appends one row per position, at most
/// kMaxExampleInfluences bones each.
void append_chain_weights(const BodyPlan& plan, const Rig& rig, std::span<const Vec3> positions,
                          std::vector<std::size_t>& row_begin, std::vector<Influence>& influences);

}  // namespace sinew::sculpt
