// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr std::string_view kFlag = "--require";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Failure not_a_gate(std::string_view text) {
  return usage_failure(std::string(kFlag),
                       fmt::format("'{}' is no demand such as max_influences<=4", text));
}

double value_of(const GatedCharacter& character, const std::string& name) {
  for (const Figure& figure : character.figures)
    if (figure.name == name) return figure.value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool Gate::met_by(double value) const {
  switch (comparison) {
    case Comparison::less:
      return value < limit;
    case Comparison::less_or_equal:
      return value <= limit;
    case Comparison::greater:
      return value > limit;
    case Comparison::greater_or_equal:
      return value >= limit;
    case Comparison::equal:
      return value == limit;
  }
  return false;
}

Gate parse_gate(std::string_view text, std::span<const std::string> known) {
  static constexpr std::array<std::pair<std::string_view, Comparison>, 6> kOperators = {{
      {"<=", Comparison::less_or_equal},
      {">=", Comparison::greater_or_equal},
      {"==", Comparison::equal},
      {"<", Comparison::less},
      {">", Comparison::greater},
      {"=", Comparison::equal},
  }};
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string_view::npos) throw not_a_gate(text);
  const auto op = std::find_if(kOperators.begin(), kOperators.end(), [&](const auto& entry) {
    return text.substr(at).starts_with(entry.first);
  });
  Gate gate;
  gate.text = std::string(text);
  gate.figure = std::string(trimmed(text.substr(0, at)));
  gate.comparison = op->second;
  const std::string_view number = trimmed(text.substr(at + op->first.size()));
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, gate.limit);
  if (gate.figure.empty() || error != std::errc() || stop != end || !std::isfinite(gate.limit))
    throw not_a_gate(text);
  if (std::find(known.begin(), known.end(), gate.figure) == known.end())
    throw usage_failure(std::string(kFlag),
                        fmt::format("unknown figure '{}'{} (known: {})", gate.figure,
                                    did_you_mean(gate.figure, known), fmt::join(known, ", ")));
  return gate;
}

std::vector<Gate> parse_gates(std::span<const std::string> texts,
                              std::span<const std::string> known) {
  std::vector<Gate> gates;
  for (const std::string& text : texts) gates.push_back(parse_gate(text, known));
  return gates;
}

void add_require_option(CLI::App& app, std::vector<std::string>& texts, const std::string& promise,
                        std::span<const std::string> known) {
  add_list_option(app, std::string(kFlag), texts,
                  promise + " for every character, e.g. max_influences<=4; may be repeated. " +
                      "Figures: " + listed(known, known.size()))
      ->option_text("DEMAND");
}

ExitCode check_gates(Session& session, const std::filesystem::path& file,
                     std::span<const Gate> gates, std::span<const GatedCharacter> characters) {
  if (gates.empty()) return ExitCode::done;
  std::string first_unmet;
  Json& list = session.report["gates"] = Json::array();
  for (const Gate& gate : gates) {
    for (const GatedCharacter& character : characters) {
      const double value = value_of(character, gate.figure);
      const bool met = gate.met_by(value);
      list.push_back({{"demand", gate.text},
                      {"character", character.name},
                      {"figure", gate.figure},
                      {"value", value},
                      {"met", met}});
      if (met) continue;
      const std::string message =
          fmt::format("{} is not met: {} is {}", gate.text, gate.figure,
                      std::isnan(value) ? "unknown" : fmt::format("{:.6g}", value));
      session.erase_progress();
      print_error_line(fmt::format("{}: {}{}{}", file.string(), character.name,
                                   character.name.empty() ? "" : ": ", message),
                       kRed);
      if (first_unmet.empty()) first_unmet = message;
    }
  }
  if (first_unmet.empty()) return ExitCode::done;
  session.report["error"] = {{"code", "gate_not_met"},
                             {"file", file.string()},
                             {"place", kFlag},
                             {"message", first_unmet}};
  return ExitCode::gate_not_met;
}

}  // namespace sinew::cli
