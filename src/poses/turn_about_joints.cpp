// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "poses/turn_about_joints.h"

#include <cassert>

#include "model/forest.h"

namespace sinew {

std::vector<Affine3> turn_about_joints(const Skeleton& skeleton, std::span<const int> parent,
                                       std::span<const Eigen::Matrix3d> rotations) {
  assert(parent.size() == rotations.size());
  std::vector<Affine3> transforms(parent.size(), Affine3::Identity());
  const std::vector<int> order =
      *parents_first(parent, ErrorCode::bad_skin, "bones");  // an effective hierarchy has no cycles
  for (const int bone : order) {
    const auto j = static_cast<std::size_t>(bone);
    const Vec3 head = skeleton.bones()[j].head();
    Affine3 turn = Affine3::Identity();
    turn.linear() = rotations[j];
    turn.translation() = head - rotations[j] * head;
    if (parent[j] >= 0)
      transforms[j] = transforms[static_cast<std::size_t>(parent[j])] * turn;
    else
      transforms[j] = turn;
  }
  return transforms;
}

}  // namespace sinew
