// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/weights/interior_weights.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// The words of the command line about the interior that weights are solved on.
class InteriorFlags {
 public:
  void add_to(CLI::App& app, InteriorOptions& options);
  /// Puts into the options what is a word of the command line.
  void apply(InteriorOptions& options) const;

 private:
  std::string radius_;
};

}  // namespace sinew::cli
