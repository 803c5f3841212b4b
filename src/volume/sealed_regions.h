// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "volume/cell_lattice.h"

namespace sinew {

/// Cells above each other with no surface cell among them, between two that are.
struct CellRun {
  CellKey first = 0;
  std::size_t length = 0;
};

/// What surface cells leave between them. Regions are connected through faces of cells.
struct SealedRegions {
  std::vector<CellRun> runs;                      // ascending
  std::vector<std::vector<std::size_t>> regions;  // runs of each region that nothing leads out of

  /// Whether a cell lies in one of them.
  [[nodiscard]] bool contain(CellKey cell) const;
  std::vector<bool> is_sealed;  // of each run
};

/// Cost: O(surface cells × log), however long the runs are.
[[nodiscard]] SealedRegions find_sealed_regions(std::span<const CellKey> surface_cells);

}  // namespace sinew
