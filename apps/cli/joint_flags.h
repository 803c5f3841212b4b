// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/joint_fitting.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// How joints are fitted where nothing is bound: --mirror and --exemplars.
struct JointSolvingFlags {
  std::string mirror = "auto";
  std::optional<int> exemplars;

  [[nodiscard]] bool has_any() const { return mirror != "auto" || exemplars.has_value(); }
  [[nodiscard]] BindOptions bind_options(HierarchyChoice hierarchy) const;
};
void add_joint_solving_options(CLI::App& app, JointSolvingFlags& flags);

/// What joints may do.
class JointFittingFlags {
 public:
  /// --lock-joints, --max-move and --force.
  void add_to(CLI::App& app);
  [[nodiscard]] bool has_any() const;  // a flag was given that means nothing unless joints move
  [[nodiscard]] JointFittingOptions options() const;

 private:
  JointFittingOptions options_;
  bool force_ = false;
};

}  // namespace sinew::cli
