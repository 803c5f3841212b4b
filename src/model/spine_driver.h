// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/model/driven_spines.h"

namespace sinew {

using SpineSegments = std::vector<std::optional<SpineSegment>>;  // one per bone

/// drive_spines for some of the spines. `posed.spines` has one motion per bone; those of spines
/// that are not driven are kept, and bones below them stay with their ends. Returns what was done
/// to each bone after the animation: posed = correction · animated.
///
/// One moment does not tell how often a child has turned about a spine. `turns`, if given, has the
/// turn of each spine a moment ago, axis times radians, zero to begin with: of all turns that look
/// alike the nearest to it is taken, and put there for the next moment.
std::vector<Affine3> drive_spines(const Skeleton& skeleton, std::span<const int> hangs_on,
                                  const SpineSegments& segments, const std::vector<bool>& is_driven,
                                  PosedBones& posed, std::vector<Vec3>* turns = nullptr);

/// A place on a spine: who starts beyond it hangs on the spine's end, and not on its base.
inline constexpr double kAtEndFrom = 0.5;

/// What hangs on a driven spine: how it follows.
struct OnSpine {
  Vec3 head = Vec3::Zero();  // where it starts at rest, model space
  bool is_carried = false;   // turns with the end of the spine; else it is moved alone
};

/// What is done to something that hangs on a spine after the animation, where `of_bone` was done to
/// the spine's own bone. `motion` has what the bone does, corrected, as its base.
[[nodiscard]] Affine3 correction_on_spine(const SpineSegment& segment, const SpineMotion& motion,
                                          const OnSpine& what, const Affine3& of_bone);

/// How far apart the moments of a clip are that turns are followed by, from its start on: at 60 in
/// a second nothing that an eye can follow turns half way round between two.
inline constexpr double kTurnStepS = 1.0 / 60;
inline constexpr int kMostTurnSteps = 100'000;  // half an hour; a longer clip is not followed on

/// The moments up to a time, ascending, without that time itself.
[[nodiscard]] std::vector<double> turn_times(double start_s, double time_s);

/// How many these are, without making them.
[[nodiscard]] std::size_t count_turn_times(double start_s, double time_s);

/// The turns of spines just before moments of a clip, which ascend: a list for each, one entry per
/// bone. The skeleton is the character's, with kinds of its own.
[[nodiscard]] std::vector<std::vector<Vec3>> turns_before(const Character& character,
                                                          const Skeleton& skeleton,
                                                          const Clip& clip,
                                                          std::span<const double> moments_s,
                                                          std::span<const int> hangs_on = {});

}  // namespace sinew
