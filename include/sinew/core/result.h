// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sinew {

/// What kind of thing went wrong. A caller may branch on it; a person reads the message.
enum class ErrorCode {
  bad_argument,    // the call makes no sense, whatever the file holds
  file_not_found,  // it is not there or may not be read
  bad_file,        // not the format it claims to be, truncated, or breaks its rules
  bad_mesh,        // positions, triangles or tetrahedra that nothing can be built on
  bad_skin,        // joints, inverse bind matrices or hierarchy that nothing can be built on
  bad_animation,
  unsafe_path,  // a reference that leaves the file's own folder
  too_large,
  unsupported,
  write_failed,
  cancelled,
};

/// The name of a code as it appears in reports, e.g. "bad_skin".
[[nodiscard]] std::string_view to_string(ErrorCode code);

/// One sentence about what is wrong, and where: {bad_skin, "skins[0].joints[17]", "node 42 is
/// listed twice"}.
struct Error {
  ErrorCode code = ErrorCode::bad_argument;
  std::string place;    // a path into the file, a flag, or empty when the whole is meant
  std::string message;  // without the place and without a full stop

  /// "skins[0].joints[17]: node 42 is listed twice"
  [[nodiscard]] std::string to_string() const;
};

/// A value or an Error. Test it before use: reading the wrong side is a programmer's mistake.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return assert(ok()), std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return assert(ok()), std::get<0>(std::move(state_)); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] const Error& error() const& { return assert(!ok()), std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return assert(!ok()), std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const& { return assert(!ok()), *error_; }
  [[nodiscard]] Error&& error() && { return assert(!ok()), *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace sinew

#define SINEW_CONCAT_INNER(a, b) a##b
#define SINEW_CONCAT(a, b) SINEW_CONCAT_INNER(a, b)
#define SINEW_TRY_INNER(result, declaration, expression) \
  auto result = (expression);                            \
  if (!result.ok()) return std::move(result).error();    \
  declaration = *std::move(result)

/// SINEW_TRY(const Mesh mesh, read_mesh(file)); declares mesh, or returns the error to the caller.
#define SINEW_TRY(declaration, expression) \
  SINEW_TRY_INNER(SINEW_CONCAT(sinew_result_, __LINE__), declaration, expression)

/// SINEW_CHECK(validate(mesh)); returns the error of a Status to the caller.
#define SINEW_CHECK(expression)                               \
  do {                                                        \
    if (auto sinew_status = (expression); !sinew_status.ok()) \
      return std::move(sinew_status).error();                 \
  } while (false)
