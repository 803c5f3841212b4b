// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/split_cell.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "core/disjoint_sets.h"
#include "volume/cell_cuts.h"
#include "volume/solid_along_line.h"

namespace sinew {
namespace {

/// Pieces that are tried, nearest first, for what no line has met: the nearest mostly does.
constexpr std::size_t kMostPiecesTried = 8;
/// Simplices of a cell that are tried for one another: a fraction of a millisecond. A cell in which
/// thousands of specks lie has more, and its specks stay apart.
constexpr std::size_t kMostCutsTried = 50'000;

/// Fingers meet by twos and threes. Where more is apart in a cell it is hair or leaves: sheets that
/// go together first, and then all.
constexpr std::size_t kMostCopies = 4;

class CellSplitter {
 public:
  CellSplitter(const FilledCells& filled, std::size_t cell)
      : filled_(filled),
        cell_(cell),
        place_(place_of(filled.cells[cell])),
        contents_(filled.contents_of(cell)),
        sets_(kPiecesPerCell + contents_.size()) {}

  void join_along_lines() {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int u = 0; u < kPiecesPerSide; ++u)
        for (int v = 0; v < kPiecesPerSide; ++v) join_along(axis, u, v);
  }

  void join_through_edges() {
    struct End {
      Edge edge;
      std::size_t content;
    };
    std::vector<End> ends;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const Triangle& corners = simplex(i);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = std::minmax(corners[k], corners[(k + 1) % 3]);
        ends.push_back({{a, b}, i});
        ends.push_back({{corners[k], corners[k]}, i});
      }
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
      return std::tie(a.edge, a.content) < std::tie(b.edge, b.content);
    });
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const auto& [edge, content] = ends[i];
      if (edge != ends[i + 1].edge) continue;
      if (sets_.find(node_of(content)) == sets_.find(node_of(ends[i + 1].content))) continue;
      if (overlaps_cell({edge[0], edge[1], edge[1]}))
        sets_.join(node_of(content), node_of(ends[i + 1].content));
    }
  }

  /// A corner of the solid between the lines, or a sheet in it.
  void join_what_lines_missed() {
    std::vector<bool> has_piece(kPiecesPerCell + contents_.size(), false);
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
      if (is_inside(piece)) has_piece[sets_.find(piece)] = true;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (has_piece[sets_.find(node_of(i))]) continue;
      if (cuts_tried_ > kMostCutsTried) return;
      const std::size_t other = across_the_solid(i);
      if (other == kNoNode) continue;
      const bool joins_piece = has_piece[sets_.find(other)];
      sets_.join(node_of(i), other);
      if (joins_piece) has_piece[sets_.find(other)] = true;
    }
  }

  void join_what_is_too_much() {
    if (count_sets() <= kMostCopies) return;
    std::vector<bool> has_piece(kPiecesPerCell + contents_.size(), false);
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
      if (is_inside(piece)) has_piece[sets_.find(piece)] = true;
    std::size_t first_sheet = kNoNode;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (has_piece[sets_.find(node_of(i))]) continue;
      if (first_sheet == kNoNode) first_sheet = node_of(i);
      sets_.join(first_sheet, node_of(i));
    }
    if (count_sets() <= kMostCopies) return;
    for (std::size_t node = 0; node < kPiecesPerCell + contents_.size(); ++node)
      if (is_used(node)) sets_.join(node_of(0), node);
  }

  [[nodiscard]] SplitCell result() {
    SplitCell split;
    std::vector<std::uint8_t> copy_of_set(kPiecesPerCell + contents_.size(), CellCopies::kNone);
    const auto copy_of = [&](std::size_t node) {
      std::uint8_t& copy = copy_of_set[sets_.find(node)];
      if (copy == CellCopies::kNone) {
        copy = static_cast<std::uint8_t>(split.filled.size());
        split.filled.push_back(0);
      }
      return copy;
    };
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece) {
      split.of_piece[piece] = is_inside(piece) ? copy_of(piece) : CellCopies::kNone;
      if (is_inside(piece)) split.filled[split.of_piece[piece]] |= std::uint64_t{1} << piece;
    }
    for (std::size_t i = 0; i < contents_.size(); ++i)
      split.of_content.push_back(copy_of(node_of(i)));
    if (split.filled.empty()) split.filled.push_back(0);
    fill_films(split);
    return split;
  }

 private:
  static constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

  [[nodiscard]] static std::size_t node_of(std::size_t content) { return kPiecesPerCell + content; }
  [[nodiscard]] const Triangle& simplex(std::size_t content) const {
    return filled_.simplices[contents_[content].simplex];
  }
  [[nodiscard]] Corners corners(std::size_t content) const {
    return corners_of(simplex(content), filled_.places);
  }
  [[nodiscard]] bool is_inside(std::size_t piece) const {
    return filled_.turns_of(cell_, piece) != 0;
  }
  [[nodiscard]] bool is_used(std::size_t node) const {
    return node >= kPiecesPerCell || is_inside(node);
  }
  [[nodiscard]] std::size_t count_sets() {
    // The least member of a set leads it, and only what is used is ever joined.
    std::size_t count = 0;
    for (std::size_t node = 0; node < kPiecesPerCell + contents_.size(); ++node)
      if (is_used(node) && sets_.find(node) == node) ++count;
    return count;
  }
  [[nodiscard]] Vec3 low() const {
    return {double(place_[0]), double(place_[1]), double(place_[2])};
  }

  [[nodiscard]] bool overlaps_cell(const Triangle& simplex) const {
    return overlaps(corners_of(simplex, filled_.places), low() + Vec3::Constant(0.5),
                    Vec3::Constant(0.5 + kSurfaceMargin));
  }

  /// Of a triangle in this cell; kNoNode for one that only comes near to it.
  [[nodiscard]] std::size_t node_of_triangle(std::uint32_t triangle) const {
    const auto found = std::lower_bound(
        contents_.begin(), contents_.end(), triangle,
        [](const CellContent& content, std::uint32_t t) { return content.simplex < t; });
    if (found == contents_.end() || found->simplex != triangle) return kNoNode;
    return node_of(static_cast<std::size_t>(found - contents_.begin()));
  }

  /// From the last piece before the cell to the first one after it.
  void join_along(std::size_t axis, int u, int v) {
    const std::span<const Crossing> line =
        filled_.windings.on_line(axis, filled_.cells[cell_], u, v);
    const double begin = place_[axis];
    std::size_t held = kNoNode;  // what the solid that the walk is in belongs to
    const auto hold = [&](std::size_t node) {
      if (node == kNoNode) return;
      if (held != kNoNode) sets_.join(held, node);
      held = node;
    };
    for (int along = -1; along < kPiecesPerSide; ++along) {
      const std::span<const Crossing> crossings = between(
          line, begin + (along + 0.5) / kPiecesPerSide, begin + (along + 1.5) / kPiecesPerSide);
      walk_solid(
          crossings, turns_at(axis, u, v, along), turns_at(axis, u, v, along + 1),
          [&](std::size_t i) { hold(node_of_triangle(crossings[i].triangle)); },
          [&] { held = kNoNode; });
      if (along + 1 == kPiecesPerSide) break;
      const std::size_t piece = piece_on_line(axis, u, v, along + 1);
      if (is_inside(piece)) hold(piece);
    }
  }

  /// Of a piece of this cell, or of the one before it or after it.
  [[nodiscard]] int turns_at(std::size_t axis, int u, int v, int along) const {
    if (along >= 0 && along < kPiecesPerSide)
      return filled_.turns_of(cell_, piece_on_line(axis, u, v, along));
    const CellKey step = step_along(static_cast<int>(axis));
    const CellKey key = along < 0 ? filled_.cells[cell_] - step : filled_.cells[cell_] + step;
    const std::size_t neighbour = find_cell(filled_.cells, key);
    if (neighbour == kNoCell) return 0;
    return filled_.turns_of(neighbour,
                            piece_on_line(axis, u, v, (along + kPiecesPerSide) % kPiecesPerSide));
  }

  /// What a simplex that no line has met hangs together with, through the solid.
  [[nodiscard]] std::size_t across_the_solid(std::size_t content) {
    const Vec3 margin = Vec3::Constant(2 * kSurfaceMargin);  // of what only touches the cell, too
    const std::optional<Vec3> start =
        middle_in_box(corners(content), low() - margin, low() + Vec3::Ones() + margin);
    if (!start) return kNoNode;
    std::vector<std::pair<double, std::size_t>> near;  // by distance
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
      if (is_inside(piece))
        near.emplace_back((low() + centre_of_piece(piece) - *start).squaredNorm(), piece);
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), kMostPiecesTried));
    for (const auto& [distance, piece] : near)
      if (reaches(piece, content, *start)) return piece;
    return opposite(content, *start);
  }

  /// Whether the way from a piece to a point of a simplex stays in the solid.
  [[nodiscard]] bool reaches(std::size_t piece, std::size_t content, const Vec3& point) {
    const Vec3 from = low() + centre_of_piece(piece);
    // What lies on the simplex is passed too: a face of another solid that touches this one.
    const Vec3 beyond = point + kSamePlace * (point - from).normalized();
    const std::vector<Cut> cuts = cuts_along(from, beyond, content);
    const double same_share = kSamePlace / (beyond - from).norm();
    int turns = std::abs(filled_.turns_of(cell_, piece));
    for (std::size_t begin = 0, end = 0; begin < cuts.size(); begin = end) {
      int out = 0, in = 0;
      for (; end < cuts.size() && cuts[end].share - cuts[begin].share <= same_share; ++end)
        (cuts[end].step < 0 ? out : in) += cuts[end].step;
      if (turns + out < 1) return false;
      turns += out + in;
    }
    return true;
  }

  /// The simplex behind another one, if the solid is between them and nothing else.
  [[nodiscard]] std::size_t opposite(std::size_t content, const Vec3& point) {
    const auto [a, b, c] = corners(content);
    const Vec3 normal = (b - a).cross(c - a);
    if (!(normal.norm() > 0)) return kNoNode;
    // What lies on the simplex does not count: a face of another solid that touches this one.
    const Vec3 inward = -normal.normalized();
    const Vec3 start = point + kSamePlace * inward;
    const double farther_than_a_cell = 2;
    const std::vector<Cut> cuts = cuts_along(start, start + farther_than_a_cell * inward, content);
    if (cuts.empty() || cuts.front().step > 0) return kNoNode;
    const Vec3 hit = start + farther_than_a_cell * cuts.front().share * inward;
    const bool is_here = ((hit - low()).array() >= 0).all() && ((hit - low()).array() <= 1).all();
    return is_here ? node_of(cuts.front().content) : kNoNode;
  }

  [[nodiscard]] std::vector<Cut> cuts_along(const Vec3& from, const Vec3& to, std::size_t but) {
    cuts_tried_ += contents_.size();
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (i == but) continue;
      if (const std::optional<Cut> cut = cut_of(corners(i), from, to, i)) cuts.push_back(*cut);
    }
    std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
      return std::tie(a.share, a.content) < std::tie(b.share, b.content);
    });
    return cuts;
  }

  /// A copy without a piece inside has those that its simplices pass through.
  void fill_films(SplitCell& split) const {
    const std::vector<std::uint64_t> inside = split.filled;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const std::uint8_t copy = split.of_content[i];
      if (inside[copy] != 0) continue;
      for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
        if (overlaps(corners(i), low() + centre_of_piece(piece),
                     Vec3::Constant(0.5 / kPiecesPerSide + kSurfaceMargin)))
          split.filled[copy] |= std::uint64_t{1} << piece;
    }
  }

  const FilledCells& filled_;
  std::size_t cell_;
  std::array<int, 3> place_;
  std::span<const CellContent> contents_;
  DisjointSets sets_;  // of pieces, then of contents
  std::size_t cuts_tried_ = 0;
};

}  // namespace

SplitCell split_cell(const FilledCells& filled, std::size_t cell) {
  CellSplitter splitter(filled, cell);
  splitter.join_along_lines();
  splitter.join_through_edges();
  splitter.join_what_lines_missed();
  splitter.join_what_is_too_much();
  return splitter.result();
}

}  // namespace sinew
