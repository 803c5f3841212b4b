// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/quality/skin_quality.h"
#include "sinew/quality/skin_surface.h"

namespace sinew {

/// Of each vertex, the mean over the worst tenth of the poses, one at the least: a fold that shows
/// in one pose of ten is seen, and a mean over all hides it. Poses come one by one.
class WorstTenth {
 public:
  WorstTenth(std::size_t vertices, std::size_t poses);

  /// `distortion` is per vertex, in one pose. Cost: O(vertices · poses / 10) at the most.
  void add(std::span<const double> distortion);
  [[nodiscard]] std::vector<double> mean() const;

 private:
  std::size_t kept_ = 1;
  std::size_t poses_ = 0;      // so far
  std::vector<double> worst_;  // per vertex, kept_ of them
};

/// Of the skin that each bone leads in the original, how much is distorted more than twice as much
/// as there and by 0.05 more. `led_by` is SurfaceWeights::dominant of the original; the distortions
/// are per vertex. Bones that lead fewer than eight vertices have no figure.
[[nodiscard]] SkinShare worse_skin(const SkinSurface& surface, std::span<const int> led_by,
                                   std::size_t bone_count,
                                   std::span<const double> original_distortion,
                                   std::span<const double> distortion);

}  // namespace sinew
