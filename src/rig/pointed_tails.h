// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "rig/leaf_tails.h"

namespace sinew {

/// As guess_leaf_tails, from skeleton and mesh alone. A leaf points along its leaf_axis; without
/// one, along the local axis that the bones with one child point along, where the file keeps to
/// one; else along its parent's direction. It ends with what it serves: the vertices that are
/// nearer to its ray than to any other bone, where the ray ends as soon as another bone is nearer
/// to it than half of the way come. One that serves nothing gets half of its parent's length; a
/// leaf without a parent points up (+Y) through a tenth of the mesh. A bone with deforms == false
/// is left alone. Cost: O(vertices × bones + leaves × bones).
[[nodiscard]] GuessedTails point_leaf_tails(const Skeleton& skeleton, const Mesh& mesh);

}  // namespace sinew
