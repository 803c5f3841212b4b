// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/carried_weights.h"

#include "bind/bind_poses.h"
#include "bind/bind_report.h"
#include "bind/first_weights.h"
#include "bind/refine_weights.h"
#include "bind/round_for_delivery.h"
#include "bind/stopwatch.h"
#include "sinew/rig/mirror.h"
#include "sinew/weights/cap_influences.h"

namespace sinew {
namespace {

/// What is told of the mesh, of what was solved elsewhere.
BindReport begin_report(const PreparedBind& prepared, const BindPlan& plan, BindReport of_solve) {
  BindReport report;
  report.plan = std::move(of_solve.plan);
  report.plan.mesh = plan.mesh;
  report.plan.rounding = plan.rounding;
  report.roles = prepared.roles;
  report.hierarchy = prepared.hierarchy;
  report.guessed_tails = prepared.guessed_tails;
  report.budgets = std::move(of_solve.budgets);
  report.solve = std::move(of_solve.solve);
  report.interior = std::move(of_solve.interior);
  report.coarse_vertices = of_solve.coarse_vertices;
  return report;
}

}  // namespace

Result<Bound> finish_carried(const Character& character, const BindOptions& options,
                             PreparedBind prepared, CarriedWeights carried,
                             std::vector<StageTime> times, const Progress& progress) {
  const BindPlan plan = plan_bind(character, options, prepared);
  SINEW_CHECK(make_first_weights(character, options, plan, prepared, times,
                                 progress.within(0, 0.25), &carried.under_caps.front()));
  Stopwatch watch;
  BindExemplars drawing = options.exemplars;
  drawing.count = plan.rounding->random_poses;
  const std::vector<Exemplar> exemplars =
      draw_exemplars(character, prepared.roles, prepared.hierarchy, drawing);
  Bound bound;
  bound.skeleton = with_roles(character.skeleton, prepared.roles);
  bound.report = begin_report(prepared, plan, std::move(carried.report));
  BindReport& report = bound.report;
  const std::vector<int> partners = bones_of_mirrored_names(prepared.skeleton);
  const double share = 0.75 / static_cast<double>(report.budgets.size());
  bound.further.resize(report.budgets.size() - 1);
  for (std::size_t b = 0; b < report.budgets.size(); ++b) {
    const double begin = 0.25 + share * static_cast<double>(b);
    const SkinWeights start =
        b == 0 ? prepared.first.weights
               : bound_to_one_bone(prepared.mesh.parts, prepared.first.rigid_parts,
                                   carried.under_caps[b]);
    SINEW_TRY(SkinWeights refined,
              refine_weights(character, prepared,
                             cap_influences(start, report.budgets[b].max_influences, partners),
                             exemplars, plan, progress.within(begin, begin + 0.8 * share)));
    if (plan.rounding->format != WeightFormat::f32) {
      SINEW_TRY(report.budgets[b].rounding,
                round_for_delivery(
                    refined, prepared.mesh, poses_in_frame(exemplars, prepared.mesh.frame),
                    plan.rounding->format, progress.within(begin + 0.8 * share, begin + share)));
    }
    (b == 0 ? bound.weights : bound.further[b - 1]) =
        spread_to_copies(prepared.mesh.welded, refined);
  }
  watch.lap("refine", times);
  describe_bind(character, prepared, mean_of_copies(prepared.mesh.welded, bound.weights), report);
  bound.notices = bind_notices(character, report);
  watch.lap("report", times);
  report.times = std::move(times);
  return bound;
}

}  // namespace sinew
