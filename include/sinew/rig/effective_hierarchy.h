// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/rig/deforming_bones.h"

namespace sinew {

/// A bone that hangs on another one than in the file.
struct Rehung {
  enum class Why {
    moves_with,  // in the clips it moves with that bone, and not with its parent: an IK foot
    flat,        // all joints are children of one: chains come from names and distances
  };
  int bone = -1;
  int from = -1;  // parent in the file
  int to = -1;
  Why why = Why::moves_with;
};

/// What every bone really hangs on. The file's own hierarchy is never changed.
struct EffectiveHierarchy {
  std::vector<int> parent;  // per bone; -1 for a root. Without cycles.
  std::vector<Rehung> rehung;
};

enum class HierarchyChoice {
  effective,  // bones hang on what they move with
  file,       // bones hang where the file says
};
[[nodiscard]] std::string_view to_string(HierarchyChoice choice);
[[nodiscard]] std::optional<HierarchyChoice> hierarchy_choice_from(std::string_view name);

/// Looks at the character's clips, and at names and distances in a flat skeleton; or, for
/// HierarchyChoice::file, at nothing: then no bone is rehung.
[[nodiscard]] EffectiveHierarchy find_effective_hierarchy(
    const Character& character, const std::vector<BoneRole>& roles,
    HierarchyChoice choice = HierarchyChoice::effective);

/// The skeleton that weights are made for: the same bones, by the same indices. Deforming bones
/// hang on the nearest deforming bone above them, so that their segments lead from one to the next;
/// the others have deforms == false, no parent and no segments. A bone that has no deforming child
/// but whose child in the file is the end of its chain ("Head_end") ends there.
[[nodiscard]] Skeleton effective_skeleton(const Skeleton& skeleton,
                                          const std::vector<BoneRole>& roles,
                                          const EffectiveHierarchy& hierarchy);

}  // namespace sinew
