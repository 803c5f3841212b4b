// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace sinew {

std::vector<Affine3> Character::skinning_transforms(const NodeTree& posed) const {
  const std::vector<Affine3> world = posed.world_transforms();
  std::vector<Affine3> transforms;
  transforms.reserve(skeleton.bone_count());
  for (const Bone& bone : skeleton.bones())
    transforms.push_back(bone.source_node < 0 ? Affine3::Identity()
                                              : world[static_cast<std::size_t>(bone.source_node)] *
                                                    bone.rest.inverse(Eigen::Affine));
  return transforms;
}

SkinWeights replace_rows(const SkinWeights& old, const SkinWeights& fresh,
                         std::span<const MeshPart> parts) {
  assert(old.vertex_count() == fresh.vertex_count());
  std::vector<bool> is_new(old.vertex_count(), false);
  for (const MeshPart& part : parts)
    std::fill_n(is_new.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count,
                true);
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < old.vertex_count(); ++v) {
    const std::span<const Influence> row = is_new[v] ? fresh.row(v) : old.row(v);
    influences.insert(influences.end(), row.begin(), row.end());
    begin.push_back(influences.size());
  }
  return SkinWeights::mend(fresh.bone_count(), std::move(begin), std::move(influences));
}

SkinWeights rows_of_parts(const SkinWeights& weights, std::span<const MeshPart> parts) {
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (const MeshPart& part : parts)
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      const std::span<const Influence> row = weights.row(v);
      influences.insert(influences.end(), row.begin(), row.end());
      begin.push_back(influences.size());
    }
  return SkinWeights::mend(weights.bone_count(), std::move(begin), std::move(influences));
}

Character with_parts(const Character& character, std::span<const int> parts) {
  constexpr auto kGone = std::numeric_limits<VertexIndex>::max();
  Character result = character;
  result.parts.clear();
  std::vector<MeshPart> kept;
  std::vector<VertexIndex> place(character.mesh.vertex_count(), kGone);
  MeshData data;
  for (const int index : parts) {
    const MeshPart& part = character.parts[static_cast<std::size_t>(index)];
    kept.push_back(part);
    result.parts.push_back({part.name, data.positions.size(), part.vertex_count});
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      place[v] = static_cast<VertexIndex>(data.positions.size());
      data.positions.push_back(character.mesh.positions()[v]);
    }
  }
  const auto keep = [&](const auto& elements, auto& into) {
    for (auto element : elements) {
      for (VertexIndex& corner : element) corner = place[corner];
      if (std::find(element.begin(), element.end(), kGone) == element.end())
        into.push_back(element);
    }
  };
  keep(character.mesh.triangles(), data.triangles);
  keep(character.mesh.tetrahedra(), data.tetrahedra);
  keep(character.mesh.wires(), data.wires);
  result.mesh = *Mesh::create(std::move(data));  // a part of what was checked before
  result.weights = rows_of_parts(character.weights, kept);
  return result;
}

}  // namespace sinew
