// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/math/spine.h"
#include "sinew/model/character.h"
#include "sinew/model/driven_spines.h"

namespace sinew {

/// A deformation of the skeleton: the transforms of all bones from the bind pose, model space to
/// model space.
struct SampledPose {
  std::vector<Affine3> transforms;  // of a spine: its base
  /// Empty where all bones are rigid; else one per bone, with the transform as its base. Those of
  /// rigid bones do nothing more.
  std::vector<SpineMotion> spines = {};
  int clip = -1;      // of a frame: its clip
  double time_s = 0;  // of a frame
};

/// About `frames` frames spread evenly over all clips, as many of each and at least one, without
/// its first and last moment. Bones move as in any program that plays the file, spines too:
/// rigidly.
[[nodiscard]] std::vector<SampledPose> clip_poses(const Character& character, int frames);

/// The same over some of the character's clips, by index.
[[nodiscard]] std::vector<SampledPose> clip_poses(const Character& character,
                                                  std::span<const int> clips, int frames);

/// Bends the spines of poses of rigid bones: each becomes what drive_spines makes of it. `hangs_on`
/// as there. Joints of rows stay as they are: clips have moved them already.
void bend_spines(const Skeleton& skeleton, std::vector<SampledPose>& poses,
                 std::span<const int> hangs_on = {});

/// The same for frames of the character's own clips (SampledPose::clip). How often a spine has
/// turned is followed from the start of the clip on, as where it is played: one moment does not
/// tell. Cost: sixty poses per second of every clip, where there are spines.
void bend_spines(const Character& character, std::vector<SampledPose>& frames,
                 std::span<const int> hangs_on = {});

/// bend_spines for poses that know nothing of rows, such as random ones: what rows stand for bends
/// as a spine does, and their joints follow it.
void bend_spines_and_rows(const Skeleton& skeleton, std::vector<SampledPose>& poses,
                          std::span<const int> hangs_on = {});

}  // namespace sinew
