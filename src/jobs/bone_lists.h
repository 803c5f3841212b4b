// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/jobs/job_input.h"

namespace sinew {

/// Bones that an option names, in each of the characters. Values are patterns as in
/// model/bone_names.h, several of them with commas between; a value that matches as a whole is one
/// name, commas and all. A pattern need not match in every character, but one that matches in none
/// is an error of that option with the nearest name.
[[nodiscard]] JobResult<std::vector<std::vector<int>>> match_bone_lists(
    std::string_view option, std::span<const std::string> values,
    std::span<const LoadedCharacter> characters);

}  // namespace sinew
