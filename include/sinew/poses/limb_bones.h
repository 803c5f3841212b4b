// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "sinew/model/skeleton.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

/// The bones of an arm; -1 for what is not there.
struct ArmBones {
  int clavicle = -1;
  int upper = -1;
  int lower = -1;
  int hand = -1;                          // the first bone of it: a wrist, where there is one
  std::vector<std::vector<int>> fingers;  // each from its root on, in the order of their roots
  std::vector<int> thumb;
};

struct LegBones {
  int thigh = -1;
  int shin = -1;
  int foot = -1;
  int toes = -1;  // the first of them
};

/// What the names of bones say of a body, and what hangs on what; -1 for what is not there.
struct LimbBones {
  int hips = -1;
  std::vector<int> spine;  // above the hips, from below, to where neck and arms hang
  std::vector<int> neck;   // from below
  int head = -1;           // what a skull goes with; what hangs on it is the face's
  std::array<ArmBones, 2>
      arms;  // left, right; where names tell no sides, the left has what there is
  std::array<LegBones, 2> legs;
};

/// Finds them by the words of names (Mixamo's, Blender's, Unreal's, MakeHuman's, Quaternius',
/// KayKit's, "arm_joint_L_2") and by what hangs on what. Limbs are of bones that deform; hips and
/// head need not. Legs in front and behind are no legs here: those of animals on all fours bend
/// otherwise.
[[nodiscard]] LimbBones find_limb_bones(const Skeleton& skeleton,
                                        const std::vector<BoneRole>& roles,
                                        const EffectiveHierarchy& hierarchy);

}  // namespace sinew
