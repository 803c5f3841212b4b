// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/core/result.h"

namespace sinew {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_argument:
      return "bad_argument";
    case ErrorCode::file_not_found:
      return "file_not_found";
    case ErrorCode::bad_file:
      return "bad_file";
    case ErrorCode::bad_mesh:
      return "bad_mesh";
    case ErrorCode::bad_skin:
      return "bad_skin";
    case ErrorCode::bad_animation:
      return "bad_animation";
    case ErrorCode::unsafe_path:
      return "unsafe_path";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::write_failed:
      return "write_failed";
    case ErrorCode::cancelled:
      return "cancelled";
  }
  return "unknown";
}

std::string Error::to_string() const { return place.empty() ? message : place + ": " + message; }

}  // namespace sinew
