// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "failure.h"

#include <algorithm>

namespace sinew::cli {
namespace {

ExitCode exit_code_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_argument:
      return ExitCode::usage;
    case ErrorCode::write_failed:
      return ExitCode::failed;
    case ErrorCode::cancelled:
      return ExitCode::interrupted;
    default:
      return ExitCode::input_refused;
  }
}

}  // namespace

std::string Failure::to_string() const {
  return file.empty() ? error.to_string() : file + ": " + error.to_string();
}

Failure usage_failure(std::string place, std::string message) {
  return {ExitCode::usage, {ErrorCode::bad_argument, std::move(place), std::move(message)}, {}};
}

Failure file_failure(const std::filesystem::path& file, Error error) {
  return job_failure(error_in_file(file, std::move(error)));
}

Failure job_failure(JobError error) {
  if (!error.option.empty()) {
    std::replace(error.option.begin(), error.option.end(), '_', '-');
    return usage_failure("--" + error.option, std::move(error.error.message));
  }
  const ExitCode exit = error.blame == JobError::Blame::input ? ExitCode::input_refused
                                                              : exit_code_for(error.error.code);
  return {exit, std::move(error.error), std::move(error.file)};
}

}  // namespace sinew::cli
