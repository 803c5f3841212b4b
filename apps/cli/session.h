// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "progress_display.h"
#include "sinew/core/notice.h"
#include "sinew/core/progress.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/file_notices.h"

namespace sinew::cli {

/// What every verb takes.
struct CommonOptions {
  int threads = 0;         // 0: as many as there are cores; the result does not depend on it
  std::uint64_t seed = 1;  // of everything that is drawn at random
  bool quiet = false;
  bool json = false;
  std::string progress = "auto";
  std::string settings;       // file to replay flags from
  std::string save_settings;  // file to write them to
};

/// What a running verb talks to: the terminal, the report, the interrupt.
class Session {
 public:
  explicit Session(const CommonOptions& options);

  [[nodiscard]] const CommonOptions& options() const { return options_; }

  /// Fields of the JSON report; printed at the end with --json.
  Json report = Json::object();

  /// One line of what the verb has to say, on stdout. Silent with --json and --quiet.
  void print(std::string_view line);
  /// The same with a label in its own column: "weights    4 influences at most".
  void print_row(std::string_view label, std::string_view text);

  /// On stderr, one line each.
  void print_notices(std::string_view file, const Notices& notices);
  void print_notices(std::span<const FileNotices> notices);

  /// Something to say on stderr after an output was written. Silent with --json and --quiet.
  void say(std::string_view line);

  [[nodiscard]] const Progress& progress() const { return progress_; }
  /// Names the stage and stops here, by a Failure, if the user has asked to.
  void checkpoint(std::string_view stage, double fraction);
  void erase_progress() { display_.erase(); }

 private:
  CommonOptions options_;
  ProgressDisplay display_;
  Progress progress_;
};

/// "sinew: text" on stderr; `colour` is an SGR number that is used only on a terminal, and not
/// under NO_COLOR.
void print_error_line(std::string_view text, int colour);
inline constexpr int kPlain = 0;
inline constexpr int kRed = 31;
inline constexpr int kYellow = 33;

/// Text in a colour if that file descriptor is a terminal that wants any.
[[nodiscard]] std::string coloured(int file_descriptor, std::string_view text, int colour);

}  // namespace sinew::cli
