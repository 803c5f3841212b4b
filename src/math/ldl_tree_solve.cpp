// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/ldl_tree_solve.h"

#include <algorithm>

namespace sinew {
namespace {

/// A piece has at most this part of all entries: enough pieces for many threads, and a top that is
/// small yet.
constexpr double kPieces = 24;
/// Below this many entries, one thread is done before others have started.
constexpr double kLeastEntries = 100'000;
/// Columns that are solved together when their entries are in the same rows, as those of a vertex
/// are: each row's index is read once for all of them.
constexpr int kMostTogether = 4;

/// Columns next to each other with the same rows below the last of them.
struct Group {
  int count = 1;
  int below = 0;                        // rows below all of them
  const int* rows = nullptr;            // of those
  const double* values[kMostTogether];  // beside rows
};

Group group_at(const LdlArrays& factor, int column, int end) {
  Group group;
  while (group.count < kMostTogether && column + group.count < end) {
    const int last = column + group.count - 1;
    if (factor.counts[last] < 2 || factor.rows[factor.begin[last] + 1] != last + 1 ||
        factor.counts[last] != factor.counts[last + 1] + 1)
      break;
    ++group.count;
  }
  const int last = column + group.count - 1;
  group.below = factor.counts[last] - 1;
  group.rows = factor.rows + factor.begin[last] + 1;
  for (int c = 0; c < group.count; ++c)
    group.values[c] = factor.values + factor.begin[column + c] + group.count - c;
  return group;
}

/// Entry of L in one column of a group at another.
double within(const LdlArrays& factor, int column, int row) {
  return factor.values[factor.begin[column] + (row - column)];
}

/// Calls use(row, change) for every row below the group.
template <int kCount, class Use>
void for_rows(const Group& group, const double* known, const Use& use) {
  for (int entry = 0; entry < group.below; ++entry) {
    double change = group.values[0][entry] * known[0];
    for (int c = 1; c < kCount; ++c) change += group.values[c][entry] * known[c];
    use(group.rows[entry], change);
  }
}

template <class Use>
void forward_group(const LdlArrays& factor, const Group& group, int column, double* x,
                   const Use& use) {
  double* const known = x + column;
  for (int c = 1; c < group.count; ++c)
    for (int b = 0; b < c; ++b) known[c] -= within(factor, column + b, column + c) * known[b];
  if (group.count == 1) for_rows<1>(group, known, use);
  if (group.count == 2) for_rows<2>(group, known, use);
  if (group.count == 3) for_rows<3>(group, known, use);
  if (group.count == 4) for_rows<4>(group, known, use);
  for (int c = 0; c < group.count; ++c) known[c] /= factor.values[factor.begin[column + c]];
}

template <int kCount>
void add_rows(const Group& group, const double* x, double* sums) {
  for (int entry = 0; entry < group.below; ++entry) {
    const double known = x[group.rows[entry]];
    for (int c = 0; c < kCount; ++c) sums[c] += group.values[c][entry] * known;
  }
}

void backward_group(const LdlArrays& factor, const Group& group, int column, double* x) {
  double sums[kMostTogether] = {};
  if (group.count == 1) add_rows<1>(group, x, sums);
  if (group.count == 2) add_rows<2>(group, x, sums);
  if (group.count == 3) add_rows<3>(group, x, sums);
  if (group.count == 4) add_rows<4>(group, x, sums);
  for (int c = group.count; c-- > 0;) {
    for (int b = c + 1; b < group.count; ++b)
      sums[c] += within(factor, column + c, column + b) * x[column + b];
    x[column + c] -= sums[c];
  }
}

/// A run of columns, in groups from the first to the last and back.
template <class Use>
void forward(const LdlArrays& factor, int begin, int end, double* x, const Use& use) {
  for (int column = begin; column < end;) {
    const Group group = group_at(factor, column, end);
    forward_group(factor, group, column, x, use);
    column += group.count;
  }
}
void backward(const LdlArrays& factor, int begin, int end, double* x) {
  for (int last = end; last-- > begin;) {
    int first = last;
    while (first > begin && last - first + 1 < kMostTogether &&
           factor.counts[first - 1] == factor.counts[first] + 1 &&
           factor.rows[factor.begin[first - 1] + 1] == first)
      --first;
    backward_group(factor, group_at(factor, first, last + 1), first, x);
    last = first;
  }
}

/// Calls use(begin, end) for every run of neighbouring columns of the top.
template <class Use>
void for_runs(const std::vector<int>& top, const Use& use) {
  for (std::size_t t = 0; t < top.size();) {
    std::size_t end = t + 1;
    while (end < top.size() && top[end] == top[end - 1] + 1) ++end;
    use(top[t], top[end - 1] + 1);
    t = end;
  }
}

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

void solve_ldl_tree(const LdlArrays& factor, const SolvePieces& pieces, std::span<double> x) {
  std::vector<std::vector<double>> above(pieces.pieces.size());  // what pieces change in the top
  parallel_for(
      pieces.pieces.size(),
      [&](std::size_t p) {
        const auto begin = static_cast<int>(pieces.pieces[p].begin);
        const auto end = static_cast<int>(pieces.pieces[p].end);
        above[p].assign(pieces.top.size(), 0);
        forward(factor, begin, end, x.data(), [&](int row, double change) {
          double& changed = row < end ? x[static_cast<std::size_t>(row)]
                                      : above[p][static_cast<std::size_t>(
                                            pieces.place_in_top[static_cast<std::size_t>(row)])];
          changed -= change;
        });
      },
      1);
  for (std::size_t t = 0; t < pieces.top.size(); ++t)
    for (const std::vector<double>& of_piece : above)
      x[static_cast<std::size_t>(pieces.top[t])] += of_piece[t];
  for_runs(pieces.top, [&](int begin, int end) {
    forward(factor, begin, end, x.data(),
            [&](int row, double change) { x[static_cast<std::size_t>(row)] -= change; });
  });
  std::vector<std::pair<int, int>> runs;
  for_runs(pieces.top, [&](int begin, int end) { runs.emplace_back(begin, end); });
  for (std::size_t run = runs.size(); run-- > 0;)
    backward(factor, runs[run].first, runs[run].second, x.data());
  parallel_for(
      pieces.pieces.size(),
      [&](std::size_t p) {
        backward(factor, static_cast<int>(pieces.pieces[p].begin),
                 static_cast<int>(pieces.pieces[p].end), x.data());
      },
      1);
}

}  // namespace sinew
