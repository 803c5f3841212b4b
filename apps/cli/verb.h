// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "session.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// One word of the command line. A verb parses, calls the library and prints; it computes nothing.
class Verb {
 public:
  virtual ~Verb() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// A line for the list of verbs, no full stop.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Commands that a person can paste, one per line; shown below --help.
  [[nodiscard]] virtual std::vector<std::string> examples() const = 0;

  /// Adds the verb's own flags. Their targets are members of the verb; checks that need more than
  /// one flag belong into run(), because flags may also come from a settings file.
  virtual void add_options(CLI::App& app) = 0;

  /// Does the work, fills session.report, and says how it ended. Throws Failure.
  virtual ExitCode run(Session& session) = 0;
};

/// Every verb, in the order of the help. A new one is one file and one line in verbs.cpp.
[[nodiscard]] std::vector<std::unique_ptr<Verb>> make_verbs();

[[nodiscard]] std::unique_ptr<Verb> make_bind_verb();
[[nodiscard]] std::unique_ptr<Verb> make_fit_joints_verb();
[[nodiscard]] std::unique_ptr<Verb> make_inspect_verb();
[[nodiscard]] std::unique_ptr<Verb> make_report_verb();
[[nodiscard]] std::unique_ptr<Verb> make_snapshot_verb();
[[nodiscard]] std::unique_ptr<Verb> make_volume_verb();
[[nodiscard]] std::unique_ptr<Verb> make_copy_verb();
[[nodiscard]] std::unique_ptr<Verb> make_pose_verb();
[[nodiscard]] std::unique_ptr<Verb> make_example_verb();

}  // namespace sinew::cli
