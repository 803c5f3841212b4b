// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/model/driven_spines.h"

namespace sinew {

using SpineSegments = std::vector<std::optional<SpineSegment>>;  // one per bone

/// drive_spines for some of the spines. `posed.spines` has one motion per bone; those of spines
/// that are not driven are kept, and bones below them stay with their ends.
void drive_spines(const Skeleton& skeleton, std::span<const int> hangs_on,
                  const SpineSegments& segments, const std::vector<bool>& is_driven,
                  PosedBones& posed);

}  // namespace sinew
