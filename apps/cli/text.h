// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sinew::cli {

/// The candidate that `word` was most likely meant to be, or an empty view when none is near: a few
/// slips of the finger (one in three letters), or an unfinished word. Case and leading dashes do
/// not count.
[[nodiscard]] std::string_view closest(std::string_view word,
                                       std::span<const std::string> candidates);

/// ", did you mean X?", or nothing when no candidate is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

/// Text from a file made safe for a terminal: control characters, which could move the cursor or
/// change its colours, come out as \x1b.
[[nodiscard]] std::string printable(std::string_view text);

/// "1 mesh", "3 meshes", "21,731 vertices".
[[nodiscard]] std::string counted(std::size_t count, std::string_view one, std::string_view many);

/// "a, b and c", at most `limit` of them: "a, b and 7 more".
[[nodiscard]] std::string listed(std::span<const std::string> items, std::size_t limit);

}  // namespace sinew::cli
