// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// The words of a bone's name, in lower case, without a namespace: "mixamorig:LeftHandIndex1" is
/// left, hand, index, 1; "IKFoot.L" is ik, foot, l. Words end at anything that is neither letter
/// nor digit, between letters and digits, and where capitals begin a new word.
[[nodiscard]] std::vector<std::string> name_tokens(std::string_view name);

[[nodiscard]] bool is_numeral(std::string_view token);

[[nodiscard]] bool is_among(std::string_view token, std::span<const std::string_view> words);

}  // namespace sinew
