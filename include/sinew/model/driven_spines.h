// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/math/spine.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// Here a spine is any bone of kind spine or stretch_twist. `hangs_on`, one entry per bone and -1
/// for roots, is what bones hang on where that is not as the skeleton says: EffectiveHierarchy's
/// `parent`. Empty is the skeleton's own hierarchy.

/// Where a spine lies in the bind pose, model space, and what is at its far end.
struct SpineSegment {
  SpineRest rest;
  int child = -1;  // the bone that drives it in a plain animation; -1 where nothing hangs on it
  std::vector<int> beside = {};  // who drives it as well, where it forks at its end; ascending
};

/// From the bone's head to its stated tail; without one to the head of its child. Of several
/// children it is the one most nearly straight ahead: as seen from the head, in the direction of
/// the stated tail, else of the bone that this one hangs on, else of all children together. Of
/// those that are about as straight (kAboutAsStraightDeg) it is the one that carries the most
/// bones, the first of equals. With a stated tail those that start there come first. Joints of rows
/// (Bone::part_of) are no children here. Beside the child are the others that start on the further
/// half of the segment and carry bones, as shoulders do beside a neck: what carries nothing is a
/// place to hang things on, and says nothing of the spine.
///
/// Fails with code bad_skin and place "bones[i]" for a bone that ends nowhere or where it starts: a
/// spine needs a length.
inline constexpr double kAboutAsStraightDeg = 20;  // a hand beside a helper that sits off the bone
[[nodiscard]] Result<SpineSegment> spine_segment(const Skeleton& skeleton, int bone,
                                                 std::span<const int> hangs_on = {});

/// Whether any bone is one.
[[nodiscard]] bool has_spines(const Skeleton& skeleton);

/// One per bone: nothing for rigid bones, and for spines without a length, which move rigidly
/// wherever a skeleton is posed. with_spine_tails refuses those.
[[nodiscard]] std::vector<std::optional<SpineSegment>> spine_segments(
    const Skeleton& skeleton, std::span<const int> hangs_on = {});

/// The skeleton with the tail of every spine stated: to be called where kinds enter, so that all
/// that comes after, and a file that the bones are stored in, means the same segment. Fails as
/// spine_segment does.
[[nodiscard]] Result<Skeleton> with_spine_tails(const Skeleton& skeleton,
                                                std::span<const int> hangs_on = {});

/// Bones in a pose.
struct PosedBones {
  std::vector<Affine3> transforms;  // from the bind pose, model space; of a spine: its base
  /// Empty where all bones are rigid; else one per bone, with the transform as its base. Those of
  /// rigid bones do nothing more.
  std::vector<SpineMotion> spines;
};

/// What a bone's children hang on: its transform, or that of a spine's end.
[[nodiscard]] Affine3 carried_by(const std::optional<SpineSegment>& segment,
                                 const SpineMotion& motion);

/// What a plain animation does to spines. It knows joints that turn, and all of the bend of a spine
/// is in the one at its end: `transforms` are M_j of every bone as a clip, or any other pose of
/// rigid bones, has them.
///
/// The base of a spine is the bone's own motion. The turn of its segment's child relative to the
/// bone, in model axes of the bind pose, is spread along it: all of it on a spine; on a
/// stretch-twist bone the twist about it (math/swing_twist.h), while the swing stays at the joint.
/// Where a spine forks it bends by what the child and those beside it have in common alone: as far
/// in the mean direction of their turns as the one that turns least that way. So a neck that nods
/// bends no chest, and turns no shoulders; neck and shoulders together do. The stretch is how far
/// the child is from the bone's head, relative to rest; of a fork, what they have in common. A
/// spine that nothing hangs on, or that is scaled to nothing, is not driven.
///
/// The child and those beside it keep their orientation, to the bit, and move as much as the
/// spine's end moves from the chord to the arc. What else hangs on a spine is carried by that end:
/// what the animation does to it relative to the bone, it does relative to the end. On a
/// stretch-twist bone it is moved only, as if fixed to the end: what hangs on a limb beside the
/// hand, such as somebody's own helpers, has its share of the twist already. Where nothing turns or
/// stretches on a spine, nothing moves.
[[nodiscard]] PosedBones drive_spines(const Skeleton& skeleton, std::vector<Affine3> transforms,
                                      std::span<const int> hangs_on = {});

}  // namespace sinew
