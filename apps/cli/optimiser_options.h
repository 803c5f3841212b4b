// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "input.h"
#include "sinew/bind/bind.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// The words of the command line about how weights are optimised.
class OptimiserOptions {
 public:
  void add_to(CLI::App& app, BindOptions& options);

  /// Refuses a --log that could not be written, or would overwrite one of the others. Throws a
  /// Failure.
  void check_log(BindMethod method, std::span<const std::filesystem::path> others) const;

  /// What the words mean for all characters.
  void apply(BindOptions& options, std::uint64_t seed) const;
  /// And for one, whose clips and bones they may name. Throws a Failure.
  void apply(BindOptions& options, const Character& character, Notices& notices) const;

  /// The file of edits as it was given; empty without one.
  [[nodiscard]] const std::string& edits_file() const { return edits_file_; }

  /// Writes the energies of each character's steps, if --log asks for it.
  void write_log(std::span<const std::string> names, std::span<const SolveReport> solves) const;

 private:
  void tell_ignored(const BindOptions& options, Notices& notices) const;
  [[nodiscard]] std::vector<int> chosen_clips(const Character& character) const;

  std::string limits_ = "bones";
  std::string constraints_ = "soft";
  std::string rigid_parts_ = "auto";
  std::string mirror_ = "auto";
  std::string rotations_ = "auto";
  std::string coarse_ = "auto";
  std::string filter_ = "off";
  std::string log_;
  std::string pose_file_;
  std::string edits_file_;
  std::vector<std::string> clips_;
  bool only_animations_ = false;
};

}  // namespace sinew::cli
