// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "progress_display.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "interrupt.h"

namespace sinew::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};  // faster than the eye reads is wasted writes
constexpr int kBarCells = 30;
constexpr int kNarrowestTerminal = 60;  // columns; below it there is no room for the bar itself

int terminal_columns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress ProgressDisplay::progress() {
  return Progress([this](std::string_view stage, double fraction) { show(stage, fraction); },
                  &interrupt_flag());
}

void ProgressDisplay::show(std::string_view stage, double fraction) {
  if (style_ == ProgressStyle::none || Clock::now() - started_ < patience_) return;
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (style_ == ProgressStyle::bar) {
    draw_bar(stage, fraction);
  } else {
    print_line(stage, fraction);
  }
}

void ProgressDisplay::draw_bar(std::string_view stage, double fraction) {
  const Clock::time_point now = Clock::now();
  if (bar_is_drawn_ && stage == last_stage_ && now - last_shown_ < kRedraw) return;
  last_shown_ = now;
  last_stage_ = stage;
  bar_is_drawn_ = true;
  const int full = static_cast<int>(fraction * kBarCells);
  const std::string bar = terminal_columns() < kNarrowestTerminal
                              ? std::string()
                              : fmt::format(" [{:=<{}}{:<{}}]", "", full, "", kBarCells - full);
  fmt::print(stderr, "\r\x1b[K{:<20.20}{} {:3.0f}%", stage, bar, 100 * fraction);
  std::fflush(stderr);
}

void ProgressDisplay::print_line(std::string_view stage, double fraction) {
  const int tenth = static_cast<int>(fraction * 10);
  const bool new_stage = stage != last_stage_;
  const Clock::time_point now = Clock::now();
  if (!new_stage && (tenth <= last_tenth_ || now - last_shown_ < patience_)) return;
  last_shown_ = now;
  last_stage_ = stage;
  last_tenth_ = tenth;
  if (new_stage && tenth == 0) {
    fmt::print(stderr, "sinew: {}\n", stage);
  } else {
    fmt::print(stderr, "sinew: {}, {:.0f}%\n", stage, 100 * fraction);
  }
}

void ProgressDisplay::erase() {
  if (!bar_is_drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  bar_is_drawn_ = false;
}

}  // namespace sinew::cli
