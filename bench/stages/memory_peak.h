// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

namespace sinew::bench {

/// The memory that a stage needs at most beside what was there before it, by what the kernel of
/// Linux counts as resident; zero elsewhere.
class MemoryPeak {
 public:
  MemoryPeak();
  [[nodiscard]] double grown_mb() const;  // since it was made
  [[nodiscard]] static double whole_mb();

 private:
  double before_mb_ = 0;
};

}  // namespace sinew::bench
