// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gate_flags.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kFlag = "--require";

}  // namespace

void add_require_option(CLI::App& app, std::vector<std::string>& texts,
                        const std::string& promise) {
  const std::vector<std::string> known = figure_names();
  add_list_option(app, kFlag, texts,
                  promise + " for every character, e.g. max_influences<=4; may be repeated. " +
                      "Figures: " + listed(known, known.size()))
      ->option_text("DEMAND");
}

std::vector<Gate> parse_gates(std::span<const std::string> texts) {
  const std::vector<std::string> known = figure_names();
  std::vector<Gate> gates;
  for (const std::string& text : texts) {
    Result<Gate> gate = parse_gate(text);
    if (!gate.ok()) throw usage_failure(kFlag, gate.error().message);
    if (std::ranges::find(known, gate->figure) == known.end())
      throw usage_failure(kFlag,
                          fmt::format("unknown figure '{}'{} (known: {})", gate->figure,
                                      did_you_mean(gate->figure, known), fmt::join(known, ", ")));
    gates.push_back(*std::move(gate));
  }
  return gates;
}

ExitCode tell_gates(Session& session, const std::filesystem::path& file,
                    std::span<const GateCheck> checks) {
  for (const GateCheck& check : checks) {
    if (check.met) continue;
    session.erase_progress();
    print_error_line(fmt::format("{}: {}{}{}", file.string(), check.character,
                                 check.character.empty() ? "" : ": ", unmet_words(check)),
                     kRed);
  }
  const GateCheck* const first = first_unmet(checks);
  if (first == nullptr) return ExitCode::done;
  session.report["error"] = {{"code", "gate_not_met"},
                             {"file", file.string()},
                             {"place", kFlag},
                             {"message", unmet_words(*first)}};
  return ExitCode::gate_not_met;
}

}  // namespace sinew::cli
