// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "stages/memory_peak.h"

#include <algorithm>
#include <fstream>
#include <malloc.h>
#include <string>

namespace sinew::bench {
namespace {

double status_mb(const std::string& wanted) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(wanted)) return std::stod(line.substr(wanted.size())) / 1024;
  return 0;
}

}  // namespace

MemoryPeak::MemoryPeak() {
  malloc_trim(0);                               // what earlier stages freed is not this one's
  std::ofstream("/proc/self/clear_refs") << 5;  // has the highest mark start from here
  before_mb_ = status_mb("VmRSS:");
}

double MemoryPeak::grown_mb() const { return std::max(0.0, status_mb("VmHWM:") - before_mb_); }

double MemoryPeak::whole_mb() { return status_mb("VmHWM:"); }

}  // namespace sinew::bench
