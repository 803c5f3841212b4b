// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "command_line.h"

int main(int argc, char** argv) {
  return sinew::cli::run_command_line(std::vector<std::string>(argv + (argc > 0), argv + argc));
}
