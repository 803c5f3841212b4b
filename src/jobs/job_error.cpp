// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/job_error.h"

namespace sinew {

std::string JobError::to_string() const {
  const std::string& before = option.empty() ? file : option;
  return before.empty() ? error.to_string() : before + ": " + error.to_string();
}

JobError error_in_file(const std::filesystem::path& file, Error error) {
  if (error.place == file.string() || error.place == file.filename().string())
    error.place.clear();  // the file says it
  return {std::move(error), file.string(), {}};
}

JobError error_of_option(std::string_view option, std::string message) {
  return {{ErrorCode::bad_argument, {}, std::move(message)}, {}, std::string(option)};
}

}  // namespace sinew
