// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/weights/interior_weights.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sinew::cli {

/// The words of the command line about the interior that weights are solved on.
class InteriorFlags {
 public:
  /// `when` begins what is said of each flag: "For bbw: ", or nothing.
  void add_to(CLI::App& app, InteriorOptions& options, const std::string& when);
  /// Puts into the options what is a word of the command line.
  void apply(InteriorOptions& options) const;
  /// Whether any of them asks for something else than there is without it.
  [[nodiscard]] bool has_any(const InteriorOptions& options) const;
  /// The first of the flags that was given, whatever it says; empty where none was.
  [[nodiscard]] std::string first_given() const;

 private:
  std::string radius_;
  std::vector<const CLI::Option*> flags_;
};

}  // namespace sinew::cli
