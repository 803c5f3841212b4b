// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/bone_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sinew {
namespace {

constexpr std::string_view kPrefixEnds = ":|";

// Bytes that are not UTF-8 become numbers beyond Unicode: they match themselves and nothing else.
constexpr char32_t kInvalidByteBase = 0x110000;

using Characters = std::vector<char32_t>;

char32_t fold_case(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return first <= c && c <= last; };
  if (in(U'A', U'Z')) return c + 32;
  if (in(0x00C0, 0x00DE) && c != 0x00D7) return c + 32;  // Latin-1; D7 is the multiplication sign
  if (in(0x0391, 0x03A9)) return c + 32;                 // Greek
  if (c == 0x03C2) return 0x03C3;                        // a final sigma is a sigma
  if (in(0x0410, 0x042F)) return c + 32;                 // Cyrillic
  if (in(0x0400, 0x040F)) return c + 80;
  return c;
}

// Lenient: overlong forms and surrogates decode to something, and the same bytes always to the
// same.
Characters decode_folded(std::string_view text) {
  Characters characters;
  characters.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80             ? 1
                               : (lead & 0xE0) == 0xC0 ? 2
                               : (lead & 0xF0) == 0xE0 ? 3
                               : (lead & 0xF8) == 0xF0 ? 4
                                                       : 0;
    bool valid = length != 0 && i + length <= text.size();
    char32_t c = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      valid = (next & 0xC0) == 0x80;
      c = c << 6 | (next & 0x3Fu);
    }
    if (!valid) {
      characters.push_back(kInvalidByteBase + lead);
      ++i;
      continue;
    }
    characters.push_back(fold_case(c));
    i += length;
  }
  return characters;
}

// One element of a glob: any run, or one character out of ranges.
struct Token {
  bool any_run = false;
  bool negated = false;
  std::vector<std::pair<char32_t, char32_t>> ranges;

  [[nodiscard]] bool accepts(char32_t c) const {
    const bool inside = std::any_of(ranges.begin(), ranges.end(), [c](const auto& range) {
      return range.first <= c && c <= range.second;
    });
    return any_run || inside != negated;
  }
};

std::vector<Token> tokenize(const Characters& glob) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    Token token;
    if (glob[i] == U'*') {
      token.any_run = true;
    } else if (glob[i] == U'?') {
      token.negated = true;  // none of nothing
    } else if (glob[i] == U'[') {
      std::size_t first = i + 1;
      token.negated = first < glob.size() && glob[first] == U'!';
      if (token.negated) ++first;
      // A bracket right after the opening one is a member, so that "[]]" can be written.
      const auto search_from =
          glob.begin() + static_cast<std::ptrdiff_t>(std::min(first + 1, glob.size()));
      const auto close = std::find(search_from, glob.end(), U']');
      if (close == glob.end()) {
        token.negated = false;
        token.ranges.emplace_back(U'[', U'[');
      } else {
        const auto end = static_cast<std::size_t>(close - glob.begin());
        for (std::size_t k = first; k < end; ++k) {
          const bool is_range = k + 2 < end && glob[k + 1] == U'-';
          token.ranges.emplace_back(glob[k], is_range ? glob[k + 2] : glob[k]);
          if (is_range) k += 2;
        }
        i = end;
      }
    } else {
      token.ranges.emplace_back(glob[i], glob[i]);
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// How many characters of the name must be changed, added or removed before the glob matches; 0 is a
// match. The classic table of edit distances, in which a `*` swallows characters for nothing.
// O(glob × name).
std::size_t glob_distance(const std::vector<Token>& glob, std::span<const char32_t> name) {
  std::vector<std::size_t> row(name.size() + 1);
  for (std::size_t j = 0; j <= name.size(); ++j) row[j] = j;
  for (const Token& token : glob) {
    const std::size_t gap_cost = token.any_run ? 0 : 1;
    std::size_t diagonal = row[0];
    row[0] += gap_cost;
    for (std::size_t j = 1; j <= name.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t change_cost = token.accepts(name[j - 1]) ? 0 : 1;
      row[j] = std::min(
          {above + gap_cost, row[j - 1] + (token.any_run ? 0 : 1), diagonal + change_cost});
      diagonal = above;
    }
  }
  return row[name.size()];
}

bool ends_prefix(char32_t c) { return c == U':' || c == U'|'; }

class Pattern {
 public:
  explicit Pattern(std::string_view text)
      : characters_(decode_folded(text)),
        tokens_(tokenize(characters_)),
        has_prefix_(text.find_first_of(kPrefixEnds) != std::string_view::npos) {}

  // The least distance to any of the forms of the name that the pattern is held against.
  [[nodiscard]] std::size_t distance(std::string_view name) const {
    const Characters whole = decode_folded(name);
    if (whole == characters_) return 0;
    if (!has_prefix_) {
      const Characters tail = decode_folded(without_prefix(name));
      return tail == characters_ ? 0 : glob_distance(tokens_, tail);
    }
    std::size_t least = glob_distance(tokens_, whole);
    for (std::size_t i = 0; i + 1 < whole.size() && least > 0; ++i)
      if (ends_prefix(whole[i]))
        least = std::min(least, glob_distance(tokens_, std::span(whole).subspan(i + 1)));
    return least;
  }

 private:
  Characters characters_;
  std::vector<Token> tokens_;
  bool has_prefix_;
};

}  // namespace

std::string_view without_prefix(std::string_view name) {
  const std::size_t end = name.find_last_of(kPrefixEnds);
  return end == std::string_view::npos || end + 1 == name.size() ? name : name.substr(end + 1);
}

bool name_matches(std::string_view pattern, std::string_view name) {
  return Pattern(pattern).distance(name) == 0;
}

std::vector<int> bones_matching(const Skeleton& skeleton, std::string_view pattern) {
  const Pattern compiled(pattern);
  std::vector<int> bones;
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b)
    if (compiled.distance(skeleton.bones()[b].name) == 0) bones.push_back(static_cast<int>(b));
  return bones;
}

int nearest_name(std::span<const std::string> names, std::string_view pattern) {
  const Pattern compiled(pattern);
  int nearest = -1;
  std::size_t least = SIZE_MAX;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t distance = compiled.distance(names[i]);
    if (distance < least) {
      least = distance;
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

int nearest_bone(const Skeleton& skeleton, std::string_view pattern) {
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones()) names.push_back(bone.name);
  return nearest_name(names, pattern);
}

Result<std::vector<int>> match_bones(const Skeleton& skeleton,
                                     std::span<const std::string> patterns) {
  std::vector<int> matched;
  for (const std::string& pattern : patterns) {
    const std::vector<int> bones = bones_matching(skeleton, pattern);
    if (bones.empty()) {
      const int nearest = nearest_bone(skeleton, pattern);
      std::string message = "no bone matches '" + pattern + "'";
      message += nearest < 0 ? "; there are no bones"
                             : "; the nearest name is '" + skeleton.bone(nearest).name + "'";
      return Error{ErrorCode::bad_argument, "", std::move(message)};
    }
    matched.insert(matched.end(), bones.begin(), bones.end());
  }
  std::sort(matched.begin(), matched.end());
  matched.erase(std::unique(matched.begin(), matched.end()), matched.end());
  return matched;
}

}  // namespace sinew
