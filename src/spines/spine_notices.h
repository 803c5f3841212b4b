// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/spines/spines.h"

namespace sinew {

/// "spine_tolerance": the most joints that a row may have do not keep within what was asked for.
void note_tolerance(const Skeleton& skeleton, const SpineReport& report, Notices& notices);

/// "carried_at_base": bones that start where a spine does and hang on it, as legs do on a pelvis,
/// are carried by its far end. Whoever bends it moves them, and is told which and how far: the
/// largest distance over the poses of any joint on them, as a part of `size`. Nothing for what
/// nobody would see.
void note_carried_bases(const Skeleton& skeleton, int spine, std::span<const PosedBones> poses,
                        double size, Notices& notices);

}  // namespace sinew
