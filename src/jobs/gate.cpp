// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
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

Result<Gate> parse_gate(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Comparison>, 6> kOperators = {{
      {"<=", Comparison::less_or_equal},
      {">=", Comparison::greater_or_equal},
      {"==", Comparison::equal},
      {"<", Comparison::less},
      {">", Comparison::greater},
      {"=", Comparison::equal},
  }};
  const Error not_a_gate{ErrorCode::bad_argument, "",
                         fmt::format("'{}' is no demand such as max_influences<=4", text)};
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string_view::npos) return not_a_gate;
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
    return not_a_gate;
  return gate;
}

JobStatus check_figures(std::span<const Gate> gates) {
  const std::vector<std::string> known = figure_names();
  for (const Gate& gate : gates)
    if (std::find(known.begin(), known.end(), gate.figure) == known.end())
      return error_of_option("require", fmt::format("unknown figure '{}' (known: {})", gate.figure,
                                                    fmt::join(known, ", ")));
  return {};
}

std::vector<GateCheck> check_gates(std::span<const Gate> gates,
                                   std::span<const GatedCharacter> characters) {
  std::vector<GateCheck> checks;
  for (const Gate& gate : gates) {
    for (const GatedCharacter& character : characters) {
      const double value = value_of(character, gate.figure);
      checks.push_back({gate.text, character.name, gate.figure, value, gate.met_by(value)});
    }
  }
  return checks;
}

const GateCheck* first_unmet(std::span<const GateCheck> checks) {
  const auto unmet = std::ranges::find(checks, false, &GateCheck::met);
  return unmet == checks.end() ? nullptr : &*unmet;
}

std::string unmet_words(const GateCheck& check) {
  return fmt::format("{} is not met: {} is {}", check.demand, check.figure,
                     std::isnan(check.value) ? "unknown" : fmt::format("{:.6g}", check.value));
}

Json to_json(std::span<const GateCheck> checks) {
  Json list = Json::array();
  for (const GateCheck& check : checks)
    list.push_back({{"demand", check.demand},
                    {"character", check.character},
                    {"figure", check.figure},
                    {"value", check.value},
                    {"met", check.met}});
  return list;
}

}  // namespace sinew
