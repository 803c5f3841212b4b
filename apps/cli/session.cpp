// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "session.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

#include "failure.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{
    1000};  // what a person waits before asking what is going on

bool wants_colour(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !refused && !dumb && isatty(file_descriptor) != 0;
}

ProgressStyle style_for(const CommonOptions& options) {
  if (options.quiet || options.progress == "none") return ProgressStyle::none;
  if (options.progress == "bar") return ProgressStyle::bar;
  if (options.progress == "lines") return ProgressStyle::lines;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::lines;
}

}  // namespace

std::string coloured(int file_descriptor, std::string_view text, int colour) {
  if (colour == kPlain || !wants_colour(file_descriptor)) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

void print_error_line(std::string_view text, int colour) {
  fmt::print(stderr, "{} {}\n", coloured(STDERR_FILENO, "sinew:", colour), printable(text));
}

Session::Session(const CommonOptions& options)
    : options_(options),
      display_(style_for(options), options.progress == "auto" ? kPatience : kPatience.zero()),
      progress_(display_.progress()) {}

void Session::print(std::string_view line) {
  if (options_.json || options_.quiet) return;
  display_.erase();
  fmt::print("{}\n", printable(line));
}

void Session::print_row(std::string_view label, std::string_view text) {
  if (options_.json || options_.quiet) return;
  display_.erase();
  const std::string padded = fmt::format("{:<10}", printable(label));
  const bool alarming = label == "warning";
  fmt::print("{} {}\n", alarming ? coloured(STDOUT_FILENO, padded, kYellow) : padded,
             printable(text));
}

void Session::say(std::string_view line) {
  if (options_.json || options_.quiet) return;
  display_.erase();
  fmt::print(stderr, "{}\n", printable(line));
}

void Session::print_notices(std::span<const FileNotices> notices) {
  for (const FileNotices& each : notices) print_notices(each.file, each.notices);
}

void Session::print_notices(std::string_view file, const Notices& notices) {
  if (options_.quiet) return;
  display_.erase();
  for (const Notice& notice : notices) {
    const std::string place = notice.place.empty() ? "" : notice.place + ": ";
    const bool is_warning = notice.level == Notice::Level::warning;
    print_error_line(
        fmt::format("{}: {}: {}{}", file, is_warning ? "warning" : "note", place, notice.message),
        is_warning ? kYellow : kPlain);
  }
}

void Session::checkpoint(std::string_view stage, double fraction) {
  if (Status status = progress_.checkpoint(stage, fraction); !status.ok())
    throw Failure{ExitCode::interrupted, std::move(status).error(), {}};
}

}  // namespace sinew::cli
