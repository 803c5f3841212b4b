// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

struct GuessedTails {
  Skeleton skeleton;         // the same bones; every leaf has a tail
  std::vector<int> guessed;  // the bones whose tail is a guess, ascending
};

/// Gives every leaf without a tail one: from its head along its leaf_axis, or without one its
/// parent's direction, to the end of the part of the mesh that it serves. It serves the vertices
/// that it dominates in `weights`; without weights, those that are nearer to its ray than to any
/// other bone. A leaf that serves nothing gets half of its parent's length; a leaf without a parent
/// points up (+Y) through a tenth of the mesh. A bone with deforms == false is left alone. Cost:
/// O(vertices × bones) without weights, O(vertices) with.
[[nodiscard]] GuessedTails guess_leaf_tails(const Skeleton& skeleton, const Mesh& mesh,
                                            const SkinWeights& weights);

}  // namespace sinew
