// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "failure.h"
#include "input.h"
#include "sinew/bind/bind.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What `sinew bind` does with the weights that a file has: the flags, and what they mean.
class KeepingOptions {
 public:
  void add_to(CLI::App& app, BindOptions& options);
  [[nodiscard]] bool starts_from_existing() const { return init_ == "existing"; }

  /// What they mean for each character. A character without the attribute of --vertices, where
  /// another one has it, is kept whole. Throws a Failure for bones and attributes that are not
  /// there.
  void apply(const Input& input, std::vector<BindOptions>& options) const;

 private:
  void apply_mask(const Input& input, std::vector<BindOptions>& options) const;

  std::string init_ = "fresh";
  std::vector<std::string> lock_;
  std::vector<std::string> only_;
  std::string vertices_;
};

/// What a bind said, as the command line calls it: what is about an option begins with its flag,
/// what is about edits with their file.
[[nodiscard]] Failure bind_failure(const std::filesystem::path& input,
                                   const std::string& edits_file, Error error);

/// That nothing may change is no warning where it may for another character.
void leave_out_idle_warnings(std::span<Notices* const> of_characters);

}  // namespace sinew::cli
