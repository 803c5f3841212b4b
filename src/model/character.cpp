// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

#include <algorithm>
#include <cassert>

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

}  // namespace sinew
