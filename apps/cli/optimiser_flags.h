// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/jobs/bind_job.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// The words of the command line about how weights are optimised.
class OptimiserFlags {
 public:
  void add_to(CLI::App& app, BindJobOptions& options);
  /// Puts into the options what is a word of the command line.
  void apply(BindJobOptions& options) const;

 private:
  void add_poses_to(CLI::App& app, BindJobOptions& options);
  void add_aims_to(CLI::App& app, BindOptions& options);
  void add_steps_to(CLI::App& app, BindOptions& options);

  std::string limits_ = "bones";
  std::string constraints_ = "soft";
  std::string rigid_parts_ = "auto";
  std::string mirror_ = "auto";
  std::string rotations_ = "auto";
  std::string coarse_ = "auto";
  std::string domain_ = "auto";
  std::string filter_ = "off";
  bool only_animations_ = false;
};

}  // namespace sinew::cli
