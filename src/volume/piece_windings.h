// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/volume/voxel_grid.h"
#include "volume/cell_lattice.h"
#include "volume/line_crossings.h"

namespace sinew {

/// Cells are cut into so many pieces along each axis to see what in them hangs together: two
/// fingers in one cell have their gap between the centres of two pieces, or between crossings on
/// one line.
inline constexpr int kPiecesPerSide = 4;
inline constexpr std::size_t kPiecesPerCell =
    std::size_t{kPiecesPerSide} * kPiecesPerSide * kPiecesPerSide;  // the bits of VoxelGrid::filled

/// The piece with number `along` on the line (u, v) of a cell; u and v count along the axes after
/// `axis`, cyclically. Pieces are numbered along x, then y, then z.
[[nodiscard]] inline std::size_t piece_on_line(std::size_t axis, int u, int v, int along) {
  std::array<int, 3> at{};
  at[axis] = along;
  at[(axis + 1) % 3] = u;
  at[(axis + 2) % 3] = v;
  return static_cast<std::size_t>((at[2] * kPiecesPerSide + at[1]) * kPiecesPerSide + at[0]);
}

/// The centre of a piece, from the least corner of its cell, in cells.
[[nodiscard]] inline Vec3 centre_of_piece(std::size_t piece) {
  const auto p = static_cast<int>(piece);
  return (Vec3(p % kPiecesPerSide, p / kPiecesPerSide % kPiecesPerSide,
               p / (kPiecesPerSide * kPiecesPerSide)) +
          Vec3::Constant(0.5)) /
         kPiecesPerSide;
}

using PieceTurns = std::array<std::int8_t, kPiecesPerCell>;

/// How often the surface winds around the pieces of cells, and what lines through their centres
/// cross.
class PieceWindings {
 public:
  PieceWindings(const std::vector<Triangle>& triangles, const std::vector<Vec3>& places_in_cells,
                const CellLattice& lattice, std::span<const CellKey> cells,
                std::span<const CellKind> kind);

  /// Of each piece of a surface cell: the median of what six lines say, two along each axis.
  [[nodiscard]] const PieceTurns& of_cell(std::size_t cell) const { return turns_[cell]; }

  /// What the line (u, v) of a cell crosses, in that cell and beyond.
  [[nodiscard]] std::span<const Crossing> on_line(std::size_t axis, CellKey cell, int u,
                                                  int v) const;

 private:
  [[nodiscard]] PieceTurns turns_in(CellKey cell) const;

  std::array<LineCrossings, 3> along_;
  std::vector<PieceTurns> turns_;
};

/// Those from `begin` on and before `end`, which are depths.
[[nodiscard]] std::span<const Crossing> between(std::span<const Crossing> crossings, double begin,
                                                double end);

}  // namespace sinew
