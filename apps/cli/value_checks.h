// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sinew::cli {

/// Checks on the text of a flag's value, with messages that say what would be right.

/// Poses to draw at most, wherever they are counted: more than anyone waits for.
inline constexpr int kMostExemplars = 100000;

/// A whole number in [min, max].
[[nodiscard]] CLI::Validator whole_number(
    std::int64_t min, std::int64_t max = std::numeric_limits<std::int64_t>::max());

/// A finite number.
[[nodiscard]] CLI::Validator finite_number();

/// A number in [min, max].
[[nodiscard]] CLI::Validator number_within(double min, double max);

/// One of a few words; a slip of the finger gets a suggestion.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> words);

/// A flag that may be given several times, one value each: --mesh body --mesh 'eye*'.
CLI::Option* add_list_option(CLI::App& app, const std::string& name,
                             std::vector<std::string>& values, const std::string& description);

}  // namespace sinew::cli
