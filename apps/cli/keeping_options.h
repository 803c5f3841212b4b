// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "input.h"
#include "sinew/pipeline/bind.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What `sinew bind` does with the weights that a file has: the flags, and what they mean.
class KeepingOptions {
 public:
  void add_to(CLI::App& app, BindOptions& options);
  [[nodiscard]] bool starts_from_existing() const { return init_ == "existing"; }

  /// What they mean for each character. Throws a Failure for bones and attributes that are not
  /// there.
  void apply(const Input& input, std::vector<BindOptions>& options) const;

 private:
  std::string init_ = "fresh";
  std::vector<std::string> lock_;
  std::vector<std::string> only_;
  std::string vertices_;
};

}  // namespace sinew::cli
