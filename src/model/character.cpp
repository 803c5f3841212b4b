// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

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

}  // namespace sinew
