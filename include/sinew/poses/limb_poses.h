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

/// One joint turned far, on both sides of the body, or several that go together; everything else at
/// rest.
struct LimbPose {
  std::string name;                 // in words: "Elbow bent 140°"
  std::optional<Limb> limb;         // of the pose that shows a limb; none for its others
  int bone = -1;                    // that the pose is about; of a pair the left one
  std::vector<Affine3> transforms;  // of all bones from the bind pose, model space to model space
};

/// The limbs of a body that stands upright, as far as there are any (poses/limb_bones.h): arms
/// hanging, raised, in front; elbows, forearms, wrists, hips, knees, ankles, neck and head, spine,
/// fingers, thumbs, a crouch. Angles count from the anatomical zero, in which arms hang, palms look
/// at the thighs, joints are straight and soles flat: what was modelled in a T takes the same pose
/// as what was modelled in an A. Up is +Y, front follows from where left and right are, else from
/// the toes, else it is +Z. Only bones that deform are turned. Nothing for a body that does not
/// stand upright: its head would not be above its hips.
[[nodiscard]] std::vector<LimbPose> limb_poses(const Skeleton& skeleton,
                                               const std::vector<BoneRole>& roles,
                                               const EffectiveHierarchy& hierarchy);

/// The same for bones that somebody chose: each bent across itself, from where it is.
[[nodiscard]] std::vector<LimbPose> bend_poses(const Skeleton& skeleton,
                                               const std::vector<BoneRole>& roles,
                                               const EffectiveHierarchy& hierarchy,
                                               std::span<const int> bones);

}  // namespace sinew
