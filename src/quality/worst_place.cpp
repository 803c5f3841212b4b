// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality/worst_place.h"

#include <algorithm>
#include <vector>

namespace sinew {
namespace {

/// Of the mesh's diagonal: how far a patch reaches around its middle.
constexpr double kPatchRel = 0.03;
/// Middles that are tried: the most distorted vertices by themselves.
constexpr std::size_t kCandidates = 40;

}  // namespace

std::optional<WorstPatch> find_worst_patch(std::span<const Vec3> rest,
                                           std::span<const double> energy,
                                           std::span<const double> rest_energy, double diagonal) {
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest_energy[v] > 0) order.push_back(v);
  const std::size_t tried = std::min(kCandidates, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tried), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double distortion_a = energy[a] / rest_energy[a];
                      const double distortion_b = energy[b] / rest_energy[b];
                      return distortion_a != distortion_b ? distortion_a > distortion_b : a < b;
                    });
  const double reach2 = kPatchRel * kPatchRel * diagonal * diagonal;
  std::optional<WorstPatch> best;
  double most = -1;
  for (std::size_t c = 0; c < tried; ++c) {
    double sum = 0;
    double sum_at_rest = 0;
    for (std::size_t v = 0; v < rest.size(); ++v)
      if ((rest[v] - rest[order[c]]).squaredNorm() <= reach2) {
        sum += energy[v];
        sum_at_rest += rest_energy[v];
      }
    if (sum <= most) continue;
    most = sum;
    best = WorstPatch{order[c], sum / sum_at_rest};
  }
  return best;
}

}  // namespace sinew
