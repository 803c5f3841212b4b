// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew {

/// How bones touch: joints are points, a bone reaches its head, and its tail or the heads of its
/// children. Virtual segments are collapsed ([araplbs] section 3.2), so that all children of a bone
/// with a tail meet in one joint, wherever they start; children of a bone without one meet where
/// their heads are at the same place, and so do roots. Bones and joints together are a forest.
class SkeletonGraph {
 public:
  explicit SkeletonGraph(const Skeleton& skeleton);

  /// The smallest set of bones that holds these and is connected in every component of the graph,
  /// ascending. Siblings that meet in a joint do not need their parent.
  [[nodiscard]] std::vector<std::uint32_t> span(std::span<const std::uint32_t> bones) const;

 private:
  /// Bones are nodes 0 .. bone_count_, joints follow. A bone hangs on the joint at its head, a
  /// joint on the bone that brought it in, -1 above the first joint of a component.
  std::size_t bone_count_ = 0;
  std::vector<int> above_;
  std::vector<int> depth_;
  std::vector<int> component_;
  std::vector<int> visit_;  // place of each node in a walk that goes deep first
};

}  // namespace sinew
