// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "large_pages.h"

#include <cstdlib>
#include <string>

#if defined(__linux__) && defined(__GLIBC__)
#include <unistd.h>
#endif

namespace sinew::cli {

void ask_for_large_pages([[maybe_unused]] char** arguments) {
#if defined(__linux__) && defined(__GLIBC__)
  constexpr const char* kVariable = "GLIBC_TUNABLES";
  const std::string name = "glibc.malloc.hugetlb=";  // 1: madvise, where the system allows it
  const char* const given = std::getenv(kVariable);
  std::string tunables = given != nullptr ? given : "";
  if (tunables.find(name) != std::string::npos) return;
  tunables += (tunables.empty() ? "" : ":") + name + "1";
  if (setenv(kVariable, tunables.c_str(), 1) != 0) return;
  execv("/proc/self/exe", arguments);
#endif
}

}  // namespace sinew::cli
