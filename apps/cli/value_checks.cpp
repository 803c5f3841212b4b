// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "value_checks.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text.h"

namespace sinew::cli {
namespace {

template <class Number>
bool parses_whole(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

CLI::Validator check(std::function<std::string(const std::string&)> message_for) {
  return CLI::Validator(
      [message_for = std::move(message_for)](std::string& text) { return message_for(text); }, "");
}

}  // namespace

CLI::Validator whole_number(std::int64_t min, std::int64_t max) {
  return check([min, max](const std::string& text) -> std::string {
    std::int64_t number = 0;
    if (!parses_whole(text, number)) return fmt::format("'{}' is not a whole number", text);
    if (number < min) return fmt::format("{} is too small, the least is {}", text, min);
    if (number > max) return fmt::format("{} is too large, the most is {}", text, max);
    return {};
  });
}

CLI::Validator finite_number() {
  return check([](const std::string& text) -> std::string {
    double number = 0;
    if (!parses_whole(text, number) || !std::isfinite(number))
      return fmt::format("'{}' is not a number", text);
    return {};
  });
}

CLI::Validator number_within(double min, double max) {
  return check([min, max](const std::string& text) -> std::string {
    double number = 0;
    if (!parses_whole(text, number) || !std::isfinite(number))
      return fmt::format("'{}' is not a number", text);
    if (number < min) return fmt::format("{} is too small, the least is {}", text, min);
    if (number > max) return fmt::format("{} is too large, the most is {}", text, max);
    return {};
  });
}

CLI::Validator one_of(std::vector<std::string> words) {
  return check([words = std::move(words)](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return {};
    return fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "),
                       did_you_mean(text, words));
  });
}

CLI::Option* add_list_option(CLI::App& app, const std::string& name,
                             std::vector<std::string>& values, const std::string& description) {
  return app.add_option(name, values, description)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace sinew::cli
