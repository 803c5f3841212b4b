// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/model/skeleton.h"

namespace sinew {

/// The skeleton with its joints moved: heads by their displacement, stated tails with the children
/// that start there. `displacements` has one entry per bone, model space, of its head; bones that
/// start at one place have to move together. Other tails stay, and so do the bones' axes.
[[nodiscard]] Skeleton with_joints_moved(const Skeleton& skeleton,
                                         std::span<const Vec3> displacements);

}  // namespace sinew
