// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/bind/bind.h"

namespace sinew {

/// bind, with the joints displaced, per bone in model space: the same poses of the moved skeleton,
/// the same bones that deform. Without displacements, bind itself.
[[nodiscard]] Result<Bound> bind_moved(const Character& character,
                                       std::span<const Vec3> displacements,
                                       const BindOptions& options, const Progress& progress);

}  // namespace sinew
