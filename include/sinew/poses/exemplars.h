// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/pose.h"
#include "sinew/poses/sampled_pose.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

/// A pose that weights are made for, in the word of [araplbs] section 3.3.
using Exemplar = SampledPose;

struct ExemplarOptions {
  int count = 80;          // the paper's setting; the cost of a step barely depends on it
  std::uint64_t seed = 1;  // never the poses that random_poses draws for the same seed
  std::vector<BoneLimits> limits = {};  // one per bone, in place of their own; empty: their own
  enum class Draw {
    freely,    // every pose by itself: the first ones are the same however many are drawn
    balanced,  // evenly over the limits, and after each pose the one that turns the other way
  };
  Draw draw = Draw::freely;
};

/// Random poses within each bone's limits, uniformly. Follows [araplbs] section 3.3: every
/// deforming bone turns on its effective parent, about its head, first about itself by its twist
/// and then by its roll, about its roll axis or a random one across it. Joints stay together;
/// virtual segments move with their bone, and controls with what they hang on.
///
/// Deforming bones that are spines turn so as well and bend beside: about any axis by an angle
/// within bend_deg, a stretch-twist bone about itself, and stretched within `stretch`; what they
/// carry follows their ends. A skeleton of rigid bones draws what it would without this. Joints of
/// rows never turn by themselves: the bone that they stand for bends, and they follow it.
///
/// A rigid motion of all bones costs no energy, so the main root (the one with the most deforming
/// bones below it) stays still. Other roots turn about their own heads, or nothing would tell the
/// solver that the components of the skeleton can move against each other.
[[nodiscard]] std::vector<Exemplar> sample_exemplars(const Skeleton& skeleton,
                                                     const std::vector<BoneRole>& roles,
                                                     const EffectiveHierarchy& hierarchy,
                                                     const ExemplarOptions& options = {});

struct ClipLimitsOptions {
  int frames_per_clip = 24;    // enough to come close to the ends of a swing
  double widen_share = 0.2;    // of a range's width, half at each end: clips show some of a motion
  double widen_deg = 5;        // at each end; a bone that no clip turns may still turn so far
  double least_width_deg = 4;  // of a range: below it a bone would be as good as fixed
};

/// How far deforming bones turn, in the character's clips, on the nearest deforming bone above them
/// in the effective hierarchy, widened: limits for sample_exemplars. A bone whose swings lie about
/// one axis, such as a knee, gets that axis and the range about it; another one, its largest swing
/// about any axis across it. Spines, driven as in drive_spines, get limits of bend and stretch too,
/// and the bones on them turn against their ends.
///
/// Limits that differ from the default stay: somebody stated them. So do those of bones that no
/// deforming bone is above, whose turns are the character's way through the scene, and all of them
/// without clips that move nodes.
[[nodiscard]] std::vector<BoneLimits> limits_from_clips(const Character& character,
                                                        const std::vector<BoneRole>& roles,
                                                        const EffectiveHierarchy& hierarchy,
                                                        const ClipLimitsOptions& options = {});

/// About `frames` frames spread evenly over the clips with these indices, at least one of each,
/// with spines bent (bend_spines). The
/// character is moved back so that its joints are on average where they are in the bind pose: the
/// energy does not see it, and sums over poses keep their digits.
[[nodiscard]] std::vector<Exemplar> clip_exemplars(const Character& character,
                                                   std::span<const int> clips, int frames);

/// Poses that were given, on the skeleton's own hierarchy, as exemplars; moved back as clips are.
/// Spines bend as pose_bones has them.
[[nodiscard]] std::vector<Exemplar> pose_exemplars(const Skeleton& skeleton,
                                                   std::span<const Pose> poses);

}  // namespace sinew
