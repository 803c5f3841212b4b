// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "sinew/weights/quantise.h"

namespace sinew {

/// The as-rigid-as-possible energy of weights over poses, relative to X Σ a|e|², with the rotations
/// that fit best. Fails only when cancelled.
[[nodiscard]] Result<double> posed_distortion(const SkinWeights& weights,
                                              const QuantiseMetric& metric,
                                              const Progress& progress);

/// G_ab = Σ_x M_a(x)ᵀ M_b(x) for the bones that meet on a vertex or an edge.
class PosedPairs {
 public:
  PosedPairs(const SkinWeights& weights, const MeshGraph& graph,
             std::span<const std::vector<Affine3>> poses);

  /// gᵀ G_ab k for homogeneous points that bones a and b carry. The two have to meet somewhere.
  [[nodiscard]] double product(const Eigen::Vector4d& g, std::uint32_t a, const Eigen::Vector4d& k,
                               std::uint32_t b) const;

 private:
  std::vector<std::size_t> begin_;    // bones + 1
  std::vector<std::uint32_t> other_;  // of each bone, those from itself on that it meets, ascending
  std::vector<Eigen::Matrix4d> pairs_;  // beside other_
};

}  // namespace sinew
