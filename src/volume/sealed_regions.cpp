// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/sealed_regions.h"

#include <algorithm>
#include <limits>

#include "core/disjoint_sets.h"

namespace sinew {
namespace {

/// The surface cells above one place of the ground, and the runs between them.
struct Column {
  CellKey ground = 0;  // the key without its place along z
  int lowest = 0, highest = 0;
  std::size_t runs_begin = 0, runs_end = 0;
};

int height_of(CellKey key) { return place_of(key)[2]; }

std::vector<Column> find_columns(std::span<const CellKey> surface, std::vector<CellRun>& runs) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const CellKey ground = surface[i] >> kBitsPerAxis;
    const int height = height_of(surface[i]);
    if (columns.empty() || columns.back().ground != ground) {
      columns.push_back({ground, height, height, runs.size(), runs.size()});
      continue;
    }
    Column& column = columns.back();
    if (surface[i] != surface[i - 1] + 1)
      runs.push_back({surface[i - 1] + 1, surface[i] - surface[i - 1] - 1});
    column.highest = height;
    column.runs_end = runs.size();
  }
  return columns;
}

int first_height(const CellRun& run) { return height_of(run.first); }
int last_height(const CellRun& run) { return height_of(run.first + run.length - 1); }

/// The sets of runs that faces join; the first set is what lies in the open.
class RunSets {
 public:
  explicit RunSets(const std::vector<CellRun>& runs) : runs_(runs), sets_(runs.size() + 1) {}

  void join_neighbours(const Column& a, const Column& b) {
    join_open_ends(a, b);
    join_open_ends(b, a);
    for (std::size_t i = a.runs_begin, j = b.runs_begin; i < a.runs_end && j < b.runs_end;) {
      if (first_height(runs_[i]) <= last_height(runs_[j]) &&
          first_height(runs_[j]) <= last_height(runs_[i]))
        sets_.join(i + 1, j + 1);
      last_height(runs_[i]) < last_height(runs_[j]) ? ++i : ++j;
    }
  }
  /// A column beside which there is no surface.
  void join_open(const Column& column) {
    for (std::size_t run = column.runs_begin; run < column.runs_end; ++run) sets_.join(0, run + 1);
  }
  [[nodiscard]] std::size_t find(std::size_t run) { return sets_.find(run + 1); }

 private:
  void join_open_ends(const Column& of, const Column& beside) {
    for (std::size_t run = of.runs_begin; run < of.runs_end; ++run)
      if (first_height(runs_[run]) < beside.lowest || last_height(runs_[run]) > beside.highest)
        sets_.join(0, run + 1);
  }

  const std::vector<CellRun>& runs_;
  DisjointSets sets_;
};

}  // namespace

bool SealedRegions::contain(CellKey cell) const {
  const auto after =
      std::upper_bound(runs.begin(), runs.end(), cell,
                       [](CellKey key, const CellRun& run) { return key < run.first; });
  if (after == runs.begin()) return false;
  const auto run = after - 1;
  return cell - run->first < run->length && is_sealed[static_cast<std::size_t>(run - runs.begin())];
}

SealedRegions find_sealed_regions(std::span<const CellKey> surface_cells) {
  SealedRegions sealed;
  const std::vector<Column> columns = find_columns(surface_cells, sealed.runs);
  RunSets sets(sealed.runs);
  const auto neighbour_at = [&](CellKey ground) -> const Column* {
    const auto found =
        std::lower_bound(columns.begin(), columns.end(), ground,
                         [](const Column& column, CellKey key) { return column.ground < key; });
    return found != columns.end() && found->ground == ground ? &*found : nullptr;
  };
  constexpr CellKey kStepX = CellKey{1} << kBitsPerAxis, kStepY = 1;  // of the ground
  for (const Column& column : columns) {
    if (column.runs_begin == column.runs_end) continue;
    for (const CellKey ground : {column.ground + kStepX, column.ground - kStepX,
                                 column.ground + kStepY, column.ground - kStepY}) {
      if (const Column* neighbour = neighbour_at(ground))
        sets.join_neighbours(column, *neighbour);
      else
        sets.join_open(column);
    }
  }

  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> region_of_set(sealed.runs.size() + 1, kNone);
  for (std::size_t run = 0; run < sealed.runs.size(); ++run) {
    const std::size_t set = sets.find(run);
    sealed.is_sealed.push_back(set != 0);
    if (set == 0) continue;
    if (region_of_set[set] == kNone) {
      region_of_set[set] = sealed.regions.size();
      sealed.regions.emplace_back();
    }
    sealed.regions[region_of_set[set]].push_back(run);
  }
  return sealed;
}

}  // namespace sinew
