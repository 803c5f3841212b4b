// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "jobs/interior_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sinew/volume/tet_lattice.h"

namespace sinew {
namespace {

constexpr const char* kBoneHolds = "bone_holds";
constexpr const char* kBoneLeads = "bone_leads";

/// Points of a grid in that grid: each is where it is.
Embedding in_itself(const Elements& elements) {
  Embedding embedding;
  embedding.element.assign(elements.points.size(), 0);
  for (std::uint32_t cell = 0; cell < elements.hexahedra.size(); ++cell)
    for (const ElementPoint corner : elements.hexahedra[cell]) embedding.element[corner] = cell;
  for (ElementPoint point = 0; point < elements.points.size(); ++point) {
    embedding.begin.push_back(point);
    embedding.corner.push_back(point);
    embedding.coefficient.push_back(1);
  }
  embedding.begin.push_back(elements.points.size());
  return embedding;
}

/// A bone holds what lies between points that it holds, and nothing else.
std::vector<std::int32_t> bones_of_points(const Embedding& from_grid,
                                          std::span<const int> bone_of_corner) {
  std::vector<std::int32_t> bones(from_grid.size(), -1);
  for (std::size_t point = 0; point < bones.size(); ++point) {
    const auto corners = from_grid.corners_of(point);
    const int bone = bone_of_corner[corners.front()];
    if (std::ranges::all_of(corners, [&](ElementPoint c) { return bone_of_corner[c] == bone; }))
      bones[point] = bone;
  }
  return bones;
}

/// The bone that holds most of an element's points, the first of equals; -1 where none holds any.
std::int32_t bone_of(std::span<const ElementPoint> corners,
                     std::span<const std::int32_t> bone_of_point) {
  std::int32_t best = -1;
  std::ptrdiff_t most = 0;
  for (const ElementPoint corner : corners) {
    const std::int32_t bone = bone_of_point[corner];
    const auto points = std::ranges::count_if(
        corners, [&](ElementPoint other) { return bone_of_point[other] == bone; });
    if (bone < 0 || points < most || (points == most && bone >= best)) continue;
    best = bone;
    most = points;
  }
  return best;
}

/// Of each bone the name of its field: its own, told apart where another has it.
std::vector<std::string> field_names(const Skeleton& bones) {
  std::multiset<std::string> used{kBoneHolds, kBoneLeads, "Points"};
  for (const Bone& bone : bones.bones()) used.insert(bone.name);
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bones.bone_count(); ++b) {
    const std::string& name = bones.bones()[b].name;
    const bool is_plain = !name.empty() && used.count(name) == 1;
    std::string told = is_plain ? name : fmt::format("{} #{}", name.empty() ? "bone" : name, b);
    while (!is_plain && used.contains(told)) told += '#';
    if (!is_plain) used.insert(told);
    names.push_back(std::move(told));
  }
  return names;
}

void add_weights(const Skeleton& bones, std::span<const std::vector<Influence>> rows,
                 UnstructuredGrid& grid) {
  std::vector<std::vector<float>> of_bone(bones.bone_count());
  std::vector<std::int32_t> leads(rows.size(), -1);
  for (std::size_t point = 0; point < rows.size(); ++point) {
    double largest = 0;
    for (const Influence& each : rows[point]) {
      std::vector<float>& weights = of_bone[each.bone];
      if (weights.empty()) weights.resize(rows.size(), 0.0F);
      weights[point] = static_cast<float>(each.weight);
      if (each.weight <= largest) continue;
      largest = each.weight;
      leads[point] = static_cast<std::int32_t>(each.bone);
    }
  }
  grid.point_fields.push_back({kBoneLeads, std::move(leads)});
  std::vector<std::string> names = field_names(bones);
  for (std::size_t b = 0; b < of_bone.size(); ++b)
    if (!of_bone[b].empty())
      grid.point_fields.push_back({std::move(names[b]), std::move(of_bone[b])});
}

}  // namespace

InteriorContents contents_of(const Interior& interior, VolumeElements elements,
                             const UnitFrame& frame) {
  const VoxelGrid& grid = interior.grid;
  InteriorContents contents;
  std::vector<std::array<std::uint32_t, 2>> cells;
  if (elements == VolumeElements::tetrahedra) {
    TetLattice lattice = make_tet_lattice(grid);
    contents.from_grid = embed_lattice(grid, lattice);
    contents.elements = std::move(lattice.elements);
    cells = std::move(lattice.cells);
  } else {
    contents.from_grid = in_itself(grid.elements);
    contents.elements = grid.elements;
    for (std::uint32_t cell = 0; cell < grid.elements.size(); ++cell) cells.push_back({cell, cell});
  }
  contents.bone_of_point = bones_of_points(contents.from_grid, interior.bones.bone_of_point);
  const std::vector<int> pieces = pieces_of(contents.elements);
  contents.piece.assign(pieces.begin(), pieces.end());
  contents.piece_count = pieces.empty() ? 0 : *std::ranges::max_element(pieces) + 1;
  for (std::size_t e = 0; e < contents.elements.size(); ++e) {
    contents.kind.push_back(
        static_cast<std::int32_t>(std::min(grid.kind[cells[e][0]], grid.kind[cells[e][1]])));
    contents.bone_of_element.push_back(
        bone_of(contents.elements.corners_of(e), contents.bone_of_point));
  }
  for (Vec3& point : contents.elements.points) point = frame.centre + frame.diagonal * point;
  contents.elements.cell_size *= frame.diagonal;
  return contents;
}

UnstructuredGrid grid_of(const InteriorContents& contents, const Skeleton& bones,
                         std::span<const std::vector<Influence>> rows) {
  UnstructuredGrid grid;
  grid.points = contents.elements.points;
  grid.tetrahedra = contents.elements.tetrahedra;
  grid.hexahedra = contents.elements.hexahedra;
  grid.point_fields.push_back({kBoneHolds, contents.bone_of_point});
  if (!rows.empty()) add_weights(bones, rows, grid);
  grid.cell_fields.push_back({"kind", contents.kind});
  grid.cell_fields.push_back({"piece", contents.piece});
  grid.cell_fields.push_back({kBoneHolds, contents.bone_of_element});
  return grid;
}

MeditTetrahedra medit_of(const InteriorContents& contents) {
  const auto references = [](const std::vector<std::int32_t>& bones) {
    std::vector<int> numbers;
    for (const std::int32_t bone : bones) numbers.push_back(bone + 1);
    return numbers;
  };
  return {contents.elements.points, contents.elements.tetrahedra,
          references(contents.bone_of_point), references(contents.bone_of_element)};
}

}  // namespace sinew
