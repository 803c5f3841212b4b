// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string folded(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
std::size_t slips_between(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), row(width), next(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] != b[j - 1]);
      next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::string_view closest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kShortestUnfinished = 3;  // two letters begin too many words
  const std::string wanted = folded(word);
  std::string_view best;
  std::size_t best_slips = 0;
  for (const std::string& candidate : candidates) {
    const std::string known = folded(candidate);
    const std::size_t allowed = std::max<std::size_t>(1, std::min(wanted.size(), known.size()) / 3);
    const bool unfinished = wanted.size() >= kShortestUnfinished && known.starts_with(wanted);
    const std::size_t slips = unfinished ? 1 : slips_between(wanted, known);
    if (slips <= allowed && (best.empty() || slips < best_slips)) {
      best = candidate;
      best_slips = slips;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string_view near = closest(word, candidates);
  return near.empty() ? std::string() : fmt::format(", did you mean {}?", near);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1_control =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (c1_control) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i]));
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", fmt::group_digits(count), count == 1 ? one : many);
}

std::string listed(std::span<const std::string> items, std::size_t limit) {
  std::string result;
  const std::size_t shown = items.size() <= limit ? items.size() : limit;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == items.size();
    result += i == 0 ? "" : last ? " and " : ", ";
    result += printable(items[i]);
  }
  if (shown < items.size()) result += fmt::format(" and {} more", items.size() - shown);
  return result;
}

}  // namespace sinew::cli
