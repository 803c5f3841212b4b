// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

#include "sinew/core/result.h"
#include "sinew/jobs/job_error.h"

namespace sinew::cli {

/// What the shell sees. docs/command-line.md promises these numbers.
enum class ExitCode : int {
  done = 0,
  failed = 1,  // the output could not be written, or memory ran out: nothing to do with the input
  usage = 2,   // the command line makes no sense
  input_refused = 3,  // the file does
  gate_not_met = 4,   // a figure is outside what --require asked for
  interrupted = 130,  // Ctrl-C; what a shell reports for SIGINT
};

/// Ends a command. Verbs throw it, main prints it as one line: nothing in between needs to know how
/// to fail.
struct Failure {
  ExitCode exit = ExitCode::usage;
  Error error;
  std::string
      file;  // the file that the error's place is in; empty for an error of the command line

  /// "hero.glb: skins[0].joints[17]: node 42 is listed twice"
  [[nodiscard]] std::string to_string() const;
};

/// The command line itself is wrong; `place` is the flag or argument.
[[nodiscard]] Failure usage_failure(std::string place, std::string message);

/// What the library said about a file, with the exit code that belongs to it.
[[nodiscard]] Failure file_failure(const std::filesystem::path& file, Error error);

/// What a job said: of an option as its flag, of a file as above.
[[nodiscard]] Failure job_failure(JobError error);

/// The value, or a Failure about that file.
template <class T>
T take(const std::filesystem::path& file, Result<T> result) {
  if (!result.ok()) throw file_failure(file, std::move(result).error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// The value, or a Failure about what the job says.
template <class T>
T take(JobResult<T> result) {
  if (!result.ok()) throw job_failure(std::move(result).error());
  return *std::move(result);
}
inline void check(JobStatus status) {
  if (!status.ok()) throw job_failure(std::move(status).error());
}

}  // namespace sinew::cli
