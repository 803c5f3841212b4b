// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/result.h"

namespace sinew::reading {

/// Larger coordinates than this are refused: their squares no longer fit the floats that glTF
/// stores.
inline constexpr double kLargestCoordinate = 1e18;

/// A walk over the words of a text that knows its line. Any bytes may come; a word is what has no
/// space in it.
class TextReader {
 public:
  /// A word that starts with `comment` ends the line; '\0' for formats without comments.
  explicit TextReader(std::span<const std::byte> file, char comment = '\0');

  /// The next word on this or a later line; empty at the end of the file.
  std::string_view next_word();
  /// The next word, without moving on.
  [[nodiscard]] std::string_view peek_word() const;
  /// The next word of the same line; empty at the end of the line.
  std::string_view next_word_in_line();
  /// What is left of this line, trimmed; the next word is on a later line.
  std::string_view rest_of_line();

  /// The next word as a finite number no larger than kLargestCoordinate.
  [[nodiscard]] Result<double> number(std::string_view what);
  /// A word that was read just now as such a number.
  [[nodiscard]] Result<double> as_number(std::string_view word, std::string_view what) const;
  /// The next word as a whole number in [least, most].
  [[nodiscard]] Result<std::int64_t> integer(std::string_view what, std::int64_t least,
                                             std::int64_t most);
  /// The next word as a count of records that take at least `bytes_each` bytes: one that the rest
  /// of the file cannot hold is an error, so that callers may reserve.
  [[nodiscard]] Result<std::size_t> count(std::string_view what, std::size_t bytes_each);

  [[nodiscard]] std::size_t remaining_bytes() const { return text_.size() - at_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  /// "line 12", of the word read last.
  [[nodiscard]] std::string place() const { return line_place(line_); }
  [[nodiscard]] static std::string line_place(std::size_t line) {
    return "line " + std::to_string(line);
  }
  [[nodiscard]] Error error(std::string message) const {
    return {ErrorCode::bad_file, place(), std::move(message)};
  }

 private:
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  char comment_;
};

/// The number that a word spells, finite or not; nothing when it spells none. Underflow is 0.
[[nodiscard]] Result<double> parse_number(std::string_view word);

/// A foreign text as it may appear in a message: cut when long, without control characters, valid
/// UTF-8.
[[nodiscard]] std::string shown(std::string_view text, std::size_t longest = 40);

/// The same text if it is UTF-8; else its bytes taken for Latin-1. JSON holds nothing but UTF-8.
[[nodiscard]] std::string to_utf8(std::string_view text);

[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace sinew::reading
