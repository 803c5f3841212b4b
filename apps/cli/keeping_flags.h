// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/jobs/bind_job.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What `sinew bind` does with the weights that a file has: the flags.
class KeepingFlags {
 public:
  void add_to(CLI::App& app, BindJobOptions& options);
  /// Puts into the options what is a word of the command line.
  void apply(BindJobOptions& options) const;

 private:
  std::string init_ = "fresh";
};

}  // namespace sinew::cli
