// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

/// Where nearly all deforming joints hang side by side, on one joint or on none, hangs them into
/// chains by names and distances and notes each in `hierarchy.rehung`. Leaves other hierarchies as
/// they are.
void hang_flat_joints(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                      EffectiveHierarchy& hierarchy);

}  // namespace sinew
