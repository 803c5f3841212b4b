// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sinew::cli {

/// The whole program: picks the verb, parses its flags, runs it, prints what came of it. Returns
/// the exit code.
[[nodiscard]] int run_command_line(const std::vector<std::string>& arguments);

}  // namespace sinew::cli
