// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/result.h"

namespace sinew {

/// Every index once, parents before children, otherwise in the order of the input. Fails with place
/// "<what>[i]" when a parent is out of range or when i is its own ancestor. Never recurses.
[[nodiscard]] Result<std::vector<int>> parents_first(std::span<const int> parents, ErrorCode code,
                                                     std::string_view what);

/// Whether `index` is `above` or hangs on it, however far below. `parents` has no cycles.
[[nodiscard]] bool is_below(std::span<const int> parents, int index, int above);

}  // namespace sinew
