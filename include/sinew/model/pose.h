// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew {

/// What one bone does relative to its parent, in model-space axes of the bind pose, about its own
/// head: first the rotation, then the translation. Independent of how the file orients a bone's own
/// axes.
struct BonePose {
  Quat rotation = Quat::Identity();
  Vec3 translation = Vec3::Zero();  // model units; for roots and for bones that slide
};

/// One BonePose per bone; the default is the bind pose.
struct Pose {
  std::vector<BonePose> bones;
  [[nodiscard]] static Pose rest(const Skeleton& skeleton) {
    return {std::vector<BonePose>(skeleton.bone_count())};
  }
};

/// The transform of every bone from bind pose to posed model space: M_j = M_parent · T(head + t) ·
/// R · T(−head). A point that bone j carries alone goes from v to M_j v; all are the identity at
/// rest, and children stay attached. `pose.bones` must have one entry per bone.
[[nodiscard]] std::vector<Affine3> forward_kinematics(const Skeleton& skeleton, const Pose& pose);

}  // namespace sinew
