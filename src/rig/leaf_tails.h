// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew {

struct GuessedTails {
  Skeleton skeleton;         // the same bones; every leaf has a tail
  std::vector<int> guessed;  // the bones whose tail is a guess, ascending
};

/// Gives every leaf without a tail one. It points along the bone's leaf_axis; without one, along
/// the local axis that the bones with one child point along, where the file keeps to one; else
/// along its parent's direction. It ends where that ray leaves the mesh that the joint lies in,
/// sooner where another bone is nearer to the ray than half of the way come. A leaf outside the
/// mesh, or at the very end of what it lies in, ends with what it serves: the vertices that are
/// nearer to its ray than to any other bone. One that serves nothing gets half of its parent's
/// length; a leaf without a parent points up (+Y) through a tenth of the mesh. A skull gets a tail
/// too: a bone in the mesh that bears nothing but ends (ears, a jaw), and whose axis, where the
/// file keeps to one, goes another way. A bone with deforms == false is left alone. Guarantee: a
/// mirrored character has mirrored tails but for rounding. Cost: O((vertices + triangles) × leaves
/// + vertices × bones).
[[nodiscard]] GuessedTails guess_leaf_tails(const Skeleton& skeleton, const Mesh& mesh);

}  // namespace sinew
