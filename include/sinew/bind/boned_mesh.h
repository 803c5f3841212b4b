// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/character.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

/// A character's mesh and the bones that would carry it, as bind has them before it makes weights.
struct BonedMesh {
  PreparedMesh mesh;               // welded, in the unit frame
  Skeleton skeleton;               // as bones hang, with tails; as many bones as the character has
  BoneSegments segments;           // of those that deform, in the frame of the mesh
  std::optional<BoneCells> cells;  // none where no bone deforms
};

/// For those who look at what bind works on without binding. A character without bones, or without
/// any that deform, is a mesh alone. Fails for one without a mesh, and when cancelled.
[[nodiscard]] Result<BonedMesh> prepare_boned_mesh(
    const Character& character, HierarchyChoice hierarchy = HierarchyChoice::effective,
    const Progress& progress = {});

}  // namespace sinew
