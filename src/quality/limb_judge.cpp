// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/limb_judge.h"

#include "quality/worst_place.h"

namespace sinew {

Result<std::optional<LimbQuality>> judge_limbs(const WeightJudge& judge, const Skeleton& skeleton,
                                               const SurfaceWeights& weights,
                                               std::span<const LimbPose> poses,
                                               const Progress& progress) {
  const SkinSurface& surface = judge.surface();
  std::vector<SampledPose> posed;
  for (const LimbPose& pose : poses) posed.push_back({pose.transforms});
  bend_spines_and_rows(skeleton, posed, judge.hierarchy().parent);
  std::vector<Vec3> deformed(surface.vertex_count());
  std::vector<double> energy(surface.vertex_count());
  std::optional<LimbQuality> quality;
  for (std::size_t p = 0; p < posed.size(); ++p) {
    SINEW_CHECK(progress.checkpoint("bending limbs",
                                    static_cast<double>(p) / static_cast<double>(posed.size())));
    deform_surface(surface, weights.weights, posed[p], deformed);
    distort_surface(surface, weights.weights, posed[p], deformed, energy);
    const std::optional<WorstPatch> patch =
        find_worst_patch(surface.positions(), energy, surface.rest_energy, surface.diagonal);
    if (!patch) return std::optional<LimbQuality>();
    if (!quality) quality.emplace();
    quality->pose_arap.push_back(patch->arap);
    if (!quality->pose_name.empty() && patch->arap <= quality->arap) continue;
    quality->arap = patch->arap;
    quality->pose_name = poses[p].name;
    quality->worst = {surface.positions()[patch->vertex], weights.dominant[patch->vertex]};
  }
  progress.update("bending limbs", 1);
  return quality;
}

}  // namespace sinew
