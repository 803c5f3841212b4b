// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"

namespace sinew {

/// Seconds since the last stage ended.
class Stopwatch {
 public:
  void lap(std::string stage, std::vector<StageTime>& times) {
    const auto now = std::chrono::steady_clock::now();
    times.push_back({std::move(stage), std::chrono::duration<double>(now - last_).count()});
    last_ = now;
  }
  /// The stage that ends here was timed elsewhere.
  void restart() { last_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sinew
