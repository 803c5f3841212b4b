// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "failure.h"
#include "text.h"

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

}  // namespace sinew::cli
