// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/cell_copies.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/parallel.h"
#include "volume/solid_along_line.h"
#include "volume/split_cell.h"

namespace sinew {
namespace {

constexpr std::size_t kCellGrain = 64;  // of some ten microseconds each
constexpr std::uint64_t kAllPieces = ~std::uint64_t{0};

std::vector<std::size_t> begins_of(const std::vector<CellContent>& contents,
                                   const std::vector<CellKey>& cells) {
  std::vector<std::size_t> begin{0};
  std::size_t at = 0;
  for (const CellKey cell : cells) {
    while (at < contents.size() && contents[at].cell == cell) ++at;
    begin.push_back(at);
  }
  return begin;
}

std::uint64_t inside_pieces(const FilledCells& filled, std::size_t cell) {
  std::uint64_t pieces = 0;
  for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
    if (filled.turns_of(cell, piece) != 0) pieces |= std::uint64_t{1} << piece;
  return pieces;
}

SplitCell whole_cell(const FilledCells& filled, std::size_t cell) {
  SplitCell whole;
  whole.of_content.assign(filled.contents_of(cell).size(), 0);
  whole.filled = {filled.kind[cell] == CellKind::surface ? inside_pieces(filled, cell)
                                                         : kAllPieces};
  return whole;
}

/// Of all cells, by what `take_apart` makes of each.
template <class TakeApart>
CellCopies copies_of(const FilledCells& filled, const TakeApart& take_apart) {
  std::vector<SplitCell> split(filled.cells.size());
  parallel_for(
      split.size(), [&](std::size_t cell) { split[cell] = take_apart(cell); }, kCellGrain);
  CellCopies copies;
  for (std::size_t cell = 0; cell < split.size(); ++cell) {
    copies.begin.push_back(copies.size());
    copies.filled.insert(copies.filled.end(), split[cell].filled.begin(), split[cell].filled.end());
    copies.of_piece.push_back(split[cell].of_piece);
    copies.of_content.insert(copies.of_content.end(), split[cell].of_content.begin(),
                             split[cell].of_content.end());
    copies.inside_pieces += static_cast<std::size_t>(std::popcount(
        filled.kind[cell] == CellKind::surface ? inside_pieces(filled, cell) : kAllPieces));
  }
  copies.begin.push_back(copies.size());
  return copies;
}

/// Finds the links between one cell and the next along an axis.
class FaceLinks {
 public:
  FaceLinks(const FilledCells& filled, const CellCopies& copies, std::size_t first,
            std::size_t second, int axis)
      : filled_(filled), copies_(copies), first_(first), second_(second), axis_(axis) {}

  [[nodiscard]] std::vector<CopyLink> find() {
    const bool is_full = is_whole(first_), is_next_full = is_whole(second_);
    if (is_full && is_next_full) {
      add(0, 0);
      return std::move(links_);
    }
    add_along_lines();
    // Inside begins at a face whatever the pieces beside it say.
    if (links_.empty() && is_full != is_next_full)
      for (std::size_t copy = 0; copy < count(is_full ? second_ : first_); ++copy)
        is_full ? add(0, copy) : add(copy, 0);
    add_through_simplices();
    const auto as_tuple = [](const CopyLink& l) { return std::tie(l.first, l.second); };
    std::sort(links_.begin(), links_.end(),
              [&](const auto& a, const auto& b) { return as_tuple(a) < as_tuple(b); });
    links_.erase(
        std::unique(links_.begin(), links_.end(),
                    [&](const auto& a, const auto& b) { return as_tuple(a) == as_tuple(b); }),
        links_.end());
    return std::move(links_);
  }

 private:
  [[nodiscard]] bool is_whole(std::size_t cell) const {
    return filled_.kind[cell] != CellKind::surface;
  }
  [[nodiscard]] std::size_t count(std::size_t cell) const {
    return copies_.begin[cell + 1] - copies_.begin[cell];
  }
  void add(std::size_t of_first, std::size_t of_second) {
    links_.push_back({copies_.begin[first_] + of_first, copies_.begin[second_] + of_second, axis_});
  }

  void add_along_lines() {
    const auto axis = static_cast<std::size_t>(axis_);
    const double face = place_of(filled_.cells[second_])[axis];
    const double half_a_piece = 0.5 / kPiecesPerSide;
    for (int u = 0; u < kPiecesPerSide; ++u)
      for (int v = 0; v < kPiecesPerSide; ++v) {
        const std::size_t before = piece_on_line(axis, u, v, kPiecesPerSide - 1);
        const std::size_t after = piece_on_line(axis, u, v, 0);
        const int turns_before = filled_.turns_of(first_, before);
        const int turns_after = filled_.turns_of(second_, after);
        if (turns_before == 0 || turns_after == 0) continue;
        bool is_one_solid = true;
        walk_solid(
            between(filled_.windings.on_line(axis, filled_.cells[first_], u, v),
                    face - half_a_piece, face + half_a_piece),
            turns_before, turns_after, [](std::size_t) {}, [&] { is_one_solid = false; });
        if (is_one_solid) add(copies_.of_piece[first_][before], copies_.of_piece[second_][after]);
      }
  }

  void add_through_simplices() {
    const std::span<const CellContent> a = filled_.contents_of(first_);
    const std::span<const CellContent> b = filled_.contents_of(second_);
    const std::uint8_t* copy_a = copies_.of_content.data() + filled_.contents_begin[first_];
    const std::uint8_t* copy_b = copies_.of_content.data() + filled_.contents_begin[second_];
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i].simplex == b[j].simplex) add(copy_a[i], copy_b[j]);
      a[i].simplex < b[j].simplex ? ++i : ++j;
    }
  }

  const FilledCells& filled_;
  const CellCopies& copies_;
  std::size_t first_, second_;
  int axis_;
  std::vector<CopyLink> links_;
};

}  // namespace

FilledCells::FilledCells(const InteriorQueries& queries, const CellLattice& lattice,
                         const InteriorCells& interior)
    : cells(interior.cells),
      kind(interior.kind),
      simplices(queries.simplices),
      places(lattice.all_in_cells(queries.surface.places)),
      contents(cell_contents(simplices, places, lattice)),
      contents_begin(begins_of(contents, cells)),
      windings(queries.surface.triangles, places, lattice, cells, kind) {}

CellCopies single_copies(const FilledCells& filled) {
  return copies_of(filled, [&](std::size_t cell) { return whole_cell(filled, cell); });
}

CellCopies split_copies(const FilledCells& filled) {
  return copies_of(filled, [&](std::size_t cell) {
    return filled.kind[cell] == CellKind::surface ? split_cell(filled, cell)
                                                  : whole_cell(filled, cell);
  });
}

std::vector<CopyLink> links_between(const FilledCells& filled, const CellCopies& copies) {
  std::vector<std::vector<CopyLink>> of_chunk(chunk_count(filled.cells.size(), kCellGrain));
  parallel_for_chunks(filled.cells.size(), kCellGrain, [&](ChunkRange range) {
    for (std::size_t cell = range.begin; cell < range.end; ++cell)
      for (int axis = 0; axis < 3; ++axis) {
        const std::size_t next = find_cell(filled.cells, filled.cells[cell] + step_along(axis));
        if (next == kNoCell) continue;
        const std::vector<CopyLink> links = FaceLinks(filled, copies, cell, next, axis).find();
        auto& all = of_chunk[range.begin / kCellGrain];
        all.insert(all.end(), links.begin(), links.end());
      }
  });
  std::vector<CopyLink> all;
  for (const auto& links : of_chunk) all.insert(all.end(), links.begin(), links.end());
  return all;
}

}  // namespace sinew
