// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/quality/skin_quality.h"
#include "sinew/quality/skin_surface.h"

namespace sinew {

/// Two places that nearly touch at rest and are not neighbours on the mesh: lips, lids, a belt and
/// what it lies on.
struct TouchingPair {
  VertexIndex above = 0;  // is looked at from `below`
  VertexIndex below = 0;  // the one with the larger x, then y, then z: no order of vertices matters
  bool is_of_two_parts = false;
  double distance = 0;  // at rest
};

/// Pairs within 1% of the diagonal of each other, more than four edges apart, on faces. Where there
/// are more than 60,000, evenly chosen ones; on meshes with millions of near pairs, those of evenly
/// chosen vertices. Cost: O(n) in vertices and near pairs.
[[nodiscard]] std::vector<TouchingPair> touching_pairs(const SkinSurface& surface);

/// What pairs do in one pose.
struct PairsInPose {
  std::vector<double> parted;  // how much farther apart than at rest, model units; at least 0
  /// Of two parts: 1 where `above`, which is on the outer side of `below` at rest, is on its inner
  /// side by 0.2% of the diagonal.
  std::vector<unsigned char> sunk;
};

/// Looks at the same pairs in pose after pose.
class PairWatcher {
 public:
  /// Both must outlive it.
  PairWatcher(const SkinSurface& surface, std::span<const TouchingPair> pairs);

  [[nodiscard]] PairsInPose look(std::span<const Vec3> deformed) const;

 private:
  [[nodiscard]] double height_of(const TouchingPair& pair, std::span<const Vec3> at) const;

  const SkinSurface& surface_;
  std::span<const TouchingPair> pairs_;
  std::vector<std::size_t> begin_;      // vertices + 1
  std::vector<std::size_t> triangles_;  // of each vertex
  std::vector<unsigned char> starts_outside_;
};

/// What pairs do beside what they do with the original's weights in the same poses. `apart`: how
/// much farther each comes apart in its worst pose, the mean over the worst hundredth of the pairs,
/// 20 at the least. `sunk`: of pairs of two parts, how many sink, mean over the poses, less the
/// same of the original. 0 where there are fewer than 20 pairs of the kind.
[[nodiscard]] TouchingSkin touching_skin(const SkinSurface& surface,
                                         std::span<const TouchingPair> pairs,
                                         std::span<const PairsInPose> original,
                                         std::span<const PairsInPose> poses);

}  // namespace sinew
