// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "interior_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "character_lines.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kListedBones = 8;
constexpr std::size_t kListedPieces = 4;
constexpr std::size_t kListedContacts = 6;
constexpr std::size_t kListedFolds = 3;

class InteriorRows {
 public:
  InteriorRows(const InteriorInspection& interior, const std::vector<BoneSummary>& bones)
      : interior_(interior), bones_(bones) {}

  [[nodiscard]] std::string cells() const {
    const VoxelGridReport& grid = interior_.grid;
    std::string line = fmt::format(
        "{} cells where about {} were asked for, {:.3g} m wide ({:.2g}% of the diagonal): {} on "
        "the surface, {} inside",
        fmt::group_digits(interior_.cells), fmt::group_digits(interior_.cells_asked),
        interior_.cell_size, 100 * interior_.cell_size_rel, fmt::group_digits(grid.surface_cells),
        fmt::group_digits(grid.inside_cells));
    if (grid.enclosed_cells > 0)
      line += fmt::format(", {} enclosed", fmt::group_digits(grid.enclosed_cells));
    return line;
  }

  [[nodiscard]] std::string volume() const {
    const VoxelGridReport& grid = interior_.grid;
    std::string line = fmt::format("{:.3g} m3 in all cells; the mesh is around {:.3g} of it",
                                   grid.volume, grid.mesh_volume);
    if (grid.turned_parts > 0)
      line += fmt::format("; {} inside out, taken the other way",
                          counted(grid.turned_parts, "part is", "parts are"));
    if (grid.turned_triangles > 0)
      line += fmt::format("; {} against the others of their part, taken the other way",
                          counted(grid.turned_triangles, "triangle faces", "triangles face"));
    return line;
  }

  [[nodiscard]] std::string pieces() const {
    std::string line = counted(interior_.grid.pieces, "piece", "pieces");
    const std::size_t loose = interior_.loose_pieces.size();
    if (loose == 0) return line;
    std::vector<std::string> told;
    for (const LoosePiece& piece : interior_.loose_pieces)
      told.push_back(
          fmt::format("{} ({}) {} {}", piece.mesh.empty() ? "a piece" : piece.mesh,
                      counted(piece.cells, "cell", "cells"),
                      piece.is_distant ? "floats, moving with what is at" : "moves with what is at",
                      bone(piece.bone)));
    return line + fmt::format("; no bone holds {}: {}", loose, listed(told, kListedPieces));
  }

  [[nodiscard]] std::string bones() const {
    std::string line =
        fmt::format("{} cells", counted(interior_.bones_with_cells, "bone holds", "bones hold"));
    const auto add = [&](const std::vector<int>& which, std::string_view what) {
      std::vector<std::string> names;
      for (const int each : which) names.push_back(bone(each));
      if (!names.empty())
        line += fmt::format("; {} {}: {}", names.size(), what, listed(names, kListedBones));
    };
    add(interior_.unresolved_bones, "as thin as the cells they pass through");
    add(interior_.helped_bones, "with no corner of its own but the nearest");
    add(interior_.outside_bones, "outside, with no skin");
    return line;
  }

  /// Empty where nothing touches.
  [[nodiscard]] std::string kept_apart() const {
    const VoxelGridReport& grid = interior_.grid;
    if (grid.split_places == 0) return {};
    std::string line = fmt::format("what touches has cells of its own at {}",
                                   counted(grid.split_places, "place", "places"));
    if (const std::string pairs = contacts_by(&BoneContact::kept_apart); !pairs.empty())
      line += ": " + pairs;
    std::vector<std::string> folds;
    for (const BoneContact& contact : interior_.contacts)
      if (contact.bone == contact.other)
        folds.push_back(fmt::format("{} {}", bone(contact.bone), contact.kept_apart));
    if (!folds.empty()) line += "; folds of skin at one bone: " + listed(folds, kListedFolds);
    return line;
  }

  /// Empty where no cell is too coarse.
  [[nodiscard]] std::string merged() const {
    const std::string contacts = contacts_by(&BoneContact::merged);
    if (contacts.empty()) return {};
    std::size_t cells = 0;
    for (const BoneContact& contact : interior_.contacts) cells += contact.merged;
    return fmt::format("{} skin of limbs that are apart: {}; more --cells tell them apart",
                       counted(cells, "cell holds", "cells hold"), contacts);
  }

 private:
  [[nodiscard]] std::string bone(int index) const {
    return named(bones_[static_cast<std::size_t>(index)].name);
  }

  /// "index_01_l beside middle_01_l 12", of different bones, the most first.
  [[nodiscard]] std::string contacts_by(std::size_t BoneContact::*count) const {
    std::vector<BoneContact> contacts;
    for (const BoneContact& contact : interior_.contacts)
      if (contact.*count > 0 && contact.bone != contact.other) contacts.push_back(contact);
    std::ranges::stable_sort(contacts, std::ranges::greater(), count);
    std::vector<std::string> told;
    for (const BoneContact& contact : contacts)
      told.push_back(
          fmt::format("{} beside {} {}", bone(contact.bone), bone(contact.other), contact.*count));
    return listed(told, kListedContacts);
  }

  const InteriorInspection& interior_;
  const std::vector<BoneSummary>& bones_;
};

}  // namespace

void print_interior(Session& session, const InteriorInspection& interior,
                    const std::vector<BoneSummary>& bones) {
  const InteriorRows rows(interior, bones);
  session.print_row("interior", rows.cells());
  session.print_row("volume", rows.volume());
  session.print_row("pieces", rows.pieces());
  if (!bones.empty()) session.print_row("held", rows.bones());
  if (const std::string apart = rows.kept_apart(); !apart.empty())
    session.print_row("apart", apart);
  if (const std::string merged = rows.merged(); !merged.empty())
    session.print_row("merged", merged);
}

}  // namespace sinew::cli
