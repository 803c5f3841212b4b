// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "volume/cell_lattice.h"
#include "volume/interior_cells.h"
#include "volume/piece_windings.h"
#include "volume/surface_cells.h"

namespace sinew {

/// What lies in the cells of an interior: simplices, and pieces that the surface winds around.
struct FilledCells {
  FilledCells(const InteriorQueries& queries, const CellLattice& lattice,
              const InteriorCells& interior);

  std::vector<CellKey> cells;               // ascending
  std::vector<CellKind> kind;               // of each
  const std::vector<Triangle>& simplices;   // the first are triangles
  std::vector<Vec3> places;                 // in units of cells
  std::vector<CellContent> contents;        // by cell
  std::vector<std::size_t> contents_begin;  // of each cell; cells + 1
  PieceWindings windings;                   // of each cell's pieces

  [[nodiscard]] std::span<const CellContent> contents_of(std::size_t cell) const {
    return std::span(contents).subspan(contents_begin[cell],
                                       contents_begin[cell + 1] - contents_begin[cell]);
  }
  /// What the surface winds around a piece, or 1 where all of the cell counts as inside.
  [[nodiscard]] int turns_of(std::size_t cell, std::size_t piece) const {
    return kind[cell] == CellKind::surface ? windings.of_cell(cell)[piece] : 1;
  }
};

/// The copies of each cell: one for each part of what lies in it that hangs together there.
struct CellCopies {
  static constexpr std::uint8_t kNone = 255;

  std::vector<std::size_t> begin;                                  // of each cell; cells + 1
  std::vector<std::uint64_t> filled;                               // of each copy: its pieces
  std::vector<std::array<std::uint8_t, kPiecesPerCell>> of_piece;  // of each cell, or kNone
  std::vector<std::uint8_t> of_content;                            // of each simplex in its cell
  std::size_t inside_pieces = 0;                                   // of all cells

  [[nodiscard]] std::size_t size() const { return filled.size(); }
};

/// One copy of each cell.
[[nodiscard]] CellCopies single_copies(const FilledCells& filled);

/// Pieces hang together along lines that stay in the solid, simplices with the solid that they
/// bound and through edges and corners in the cell. What lines miss is asked for one by one. Cost:
/// O(simplices in cells × log), and 48 lines for each surface cell. Follows M. Nesme, P. Kry, L.
/// Jeřábková and F. Faure, "Preserving topology and elasticity for embedded deformable models", ACM
/// Transactions on Graphics 28(3), 2009, with windings in place of a mask.
[[nodiscard]] CellCopies split_copies(const FilledCells& filled);

/// Copies of two cells that share a face, which what lies in them crosses.
struct CopyLink {
  std::size_t first = 0, second = 0;  // copies; the second is further along the axis
  int axis = 0;
};
[[nodiscard]] std::vector<CopyLink> links_between(const FilledCells& filled,
                                                  const CellCopies& copies);

}  // namespace sinew
