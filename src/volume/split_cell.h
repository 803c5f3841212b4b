// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "volume/cell_copies.h"

namespace sinew {

/// One cell, taken apart into what hangs together in it.
struct SplitCell {
  std::array<std::uint8_t, kPiecesPerCell> of_piece{};  // its copy, or CellCopies::kNone
  std::vector<std::uint8_t> of_content;
  std::vector<std::uint64_t> filled;  // of each copy: its pieces
};

[[nodiscard]] SplitCell split_cell(const FilledCells& filled, std::size_t cell);

}  // namespace sinew
