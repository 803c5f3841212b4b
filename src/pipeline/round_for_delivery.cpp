// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "pipeline/round_for_delivery.h"

namespace sinew {

std::vector<std::vector<Affine3>> poses_in_frame(std::span<const Exemplar> exemplars,
                                                 const UnitFrame& frame) {
  std::vector<std::vector<Affine3>> poses;
  for (const Exemplar& exemplar : exemplars) {
    std::vector<Affine3>& bones = poses.emplace_back();
    for (const Affine3& transform : exemplar.transforms)
      bones.push_back(frame.motion_from_model(transform));
  }
  return poses;
}

Result<RoundingReport> round_for_delivery(SkinWeights& weights, const PreparedMesh& prepared,
                                          std::span<const std::vector<Affine3>> poses_in_unit_frame,
                                          WeightFormat format, const Progress& progress) {
  QuantiseOptions options;
  options.steps = steps_of(format);
  SINEW_TRY(
      QuantisedWeights rounded,
      quantise_weights(weights, {prepared.mesh.positions(), prepared.graph, poses_in_unit_frame},
                       options, progress));
  weights = std::move(rounded.weights);
  return RoundingReport{rounded.arap_before, rounded.arap_nearest, rounded.arap_after};
}

}  // namespace sinew
