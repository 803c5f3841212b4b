// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/text_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace sinew::reading {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

/// Bytes of the UTF-8 sequence that starts at `at`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

TextReader::TextReader(std::span<const std::byte> file, char comment)
    : text_(without_byte_order_mark({reinterpret_cast<const char*>(file.data()), file.size()})),
      comment_(comment) {}

void TextReader::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (is_space(c)) {
      ++at_;
    } else if (comment_ != '\0' && c == comment_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

std::string_view TextReader::next_word() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TextReader::peek_word() const {
  TextReader ahead = *this;
  return ahead.next_word();
}

std::string_view TextReader::next_word_in_line() {
  while (at_ < text_.size() && text_[at_] != '\n' && is_space(text_[at_])) ++at_;
  const bool at_comment = at_ < text_.size() && comment_ != '\0' && text_[at_] == comment_;
  if (at_ == text_.size() || text_[at_] == '\n' || at_comment) return {};
  return next_word();
}

std::string_view TextReader::rest_of_line() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view rest = text_.substr(at_, end - at_);
  at_ = end;
  while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_space(rest.back())) rest.remove_suffix(1);
  return rest;
}

Result<double> TextReader::number(std::string_view what) { return as_number(next_word(), what); }

Result<double> TextReader::as_number(std::string_view word, std::string_view what) const {
  if (word.empty()) return error(fmt::format("the file ends where {} should be", what));
  const Result<double> value = parse_number(word);
  if (!value) return error(fmt::format("{} should be a number, not '{}'", what, shown(word)));
  if (!(std::abs(*value) <= kLargestCoordinate))
    return error(fmt::format("{} is {}, which is no usable number", what, shown(word)));
  return *value;
}

Result<std::int64_t> TextReader::integer(std::string_view what, std::int64_t least,
                                         std::int64_t most) {
  const std::string_view word = next_word();
  if (word.empty()) return error(fmt::format("the file ends where {} should be", what));
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size())
    return error(fmt::format("{} should be a whole number, not '{}'", what, shown(word)));
  if (value < least || value > most)
    return error(fmt::format("{} is {}, outside {} to {}", what, value, least, most));
  return value;
}

Result<std::size_t> TextReader::count(std::string_view what, std::size_t bytes_each) {
  SINEW_TRY(const std::int64_t value, integer(what, 0, INT32_MAX));
  const auto records = static_cast<std::size_t>(value);
  // The last record needs no separator after it.
  if (records > (remaining_bytes() + 1) / bytes_each)
    return error(fmt::format("{} is {}, but the file is too short for that many", what, value));
  return records;
}

Result<double> parse_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end == word.data() + word.size()) {
    if (status == std::errc()) return value;
    if (status == std::errc::result_out_of_range)
      return word.find("e-") != word.npos || word.find("E-") != word.npos ? 0.0 : HUGE_VAL;
  }
  return Error{ErrorCode::bad_file, "", "not a number"};
}

std::string shown(std::string_view text, std::size_t longest) {
  std::string shown = to_utf8(text.substr(0, 4 * longest));
  const bool cut = shown.size() > longest;
  if (cut) {
    while (longest > 0 && (static_cast<unsigned char>(shown[longest]) & 0xC0U) == 0x80) --longest;
    shown.resize(longest);
  }
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return cut ? shown + "..." : shown;
}

std::string to_utf8(std::string_view text) {
  bool valid = true;
  for (std::size_t at = 0; at < text.size() && valid;) {
    const std::size_t length = utf8_length(text, at);
    valid = length > 0;
    at += length;
  }
  if (valid) return std::string(text);
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xC0 | (byte >> 6));
      converted += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return converted;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace sinew::reading
