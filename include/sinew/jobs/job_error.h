// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sinew/core/result.h"

namespace sinew {

/// Why a job could not do its work. A job reads several files and takes many options: an Error
/// alone would not say which of them it is about.
struct JobError {
  Error error;         // its place is in the file; empty for an option
  std::string file;    // as the caller named it; empty for an option, and where work was cancelled
  std::string option;  // that makes no sense, by the name that every front end gives it: "mesh" is
                       // --mesh of the command line
  enum class Blame {
    by_code,  // the file's, unless the code is bad_argument
    input,    // the file's: the call made sense
  };
  Blame blame = Blame::by_code;

  /// "hero.glb: skins[0].joints[17]: node 42 is listed twice", "mesh: nothing is called 'bodi'".
  [[nodiscard]] std::string to_string() const;
};

/// A value or a JobError; what Result is in the rest of the library.
template <class T>
class [[nodiscard]] JobResult {
 public:
  JobResult() = default;
  JobResult(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  JobResult(JobError error) : state_(std::in_place_index<1>, std::move(error)) {}
  JobResult(Error error) : state_(std::in_place_index<1>, JobError{std::move(error), {}, {}}) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& operator*() & { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] const T& operator*() const& { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] T&& operator*() && { return assert(ok()), std::get<0>(std::move(state_)); }
  [[nodiscard]] T* operator->() { return &**this; }
  [[nodiscard]] const T* operator->() const { return &**this; }

  [[nodiscard]] const JobError& error() const& { return assert(!ok()), std::get<1>(state_); }
  [[nodiscard]] JobError&& error() && { return assert(!ok()), std::get<1>(std::move(state_)); }

 private:
  std::variant<T, JobError> state_;
};

/// Success without a value, or a JobError.
using JobStatus = JobResult<std::monostate>;

/// What the library said of a file.
[[nodiscard]] JobError error_in_file(const std::filesystem::path& file, Error error);

/// An option makes no sense: a code of bad_argument, whatever found it out.
[[nodiscard]] JobError error_of_option(std::string_view option, std::string message);

template <class T>
JobResult<T> in_file(const std::filesystem::path& file, Result<T> result) {
  if (!result.ok()) return error_in_file(file, std::move(result).error());
  return *std::move(result);
}
inline JobStatus in_file(const std::filesystem::path& file, Status status) {
  if (!status.ok()) return error_in_file(file, std::move(status).error());
  return {};
}

/// The library leaves the place of a bad value to the caller: it is the option.
template <class T>
JobResult<T> of_option(std::string_view option, Result<T> result) {
  if (!result.ok()) return error_of_option(option, std::move(result).error().message);
  return *std::move(result);
}

}  // namespace sinew
