// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/interior_inspection.h"

#include <algorithm>
#include <map>
#include <span>

#include "sinew/volume/piece_ties.h"

namespace sinew {
namespace {

/// What is known of each piece of an interior.
struct PieceFacts {
  std::size_t cells = 0;
  Box box;
  std::map<std::string, std::size_t> vertices_of_mesh;

  [[nodiscard]] std::string mesh() const {
    const auto most = std::ranges::max_element(
        vertices_of_mesh, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == vertices_of_mesh.end() ? std::string() : most->first;
  }
};

std::string mesh_of_vertex(const Character& character, std::size_t vertex) {
  const auto part = std::ranges::find_if(character.parts, [&](const MeshPart& each) {
    return vertex >= each.first_vertex && vertex < each.first_vertex + each.vertex_count;
  });
  return part == character.parts.end() ? std::string() : part->name;
}

std::vector<PieceFacts> facts_of_pieces(const Character& character, const WeldedMesh& welded,
                                        const VoxelGrid& grid) {
  const std::vector<int> piece_of_cell = pieces_of(grid.elements);
  std::vector<PieceFacts> pieces(grid.report.pieces);
  const auto piece_at = [&](std::size_t cell) -> PieceFacts& {
    return pieces[static_cast<std::size_t>(piece_of_cell[cell])];
  };
  for (std::size_t cell = 0; cell < piece_of_cell.size(); ++cell) {
    PieceFacts& piece = piece_at(cell);
    ++piece.cells;
    for (const ElementPoint corner : grid.elements.hexahedra[cell])
      piece.box.extend(grid.elements.points[corner]);
  }
  for (std::size_t place = 0; place < grid.embedding.size(); ++place)
    ++piece_at(grid.embedding.element[place])
          .vertices_of_mesh[mesh_of_vertex(character, welded.copies[welded.copies_begin[place]])];
  return pieces;
}

int nearest_bone(const BoneSegments& bones, const Vec3& point) {
  return *std::ranges::min_element(bones.bones(), {},
                                   [&](int bone) { return bones.closest(point, bone).distance; });
}

std::vector<LoosePiece> find_loose_pieces(const Character& character, const BonedMesh& boned,
                                          const Interior& interior) {
  const Elements& elements = interior.grid.elements;
  const PieceTies ties = tie_pieces(elements, interior.bones.bone_of_point);
  if (ties.ties.empty()) return {};
  const std::vector<PieceFacts> pieces =
      facts_of_pieces(character, boned.mesh.welded, interior.grid);
  std::vector<LoosePiece> loose;
  for (const PieceTie& tie : ties.ties) {
    const PieceFacts& piece = pieces[static_cast<std::size_t>(tie.piece)];
    LoosePiece& described = loose.emplace_back();
    described.mesh = piece.mesh();
    described.cells = piece.cells;
    described.centre =
        boned.mesh.frame.centre + boned.mesh.frame.diagonal * Vec3(piece.box.center());
    described.host_mesh = pieces[static_cast<std::size_t>(tie.host)].mesh();
    described.bone = nearest_bone(boned.segments, elements.points[ties.springs[tie.begin].other]);
    described.gap_rel = tie.gap;
    described.is_distant = tie.is_distant;
  }
  std::ranges::stable_sort(loose, std::ranges::greater(), &LoosePiece::cells);
  return loose;
}

Json names_of(std::span<const int> bones, const Skeleton& skeleton) {
  Json names = Json::array();
  for (const int bone : bones) names.push_back(skeleton.bone(bone).name);
  return names;
}

}  // namespace

Result<InteriorInspection> inspect_interior(const Character& character,
                                            const InteriorOptions& options,
                                            HierarchyChoice hierarchy, const Progress& progress) {
  SINEW_TRY(const BonedMesh boned,
            prepare_boned_mesh(character, hierarchy, progress.within(0, 0.4)));
  SINEW_TRY(const Interior interior,
            make_interior(boned.mesh, boned.segments, options, progress.within(0.4, 1)));
  const VoxelGrid& grid = interior.grid;
  const double diagonal = boned.mesh.frame.diagonal;
  InteriorInspection inspection;
  inspection.cells_asked = options.cells;
  inspection.cells = grid.elements.size();
  inspection.points = grid.elements.points.size();
  inspection.grid = grid.report;
  inspection.grid.volume *= diagonal * diagonal * diagonal;
  inspection.grid.mesh_volume *= diagonal * diagonal * diagonal;
  inspection.cell_size = grid.elements.cell_size * diagonal;
  inspection.cell_size_rel = grid.elements.cell_size;
  inspection.helped_bones = interior.bones.helped;
  inspection.outside_bones = interior.bones.outside;
  inspection.unresolved_bones = interior.bones.unresolved;
  inspection.bones_with_cells = static_cast<std::size_t>(
      std::ranges::count_if(interior.bones.points, [](std::size_t points) { return points > 0; }));
  inspection.loose_pieces = find_loose_pieces(character, boned, interior);
  if (boned.cells)
    inspection.contacts =
        find_bone_contacts(grid, boned.mesh, boned.skeleton, boned.segments, boned.cells->nearest);
  return inspection;
}

Json to_json(const InteriorInspection& interior, const Skeleton& bones) {
  const auto name = [&](int bone) { return bones.bone(bone).name; };
  Json loose = Json::array();
  for (const LoosePiece& piece : interior.loose_pieces)
    loose.push_back({{"mesh", piece.mesh},
                     {"cells", piece.cells},
                     {"centre", {piece.centre.x(), piece.centre.y(), piece.centre.z()}},
                     {"host_mesh", piece.host_mesh},
                     {"bone", name(piece.bone)},
                     {"gap", piece.gap_rel},
                     {"far", piece.is_distant}});
  Json contacts = Json::array();
  for (const BoneContact& contact : interior.contacts)
    contacts.push_back({{"bone", name(contact.bone)},
                        {"other", name(contact.other)},
                        {"kept_apart", contact.kept_apart},
                        {"merged", contact.merged}});
  const VoxelGridReport& grid = interior.grid;
  return {{"cells_asked", interior.cells_asked},
          {"cells", interior.cells},
          {"points", interior.points},
          {"surface_cells", grid.surface_cells},
          {"inside_cells", grid.inside_cells},
          {"enclosed_cells", grid.enclosed_cells},
          {"cell_edge", interior.cell_size},
          {"cell_size", interior.cell_size_rel},
          {"volume", grid.volume},
          {"mesh_volume", grid.mesh_volume},
          {"pieces", grid.pieces},
          {"split_places", grid.split_places},
          {"added_cells", grid.added_cells},
          {"turned_triangles", grid.turned_triangles},
          {"turned_parts", grid.turned_parts},
          {"bones_with_cells", interior.bones_with_cells},
          {"helped_bones", names_of(interior.helped_bones, bones)},
          {"outside_bones", names_of(interior.outside_bones, bones)},
          {"unresolved_bones", names_of(interior.unresolved_bones, bones)},
          {"loose_pieces", std::move(loose)},
          {"contacts", std::move(contacts)}};
}

}  // namespace sinew
