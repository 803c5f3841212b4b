// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/piece_windings.h"

#include <algorithm>
#include <cstdlib>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kCellGrain = 64;  // of about 50 lines each
constexpr int kMostTurns = 100;         // more shells around each other are no more inside

/// The middle of six; where the two in the middle differ, the one nearer to outside.
std::int8_t median_of(std::array<int, 6> turns) {
  std::sort(turns.begin(), turns.end());
  const int low = turns[2], high = turns[3];
  const int median = low > 0 ? low : high < 0 ? high : 0;
  return static_cast<std::int8_t>(std::clamp(median, -kMostTurns, kMostTurns));
}

}  // namespace

PieceWindings::PieceWindings(const std::vector<Triangle>& triangles,
                             const std::vector<Vec3>& places_in_cells, const CellLattice& lattice,
                             std::span<const CellKey> cells, std::span<const CellKind> kind)
    : along_{LineCrossings(triangles, places_in_cells, lattice, 0, kPiecesPerSide),
             LineCrossings(triangles, places_in_cells, lattice, 1, kPiecesPerSide),
             LineCrossings(triangles, places_in_cells, lattice, 2, kPiecesPerSide)},
      turns_(cells.size()) {
  parallel_for(
      cells.size(),
      [&](std::size_t cell) {
        if (kind[cell] == CellKind::surface) turns_[cell] = turns_in(cells[cell]);
      },
      kCellGrain);
}

std::span<const Crossing> PieceWindings::on_line(std::size_t axis, CellKey cell, int u,
                                                 int v) const {
  const std::array<int, 3> place = place_of(cell);
  return along_[axis].on_line(place[(axis + 1) % 3] * kPiecesPerSide + u,
                              place[(axis + 2) % 3] * kPiecesPerSide + v);
}

PieceTurns PieceWindings::turns_in(CellKey cell) const {
  std::array<std::array<int, 6>, kPiecesPerCell> said{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int u = 0; u < kPiecesPerSide; ++u)
      for (int v = 0; v < kPiecesPerSide; ++v) {
        const std::span<const Crossing> crossings = on_line(axis, cell, u, v);
        for (int along = 0; along < kPiecesPerSide; ++along) {
          const double depth = place_of(cell)[axis] + (along + 0.5) / kPiecesPerSide;
          const LineWinding winding = winding_at(crossings, depth);
          auto& of_piece = said[piece_on_line(axis, u, v, along)];
          of_piece[2 * axis] = winding.from_below;
          of_piece[2 * axis + 1] = winding.from_above;
        }
      }
  PieceTurns turns{};
  for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
    turns[piece] = median_of(said[piece]);
  return turns;
}

std::span<const Crossing> between(std::span<const Crossing> crossings, double begin, double end) {
  const auto at = [&](double depth) {
    return std::partition_point(crossings.begin(), crossings.end(),
                                [depth](const Crossing& c) { return c.depth < depth; });
  };
  return {at(begin), at(end)};
}

}  // namespace sinew
