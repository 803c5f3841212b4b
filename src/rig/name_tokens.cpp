// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/name_tokens.h"

#include <algorithm>

#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

enum class Kind { separator, digit, upper, lower };

// Bytes of UTF-8 beyond ASCII are letters without case: they never part a word.
Kind kind_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c >= '0' && c <= '9') return Kind::digit;
  if (c >= 'A' && c <= 'Z') return Kind::upper;
  if ((c >= 'a' && c <= 'z') || byte >= 0x80) return Kind::lower;
  return Kind::separator;
}

bool begins_word(std::string_view name, std::size_t i) {
  const Kind before = kind_of(name[i - 1]);
  const Kind here = kind_of(name[i]);
  if (before == Kind::separator) return true;
  if ((before == Kind::digit) != (here == Kind::digit)) return true;
  if (here != Kind::upper) return false;
  if (before == Kind::lower) return true;
  // The last capital of a run belongs to the word after it: IKFoot is IK and Foot.
  return i + 1 < name.size() && kind_of(name[i + 1]) == Kind::lower;
}

}  // namespace

std::vector<std::string> name_tokens(std::string_view name) {
  name = without_prefix(name);
  std::vector<std::string> tokens;
  bool in_word = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const Kind kind = kind_of(name[i]);
    if (kind == Kind::separator) {
      in_word = false;
      continue;
    }
    if (!in_word || begins_word(name, i)) tokens.emplace_back();
    in_word = true;
    tokens.back() += kind == Kind::upper ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return tokens;
}

bool is_numeral(std::string_view token) {
  return !token.empty() &&
         std::all_of(token.begin(), token.end(), [](char c) { return kind_of(c) == Kind::digit; });
}

bool is_among(std::string_view token, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

}  // namespace sinew
