// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "volume/cell_lattice.h"

namespace sinew {

/// Where a line meets a triangle.
struct Crossing {
  double depth = 0;            // along the line, in units of cells
  int step = 0;                // what the winding number grows by here, in the line's direction
  std::uint32_t triangle = 0;  // of those that were asked about
};

/// How lines along one axis meet triangles: lines through the centres of cells, or of the pieces
/// when each cell is cut into `pieces`³. A line that meets an edge meets exactly one of the two
/// triangles there, or both or none where they fold back, so that of a closed surface the steps
/// along every line sum to zero. To build: O(crossings × log(crossings)).
class LineCrossings {
 public:
  LineCrossings(const std::vector<Triangle>& triangles, const std::vector<Vec3>& places_in_cells,
                const CellLattice& lattice, int axis, int pieces);

  /// In the order of depth. A line is told by its places along the next axis and the one after it,
  /// cyclically, in pieces.
  [[nodiscard]] std::span<const Crossing> on_line(int u, int v) const;

  /// All lines that meet something; their places by `line`.
  [[nodiscard]] std::size_t line_count() const { return lines_.size(); }
  struct Line {
    int u = 0, v = 0;
    std::span<const Crossing> crossings;
  };
  [[nodiscard]] Line line(std::size_t index) const;

 private:
  std::vector<std::uint64_t> lines_;  // ascending
  std::vector<std::size_t> begin_;    // lines + 1
  std::vector<Crossing> crossings_;
};

/// What the winding number is at a depth by a line alone: as it grew up to here, and as it is to
/// shrink from here on. Both are the same where all is closed.
struct LineWinding {
  int from_below = 0, from_above = 0;
};
[[nodiscard]] LineWinding winding_at(std::span<const Crossing> crossings, double depth);

}  // namespace sinew
