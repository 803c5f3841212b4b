// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/solve_pieces.h"

#include <algorithm>

namespace sinew {
namespace {

/// A piece has at most this part of all entries: enough pieces for many threads, and a top that is
/// small yet.
constexpr double kPieces = 24;
/// Below this many entries, one thread is done before others have started.
constexpr double kLeastEntries = 100'000;

}  // namespace

SolvePieces SolvePieces::of(std::span<const int> parents, std::span<const int> counts) {
  SolvePieces result;
  const std::size_t size = parents.size();
  std::vector<double> entries(counts.begin(), counts.end());  // of a column and all below it
  std::vector<int> first(size);                               // of the columns below it
  double total = 0;
  bool is_contiguous = true;
  for (std::size_t j = 0; j < size; ++j) first[j] = static_cast<int>(j);
  std::vector<int> members(size, 1);
  for (std::size_t j = 0; j < size; ++j) {
    total += counts[j];
    is_contiguous = is_contiguous && members[j] == static_cast<int>(j) - first[j] + 1;
    if (parents[j] < 0) continue;
    const auto parent = static_cast<std::size_t>(parents[j]);
    entries[parent] += entries[j];
    members[parent] += members[j];
    first[parent] = std::min(first[parent], first[j]);
  }
  const double most = is_contiguous && total >= kLeastEntries ? total / kPieces : 0;
  result.place_in_top.assign(size, -1);
  double in_piece = 0;
  for (std::size_t j = 0; j < size; ++j) {
    if (entries[j] > most) {
      result.place_in_top[j] = static_cast<int>(result.top.size());
      result.top.push_back(static_cast<int>(j));
      continue;
    }
    const bool is_root = parents[j] < 0 || entries[static_cast<std::size_t>(parents[j])] > most;
    if (!is_root) continue;
    const auto begin = static_cast<std::size_t>(first[j]);
    if (!result.pieces.empty() && result.pieces.back().end == begin &&
        in_piece + entries[j] <= most) {
      result.pieces.back().end = j + 1;
      in_piece += entries[j];
    } else {
      result.pieces.push_back({begin, j + 1});
      in_piece = entries[j];
    }
  }
  return result;
}

}  // namespace sinew
