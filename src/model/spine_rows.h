// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/driven_spines.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// Joints that stand for a bone that bends. They are bones of the skeleton like all others; but
/// what they do is told by the bone, and what they carry is carried by it.
struct SpineRow {
  int bone = -1;
  BoneKind kind = BoneKind::spine;
  SpineSegment segment;            // of the bone, as spine_segment has it
  std::vector<int> joints;         // bones of the skeleton, by u
  std::vector<double> parameters;  // u of each, ascending
};

/// The rows of a skeleton: joints with Bone::part_of that hang on the same bone, by that bone's
/// index. Those on a bone without a length, or on none, make no row and are bones of their own.
[[nodiscard]] std::vector<SpineRow> find_spine_rows(const Skeleton& skeleton);

/// Per bone, the one that it stands for: of a joint of a row the row's bone, else itself.
[[nodiscard]] std::vector<int> bones_stood_for(const Skeleton& skeleton);

/// The skeleton with the kinds that rows stand for: what it was before they were made. All bones
/// stay, those of rows too.
[[nodiscard]] Skeleton with_rows_as_spines(const Skeleton& skeleton);

/// The skeleton with an end for each joint of a row that has none: half a step on along the bone,
/// where the next one's part begins. Nothing about them is a guess (rig/leaf_tails.h).
[[nodiscard]] Skeleton with_row_tails(const Skeleton& skeleton);

/// Moves the joints of rows as their bones do. `posed` has a motion for every bone, and its
/// transforms are those of the bones.
void follow_spines(const std::vector<SpineRow>& rows, PosedBones& posed);

}  // namespace sinew
