// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernode_symbolic.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew {
namespace {

using Dense = std::vector<std::vector<bool>>;  // [row][column], of the lower triangle

struct Sample {
  std::string name;
  Dense matrix;
};

Dense diagonal(int size) {
  Dense matrix(static_cast<std::size_t>(size), std::vector<bool>(static_cast<std::size_t>(size)));
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] = true;
  return matrix;
}

void join(Dense& matrix, int a, int b) {
  matrix[static_cast<std::size_t>(std::max(a, b))][static_cast<std::size_t>(std::min(a, b))] = true;
}

Dense grid(int width, int height) {
  Dense matrix = diagonal(width * height);
  for (int v = 0; v < width * height; ++v) {
    if (v % width + 1 < width) join(matrix, v, v + 1);
    if (v + width < width * height) join(matrix, v, v + width);
  }
  return matrix;
}

Dense scattered(int size, int entries, std::uint64_t seed) {
  Random random(seed);
  Dense matrix = diagonal(size);
  const auto any = [&] { return static_cast<int>(random.uniform(0, size)); };
  for (int e = 0; e < entries; ++e) join(matrix, any(), any());
  return matrix;
}

/// The same in another order of the rows.
Dense shuffled(const Dense& matrix, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> place(matrix.size());
  std::iota(place.begin(), place.end(), 0);
  for (std::size_t i = place.size(); i > 1; --i)
    std::swap(place[i - 1],
              place[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i)))]);
  Dense result = diagonal(static_cast<int>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (matrix[i][j]) join(result, place[i], place[j]);
  return result;
}

Dense tree(int size, std::uint64_t seed) {
  Random random(seed);
  Dense matrix = diagonal(size);
  for (int v = 1; v < size; ++v) join(matrix, v, static_cast<int>(random.uniform(0, v)));
  return matrix;
}

Dense full(int size) {
  Dense matrix = diagonal(size);
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < a; ++b) join(matrix, a, b);
  return matrix;
}

/// One row that all others meet, the first or the last.
Dense arrow(int size, int head) {
  Dense matrix = diagonal(size);
  for (int v = 0; v < size; ++v) join(matrix, v, head);
  return matrix;
}

/// Each block a grid of its own.
Dense disconnected() {
  Dense matrix = diagonal(75);
  for (int block = 0; block < 3; ++block)
    for (int v = 0; v < 24; ++v) {
      if (v % 5 != 4) join(matrix, block * 25 + v, block * 25 + v + 1);
      if (v < 20) join(matrix, block * 25 + v, block * 25 + v + 5);
    }
  return matrix;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> made = {
        {"empty", diagonal(0)},
        {"of one row", diagonal(1)},
        {"of no entries", diagonal(12)},
        {"dense", full(23)},
        {"arrow up", arrow(20, 19)},
        {"arrow down", arrow(20, 0)},
        {"grid", grid(9, 7)},
        {"path", grid(40, 1)},
        {"shuffled grid", shuffled(grid(11, 12), 3)},
        {"disconnected", disconnected()},
        {"shuffled and disconnected", shuffled(disconnected(), 5)},
    };
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const std::string number = std::to_string(seed);
      made.push_back({"tree " + number, tree(60, seed)});
      made.push_back({"sparse " + number, scattered(70, 60, seed)});
      made.push_back({"denser " + number, scattered(50, 160, seed)});
      made.push_back({"tiny " + number, scattered(5, 4, seed)});
    }
    return made;
  }();
  return all;
}

/// Columns in any order of their rows; every other one names itself.
LowerPattern pattern_of(const Dense& matrix) {
  LowerPattern pattern{{0}, {}};
  for (std::size_t j = 0; j < matrix.size(); ++j) {
    for (std::size_t i = matrix.size(); i-- > j + j % 2;)
      if (matrix[i][j]) pattern.rows.push_back(static_cast<int>(i));
    pattern.offsets.push_back(static_cast<int>(pattern.rows.size()));
  }
  return pattern;
}

/// Column after column: what is in a column comes together where the column is eliminated.
Dense eliminated(Dense matrix) {
  for (std::size_t k = 0; k < matrix.size(); ++k)
    for (std::size_t j = k + 1; j < matrix.size(); ++j)
      for (std::size_t i = j; i < matrix.size(); ++i)
        if (matrix[i][k] && matrix[j][k]) matrix[i][j] = true;
  return matrix;
}

Dense reordered(const Dense& matrix, const std::vector<int>& place) {
  Dense result = diagonal(static_cast<int>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (matrix[i][j]) join(result, place[i], place[j]);
  return result;
}

/// Every entry that the supernodes have room for.
Dense entries_of(const SupernodeSymbolic& symbolic) {
  Dense entries = diagonal(static_cast<int>(symbolic.place.size()));
  for (std::size_t s = 0; s < symbolic.count(); ++s)
    for (int column = symbolic.first_column[s]; column < symbolic.first_column[s + 1]; ++column)
      for (std::size_t r = symbolic.first_row[s]; r < symbolic.first_row[s + 1]; ++r)
        if (symbolic.rows[r] >= column) join(entries, symbolic.rows[r], column);
  return entries;
}

/// Nothing is merged that would bring a zero.
SupernodeRelaxation none() { return {0, {{{0, 0}, {0, 0}}}, 0}; }

TEST(SupernodeSymbolic, ParentsAndCountsAreThoseOfALiteralElimination) {
  for (const auto& [name, matrix] : samples()) {
    const ColumnAnalysis found = analyse_columns(pattern_of(matrix));
    const Dense factor = eliminated(matrix);
    double products = 0;
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      int parent = -1, count = 0;
      for (std::size_t i = matrix.size(); i-- > j;)
        if (factor[i][j]) {
          ++count;
          if (i > j) parent = static_cast<int>(i);
        }
      products += count * count;
      ASSERT_EQ(found.parents[j], parent) << name << ", column " << j;
      ASSERT_EQ(found.counts[j], count) << name << ", column " << j;
    }
    EXPECT_EQ(found.products(), products) << name;
  }
}

TEST(SupernodeSymbolic, SubtreesLieTogetherBeforeTheirRootsAndTheLargestChildLast) {
  for (const auto& [name, matrix] : samples()) {
    const ColumnAnalysis found = analyse_columns(pattern_of(matrix));
    const std::size_t size = matrix.size();
    std::vector<int> column_at(size, -1), nodes(size, 1), first = found.place;
    for (std::size_t j = 0; j < size; ++j)
      column_at[static_cast<std::size_t>(found.place[j])] = static_cast<int>(j);
    EXPECT_EQ(std::ranges::count(column_at, -1), 0) << name;
    for (const int column : column_at) {
      const auto j = static_cast<std::size_t>(column);
      ASSERT_EQ(first[j], found.place[j] - nodes[j] + 1) << name;
      if (found.parents[j] < 0) continue;
      const auto parent = static_cast<std::size_t>(found.parents[j]);
      ASSERT_LT(found.place[j], found.place[parent]) << name;
      nodes[parent] += nodes[j];
      first[parent] = std::min(first[parent], first[j]);
    }
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (found.parents[a] == found.parents[b]) {
          const bool is_first = found.parents[a] >= 0 && found.counts[a] < found.counts[b];
          ASSERT_EQ(found.place[a] < found.place[b], is_first) << name;
        }
  }
}

TEST(SupernodeSymbolic, APostorderIsItsOwn) {
  for (const auto& [name, matrix] : samples()) {
    const ColumnAnalysis once = analyse_columns(pattern_of(matrix));
    const ColumnAnalysis twice = analyse_columns(pattern_of(reordered(matrix, once.place)));
    EXPECT_TRUE(std::ranges::is_sorted(twice.place)) << name;
    EXPECT_EQ(twice.products(), once.products()) << name;
  }
}

TEST(SupernodeSymbolic, WithoutRelaxationSupernodesHaveTheEntriesOfTheFactorAndNoMore) {
  for (const auto& [name, matrix] : samples()) {
    const SupernodeSymbolic found = analyse_supernodes(analyse_columns(pattern_of(matrix)), none());
    EXPECT_EQ(entries_of(found), eliminated(reordered(matrix, found.place))) << name;
  }
}

TEST(SupernodeSymbolic, RelaxedSupernodesHaveAllEntriesAndRowsThatAscend) {
  for (const auto& [name, matrix] : samples()) {
    const SupernodeSymbolic found = analyse_supernodes(analyse_columns(pattern_of(matrix)));
    const SupernodeSymbolic exact = analyse_supernodes(analyse_columns(pattern_of(matrix)), none());
    EXPECT_LE(found.count(), exact.count()) << name;
    EXPECT_EQ(found.place, exact.place) << name;
    const Dense factor = eliminated(reordered(matrix, found.place));
    const Dense room = entries_of(found);
    for (std::size_t i = 0; i < factor.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) ASSERT_TRUE(room[i][j] || !factor[i][j]) << name;
    for (std::size_t s = 0; s < found.count(); ++s) {
      ASSERT_LT(found.first_column[s], found.first_column[s + 1]) << name;
      const std::span<const int> rows =
          std::span(found.rows)
              .subspan(found.first_row[s], found.first_row[s + 1] - found.first_row[s]);
      ASSERT_TRUE(std::ranges::is_sorted(rows, std::ranges::less_equal())) << name;
      for (int column = found.first_column[s]; column < found.first_column[s + 1]; ++column)
        ASSERT_EQ(rows[static_cast<std::size_t>(column - found.first_column[s])], column) << name;
    }
  }
}

TEST(SupernodeSymbolic, SmallOrNearlyFullSupernodesAreMergedAndOthersAreNot) {
  // A path: supernodes of four columns, each with more zeros than it would be allowed otherwise.
  const SupernodeSymbolic path =
      analyse_supernodes(analyse_columns(pattern_of(grid(40, 1))), {4, {{{0, 0}, {0, 0}}}, 0});
  EXPECT_EQ(path.count(), 10u);
  // All but one entry: one supernode where a twentieth may be zero, two where nothing may.
  Dense nearly = full(40);
  nearly[39][0] = false;
  for (std::size_t j = 1; j < 20; ++j) nearly[39][j] = false;
  const ColumnAnalysis columns = analyse_columns(pattern_of(nearly));
  EXPECT_EQ(analyse_supernodes(columns, none()).count(), 2u);
  EXPECT_EQ(analyse_supernodes(columns).count(), 1u);
  EXPECT_EQ(analyse_supernodes(analyse_columns(pattern_of(full(60))), none()).count(), 1u);
}

TEST(SupernodeSymbolic, ColumnsThatStandForBlocksAreMergedUpToTheSameSize) {
  const SupernodeRelaxation of_blocks = SupernodeRelaxation::for_blocks_of(5);
  EXPECT_EQ(of_blocks.columns_always, 1);
  EXPECT_EQ(of_blocks.limits[0].columns, 4);
  EXPECT_EQ(of_blocks.limits[1].columns, 10);
  EXPECT_EQ(of_blocks.limits[0].zeros_rel, SupernodeRelaxation().limits[0].zeros_rel);
}

}  // namespace
}  // namespace sinew
