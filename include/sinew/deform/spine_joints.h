// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// A spine as a row of rigid bones, for programs that know no others. Follows [spines] section 3.2.
///
/// The segment is cut into n bones of equal length, and bone k moves as the small bone in its
/// middle does: the one at c_k = (k + 1/2) / n. A vertex at u shares its weight between the two
/// bones whose middles it lies between, linearly; before the first middle and after the last it is
/// on one bone alone. So the blend is off by O(1/n²) of the bend between the outer middles, and by
/// O(1/n) of it beyond them, where the last half bone does not bend.

/// How a row of bones follows a spine that grows longer.
enum class StretchBy {
  translations,  // bones stay rigid and move apart
  scale_keys,    // every bone is stretched along the spine about its head
};
[[nodiscard]] std::string_view to_string(StretchBy way);

/// c_k of every bone of a row.
[[nodiscard]] std::vector<double> spine_joint_parameters(int joints);

/// One of the two bones that a place on a spine is shared by; the shares sum to one.
struct JointShare {
  int joint = 0;
  double share = 0;
};

/// π_k(u) of the two bones around u; where one bone has it all, the second share is 0.
[[nodiscard]] std::array<JointShare, 2> spine_joint_shares(int joints, double u);

/// What the bone at `middle` (a c_k) undergoes, as spine_transform with the base. With scale keys
/// the spine must turn about itself, since a stretched bone cannot follow an arc: it is a stretch
/// along the segment about its head, then the turn. Exact for what lies beside the segment; what
/// sticks out at the tail is stretched too.
[[nodiscard]] Affine3 spine_joint_transform(const SpineRest& rest, const SpineMotion& motion,
                                            double middle, StretchBy way);

/// A spine, and the bones that take its weights: `joints` of them, from index `first_joint` on.
struct SplitSpine {
  const SpineBone* spine = nullptr;
  int first_joint = -1;
  int joints = 0;
};

/// Weights with those of each spine handed to its row: w_is π_k(u_i). `bone_count` is that of the
/// longer skeleton. Rows grow by at most one influence per spine on them: the caller caps them.
[[nodiscard]] SkinWeights split_spine_weights(const SkinWeights& weights, std::size_t bone_count,
                                              std::span<const SplitSpine> splits);

/// Keeps the strongest influences of every row and scales them to one. Unlike cap_influences it
/// changes weights least, and may tear where the bones that count change.
[[nodiscard]] SkinWeights drop_weakest(const SkinWeights& weights, int max_influences);

}  // namespace sinew
