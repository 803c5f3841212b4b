// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/jobs/spine_rows.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// Bones that bend and twist: the flags.
class SpineFlags {
 public:
  void add_to(CLI::App& app);

  /// What they mean. Throws a usage Failure.
  [[nodiscard]] SpineOptions options() const;

 private:
  SpineOptions options_;
  std::vector<std::string> twist_bones_;
  std::string row_joints_;
};

/// What became of them. `output` is where the document goes.
void print_spines(Session& session, const MadeSpines& made, const std::filesystem::path& output);
/// What was found out about limbs, where they were looked for: who gets helpers, or why nobody
/// does. `skeleton` is the one that was bound.
void print_twist(Session& session, const MadeSpines& made, const Skeleton& skeleton);

}  // namespace sinew::cli
