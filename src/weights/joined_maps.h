// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "sinew/weights/influence_maps.h"

namespace sinew {

/// The rows of all chunks, one after the other.
[[nodiscard]] InfluenceMaps joined(std::span<const InfluenceMaps> chunks, std::size_t bone_count);

}  // namespace sinew
