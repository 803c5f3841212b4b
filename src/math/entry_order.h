// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/parallel.h"

namespace sinew {

/// Where the entries of a matrix's columns go when they are grouped by another key, those of a key
/// in the order in which they come. Pieces of the columns run in parallel: each counts what it has
/// for every key, and so knows how many come before its own.
///
/// for_entries(range, use) calls use(key, …) for the entries of some columns, every time the same.
class EntryOrder {
 public:
  template <class ForEntries>
  EntryOrder(std::size_t columns, std::size_t keys, const ForEntries& for_entries)
      : columns_(columns),
        grain_(std::max(kLeastColumns, chunk_count(columns, kMostPieces))),
        next_(chunk_count(columns, grain_)),
        begin_(keys + 1, 0) {
    parallel_for_chunks(columns_, grain_, [&](ChunkRange range) {
      std::vector<int>& counts = next_[range.begin / grain_];
      counts.assign(keys, 0);
      for_entries(range, [&](std::size_t key, auto&&...) { ++counts[key]; });
    });
    for (std::size_t key = 0; key < keys; ++key) {
      int at = begin_[key];
      for (std::vector<int>& counts : next_) at += std::exchange(counts[key], at);
      begin_[key + 1] = at;
    }
  }

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(begin_.back()); }

  /// Calls put(place, …) for every entry, with what use has after the key. Once.
  template <class ForEntries, class Put>
  void place(const ForEntries& for_entries, const Put& put) {
    parallel_for_chunks(columns_, grain_, [&](ChunkRange range) {
      std::vector<int>& next = next_[range.begin / grain_];
      for_entries(range, [&](std::size_t key, auto&&... entry) {
        put(static_cast<std::size_t>(next[key]++), entry...);
      });
    });
    next_.clear();
  }

  /// Where the entries of each key begin, and the last ones end.
  [[nodiscard]] std::vector<int> take_begin() { return std::move(begin_); }

 private:
  /// So many, and few enough pieces to count for each of them.
  static constexpr std::size_t kLeastColumns = 2048;
  static constexpr std::size_t kMostPieces = 8;

  std::size_t columns_;
  std::size_t grain_;
  std::vector<std::vector<int>> next_;  // of each piece, for each key
  std::vector<int> begin_;
};

}  // namespace sinew
