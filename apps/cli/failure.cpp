// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "failure.h"

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
  const ExitCode exit = exit_code_for(error.code);
  if (error.place == file.string() || error.place == file.filename().string())
    error.place.clear();  // the line begins with it anyway
  return {exit, std::move(error), file.string()};
}

}  // namespace sinew::cli
