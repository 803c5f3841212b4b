// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace sinew {

/// Caps the number of threads that loops use, process-wide, for as long as it lives.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
