// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "help_formatter.h"

#include <sstream>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr std::size_t kNameColumn = 26;
constexpr std::size_t kTextColumns = 70;

std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t used = 0;
  while (words >> word) {
    if (used > 0 && used + 1 + word.size() > kTextColumns) {
      result += fmt::format("\n{:{}}", "", kNameColumn);
      used = 0;
    }
    result += (used > 0 ? " " : "") + word;
    used += (used > 0 ? 1 : 0) + word.size();
  }
  return result;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string name = "  " + make_option_name(option, is_positional) + make_option_opts(option);
  if (name.size() >= kNameColumn) name += fmt::format("\n{:{}}", "", kNameColumn);
  return fmt::format("{:<{}}{}\n", name, kNameColumn, wrapped(make_option_desc(option)));
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at))
    text.erase(at, 1);
  return text;
}

}  // namespace sinew::cli
