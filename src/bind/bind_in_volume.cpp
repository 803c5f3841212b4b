// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/bind_in_volume.h"

#include <algorithm>
#include <iterator>

#include "bind/carried_weights.h"
#include "bind/first_weights.h"
#include "bind/interior_domain.h"
#include "bind/optimise_weights.h"
#include "bind/stopwatch.h"
#include "core/parallel.h"

namespace sinew {
namespace {

/// What is found before weights are made, of the interior in place of the surface. Nothing is
/// linked there, kept or edited.
PreparedBind prepared_inside(const PreparedBind& surface, const BindOptions& options,
                             PreparedMesh mesh) {
  BoneCells cells = find_bone_cells(mesh, surface.segments);
  std::optional<Mirror> mirror;
  if (surface.mirror) mirror = chosen_mirror(mesh, surface.skeleton, options.mirror);
  return {{},
          surface.roles,
          surface.hierarchy,
          surface.skeleton,
          surface.guessed_tails,
          std::move(mesh),
          surface.segments,
          std::move(cells),
          {},
          {},
          {},
          {},
          std::move(mirror),
          {},
          {}};
}

}  // namespace

Result<Bound> bind_in_volume(const Character& character, const BindOptions& options,
                             const Progress& progress) {
  const AwakeThreads awake;
  std::vector<StageTime> times;
  SINEW_CHECK(check_options(character, options));
  SINEW_TRY(PreparedBind prepared,
            prepare_bind(character, {}, options, times, progress.within(0, 0.1)));
  Stopwatch watch;
  SINEW_TRY(InteriorDomain domain,
            make_interior_domain(prepared.mesh, prepared.segments, options.interior,
                                 progress.within(0.1, 0.2)));
  watch.lap("interior", times);

  BindOptions of_points = options;
  of_points.format = WeightFormat::f32;  // what is sampled is rounded, not what it is from
  PreparedBind inside = prepared_inside(prepared, options, std::move(domain.mesh));
  BindPlan plan = plan_bind(character, of_points, inside);
  plan.start.value.rigid_parts = std::nullopt;  // they are parts of the surface
  watch.lap("cells", times);
  SINEW_CHECK(
      make_first_weights(character, of_points, plan, inside, times, progress.within(0.2, 0.3)));
  SINEW_TRY(OptimisedWeights optimised, optimise_weights(character, inside, options.exemplars, plan,
                                                         progress.within(0.3, 0.7)));
  std::ranges::move(optimised.times, std::back_inserter(times));

  watch.restart();
  CarriedWeights carried;
  carried.report.interior = std::move(domain.report);
  for (std::size_t b = 0; b < optimised.finished.size(); ++b) {
    carried.under_caps.push_back(sample(domain.embedding, optimised.finished[b].weights));
    carried.report.budgets.push_back({plan.caps->delivered[b], {}, {}, {}});
    carried.report.budgets.back().arap_finished = optimised.finished[b].arap_after;
  }
  carried.report.solve = std::move(optimised.report);
  carried.report.plan = std::move(plan);
  watch.lap("sample", times);
  return finish_carried(character, options, std::move(prepared), std::move(carried),
                        std::move(times), progress.within(0.7, 1));
}

}  // namespace sinew
