// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/rig/deforming_bones.h"

namespace sinew {

/// The root with the most deforming bones below it, the first of equals; -1 without bones. `parent`
/// has no cycles.
[[nodiscard]] int find_main_root(std::span<const int> parent, const std::vector<BoneRole>& roles);

}  // namespace sinew
