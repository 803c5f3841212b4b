// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "command_line.h"

namespace {

/// Stages of a bind take and give back tens of megabytes many times over. What was given back stays
/// with the process, so that the system need not clear its pages again: an eighth of a bind's time.
/// Arrays of more than 32 MB, the most that glibc takes here, still go back at once.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestKept = 32 << 20;  // bytes of one array
  constexpr int kMostKept = 1 << 30;      // of all: more than a bind of 200,000 vertices takes
  constexpr int kTakenAtOnce = 4 << 20;   // from the system: a page at a time would be slow
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
  mallopt(M_TOP_PAD, kTakenAtOnce);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return sinew::cli::run_command_line(std::vector<std::string>(argv + (argc > 0), argv + argc));
}
