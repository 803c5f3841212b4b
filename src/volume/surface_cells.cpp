// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/surface_cells.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace sinew {
namespace {

/// Cells of all chunks, before those of several fall together: 128 megabytes, and far beyond what
/// a grid may have.
constexpr std::size_t kMostMarks = std::size_t{1} << 24;

/// Simplices per chunk; neighbours in a file are mostly neighbours in space.
constexpr std::size_t kSimplexGrain = 2048;

struct Range {
  std::array<int, 3> low, high;  // inclusive

  [[nodiscard]] int length(std::size_t axis) const { return high[axis] - low[axis] + 1; }
};

bool overlaps_range(const Corners& corners, const Range& range) {
  Vec3 middle, half;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    middle[axis] = 0.5 * (range.low[a] + range.high[a] + 1);
    half[axis] = 0.5 * range.length(a) + kSurfaceMargin;
  }
  return overlaps(corners, middle, half);
}

/// Halves the longest side until single cells are left, or there are too many.
void append_range(const Corners& corners, const Range& range, std::vector<CellKey>& cells) {
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (range.length(axis) > range.length(longest)) longest = axis;
  const bool is_one = range.length(longest) == 1;
  // Two or four cells are as soon tested one by one.
  const bool is_few =
      range.length(longest) <= 4 && range.length(0) * range.length(1) * range.length(2) <= 4;
  if (cells.size() > kMostMarks || ((is_one || !is_few) && !overlaps_range(corners, range))) return;
  if (is_one) {
    cells.push_back(key_of(range.low));
    return;
  }
  Range half = range;
  half.high[longest] = range.low[longest] + range.length(longest) / 2 - 1;
  append_range(corners, half, cells);
  half.low[longest] = half.high[longest] + 1;
  half.high[longest] = range.high[longest];
  append_range(corners, half, cells);
}

void sort_distinct(std::vector<CellKey>& cells) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

}  // namespace

std::vector<Triangle> simplices_of(const OrientedSurface& surface) {
  std::vector<Triangle> simplices = surface.triangles;
  for (const auto& [a, b] : surface.wires) simplices.push_back({a, b, b});
  for (const VertexIndex place : surface.loose) simplices.push_back({place, place, place});
  return simplices;
}

bool overlaps(const Corners& corners, const Vec3& middle, const Vec3& half) {
  const Vec3 a = corners[0] - middle, b = corners[1] - middle, c = corners[2] - middle;
  const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
  if ((low.array() > half.array()).any() || (high.array() < -half.array()).any()) return false;
  const Vec3 normal = (b - a).cross(c - a);
  if (std::abs(normal.dot(a)) > normal.cwiseAbs().dot(half)) return false;
  const std::array<Vec3, 3> sides{b - a, c - b, a - c};
  const std::array<std::array<const Vec3*, 2>, 3> ends{{{&a, &c}, {&b, &a}, {&c, &b}}};
  for (std::size_t side = 0; side < 3; ++side)
    for (int axis = 0; axis < 3; ++axis) {
      // The cross product of the axis and the side; both ends of the side project to one number.
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const double along_u = -sides[side][v], along_v = sides[side][u];
      const auto project = [&](const Vec3& p) { return along_u * p[u] + along_v * p[v]; };
      const double end = project(*ends[side][0]), opposite = project(*ends[side][1]);
      const double reach = std::abs(along_u) * half[u] + std::abs(along_v) * half[v];
      if (std::min(end, opposite) > reach || std::max(end, opposite) < -reach) return false;
    }
  return true;
}

void append_cells(const Corners& corners, const CellLattice& lattice, std::vector<CellKey>& cells) {
  Range range{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto [low, high] = std::minmax({corners[0][axis], corners[1][axis], corners[2][axis]});
    const double last = lattice.count[a] - 1;
    range.low[a] = static_cast<int>(std::clamp(std::ceil(low - kSurfaceMargin - 1), 0.0, last));
    range.high[a] = static_cast<int>(std::clamp(std::floor(high + kSurfaceMargin), 0.0, last));
  }
  append_range(corners, range, cells);
}

std::optional<std::vector<CellKey>> surface_cells(const std::vector<Triangle>& simplices,
                                                  const std::vector<Vec3>& places_in_cells,
                                                  const CellLattice& lattice) {
  std::vector<std::vector<CellKey>> of_chunk(chunk_count(simplices.size(), kSimplexGrain));
  std::atomic<std::size_t> marks = 0;
  parallel_for_chunks(simplices.size(), kSimplexGrain, [&](ChunkRange range) {
    if (marks > kMostMarks) return;
    std::vector<CellKey>& cells = of_chunk[range.begin / kSimplexGrain];
    std::vector<CellKey> own;
    for (std::size_t s = range.begin; s < range.end; ++s) {
      own.clear();
      append_cells(corners_of(simplices[s], places_in_cells), lattice, own);
      if (own.size() > kMostMarks) {  // and not all of them
        marks = kMostMarks + 1;
        return;
      }
      cells.insert(cells.end(), own.begin(), own.end());
      if (cells.size() > kMostMarks) sort_distinct(cells);
    }
    sort_distinct(cells);
    marks += cells.size();
  });
  if (marks > kMostMarks) return std::nullopt;
  std::vector<CellKey> all;
  for (const std::vector<CellKey>& cells : of_chunk)
    all.insert(all.end(), cells.begin(), cells.end());
  sort_distinct(all);
  return all;
}

std::vector<CellContent> cell_contents(const std::vector<Triangle>& simplices,
                                       const std::vector<Vec3>& places_in_cells,
                                       const CellLattice& lattice) {
  std::vector<std::vector<CellContent>> of_chunk(chunk_count(simplices.size(), kSimplexGrain));
  parallel_for_chunks(simplices.size(), kSimplexGrain, [&](ChunkRange range) {
    std::vector<CellKey> cells;
    for (std::size_t s = range.begin; s < range.end; ++s) {
      cells.clear();
      append_cells(corners_of(simplices[s], places_in_cells), lattice, cells);
      for (const CellKey cell : cells)
        of_chunk[range.begin / kSimplexGrain].push_back({cell, static_cast<std::uint32_t>(s)});
    }
  });
  std::vector<CellContent> all;
  for (const auto& contents : of_chunk) all.insert(all.end(), contents.begin(), contents.end());
  std::sort(all.begin(), all.end(), [](const CellContent& a, const CellContent& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.simplex < b.simplex;
  });
  return all;
}

}  // namespace sinew
