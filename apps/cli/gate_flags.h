// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "failure.h"
#include "session.h"
#include "sinew/jobs/gate.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// --require; `promise` is what happens unless the demand holds.
void add_require_option(CLI::App& app, std::vector<std::string>& texts, const std::string& promise);

/// Throws a usage Failure for text that is no demand, and for a figure that is not there: it lists
/// them all.
[[nodiscard]] std::vector<Gate> parse_gates(std::span<const std::string> texts);

/// Says on stderr and in report["error"] what is not met.
[[nodiscard]] ExitCode tell_gates(Session& session, const std::filesystem::path& file,
                                  std::span<const GateCheck> checks);

}  // namespace sinew::cli
