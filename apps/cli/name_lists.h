// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew::cli {

/// Bones that a flag names, in each of several skeletons. Values are patterns as in
/// sinew/model/bone_names.h, several of them with commas between; a value that matches as a whole
/// is one name, commas and all. A pattern need not match in every skeleton, but one that matches in
/// none is a usage Failure with the nearest name.
[[nodiscard]] std::vector<std::vector<int>> match_bone_lists(
    std::string_view flag, std::span<const std::string> values,
    std::span<const Skeleton* const> skeletons);

}  // namespace sinew::cli
