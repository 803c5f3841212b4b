// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "math/random.h"
#include "sinew/model/driven_spines.h"
#include "sinew/poses/sampled_pose.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

enum class AxisFrom {
  children,          // to the children on the whole
  tail_or_children,  // to the tail, if there is one
};

/// Where each bone points, unit, model space; else as its parent does, else up.
[[nodiscard]] std::vector<Vec3> bone_axes(const Skeleton& skeleton,
                                          const EffectiveHierarchy& hierarchy, AxisFrom from);

/// Where on its parent a joint of a row sits; nothing for other bones, and where it hangs
/// elsewhere.
[[nodiscard]] std::optional<double> row_place(const Skeleton& skeleton,
                                              const EffectiveHierarchy& hierarchy,
                                              std::size_t bone);

/// How one bone turns on its parent, first about itself and then across, about its head.
struct BoneTurns {
  bool turns = true;
  Vec3 axis = Vec3::UnitY();  // the bone's own, unit, model space
  Range roll_deg;
  Range twist_deg;
  std::optional<Vec3> roll_axis;  // unit, model space; random and across the bone without one

  std::optional<SpineSegment> spine;  // of a bone that bends, whether or not it turns
  std::optional<Vec3> bend_axis;      // unit, model space; any direction without one
  Range bend_deg;
  Range stretch;

  std::optional<double> row_u;  // of a joint of a row: where on its parent. It draws nothing
};

/// Poses in which every bone turns uniformly within its limits, and bones that do not turn move
/// with what they hang on: on a spine, its end. Each bone draws the same numbers whatever others
/// may do, and the first poses are the same however many are drawn. Bends have a stream of their
/// own, so that a spine turns as a rigid bone in its place would. Poses have spines where a bone
/// has one. Joints of rows go where their parent, as it bends, takes that place of it.
[[nodiscard]] std::vector<SampledPose> draw_poses(const Skeleton& skeleton,
                                                  const EffectiveHierarchy& hierarchy,
                                                  std::span<const BoneTurns> bones, int count,
                                                  Random random);

/// The same evenly: each bone's directions, rolls and twists are one from each of as many equal
/// parts of what it may do, in random order, and after every pose comes the one in which all bones
/// turn as far the other way within their limits. So no bone bends more to one side than to the
/// other. All poses depend on how many there are.
[[nodiscard]] std::vector<SampledPose> draw_balanced_poses(const Skeleton& skeleton,
                                                           const EffectiveHierarchy& hierarchy,
                                                           std::span<const BoneTurns> bones,
                                                           int count, Random random);

}  // namespace sinew
