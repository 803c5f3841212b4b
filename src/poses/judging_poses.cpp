// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/judging_poses.h"

#include <cassert>

#include "poses/turning_bones.h"

namespace sinew {

std::vector<SampledPose> random_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                      const EffectiveHierarchy& hierarchy,
                                      const RandomPoseOptions& options) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  const std::vector<Vec3> axes = bone_axes(skeleton, hierarchy, AxisFrom::children);
  std::vector<BoneTurns> bones(skeleton.bone_count());
  for (std::size_t j = 0; j < bones.size(); ++j) {
    bones[j].row_u = row_place(skeleton, hierarchy, j);
    bones[j].turns = roles[j].deforms && hierarchy.parent[j] >= 0;
    bones[j].axis = axes[j];
    bones[j].roll_deg = {-options.roll_max_deg, options.roll_max_deg};
    bones[j].twist_deg = {-options.twist_max_deg, options.twist_max_deg};
  }
  return draw_poses(skeleton, hierarchy, bones, options.count, Random(options.seed));
}

}  // namespace sinew
