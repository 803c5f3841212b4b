// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "sinew/core/progress.h"

namespace sinew::cli {

enum class ProgressStyle {
  none,
  lines,  // one line per stage, and one per tenth of a long stage
  bar,    // one line that is drawn over and over, and erased in the end
};

/// Shows on stderr how far the work is. Work that is over within a second says nothing.
class ProgressDisplay {
 public:
  ProgressDisplay(ProgressStyle style, std::chrono::milliseconds patience)
      : style_(style), patience_(patience), started_(Clock::now()) {}
  ~ProgressDisplay() { erase(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// For the library; this display must outlive it. Carries the interrupt flag.
  [[nodiscard]] Progress progress();

  /// Takes the bar off the terminal, so that something else can be printed.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::string_view stage, double fraction);
  void draw_bar(std::string_view stage, double fraction);
  void print_line(std::string_view stage, double fraction);

  ProgressStyle style_;
  std::chrono::milliseconds patience_;
  Clock::time_point started_;
  Clock::time_point last_shown_;
  std::string last_stage_;
  int last_tenth_ = 0;
  bool bar_is_drawn_ = false;
};

}  // namespace sinew::cli
