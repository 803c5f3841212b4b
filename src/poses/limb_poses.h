// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/skeleton.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

/// What a rigger bends first to see whether weights are any good.
enum class Limb { shoulder, elbow, forearm_twist, hip, knee, neck };
/// "shoulder", "elbow", "forearm twist", "hip", "knee", "neck".
[[nodiscard]] std::string_view to_string(Limb limb);

/// One joint turned far, everything else at rest.
struct LimbPose {
  std::string name;          // in words: "Elbow bent 100°"
  std::optional<Limb> limb;  // none for a bone that was chosen otherwise
  int bone = -1;
  std::vector<Affine3> transforms;  // of all bones from the bind pose, model space to model space
};

/// The limbs of a humanoid, as far as there are any: bones are found by the words of their names
/// (Mixamo's, Blender's, Unreal's, "arm_joint_L_2"), the left side first, and by what hangs on
/// what. Arms rise, elbows and hips bend to the front and knees to the back, where the toes say
/// what is front; +Z is without them. Only bones that deform are turned.
[[nodiscard]] std::vector<LimbPose> limb_poses(const Skeleton& skeleton,
                                               const std::vector<BoneRole>& roles,
                                               const EffectiveHierarchy& hierarchy);

/// The same for bones that somebody chose: each bent across itself.
[[nodiscard]] std::vector<LimbPose> bend_poses(const Skeleton& skeleton,
                                               const std::vector<BoneRole>& roles,
                                               const EffectiveHierarchy& hierarchy,
                                               std::span<const int> bones);

}  // namespace sinew
