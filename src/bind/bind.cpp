// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/bind.h"

#include <algorithm>
#include <iterator>

#include "bind/bind_coarsely.h"
#include "bind/bind_in_volume.h"
#include "bind/bind_moved.h"
#include "bind/bind_poses.h"
#include "bind/bind_report.h"
#include "bind/first_weights.h"
#include "bind/optimise_weights.h"
#include "bind/polish.h"
#include "bind/round_for_delivery.h"
#include "bind/stopwatch.h"
#include "core/parallel.h"
#include "sinew/model/joint_displacements.h"
#include "sinew/weights/cap_influences.h"
#include "weights/laplacian_filter.h"

namespace sinew {
namespace {

/// Weights on their way out, under one cap after the other, beside BindReport::budgets.
using Delivered = std::vector<SkinWeights>;

/// What is told of the character before anything is solved.
Bound begin_bound(const Character& character, const PreparedBind& prepared, const BindPlan& plan,
                  std::vector<StageTime> times) {
  Bound bound;
  bound.skeleton = with_roles(character.skeleton, prepared.roles);
  if (!prepared.displacements.empty())
    bound.skeleton = with_joints_moved(bound.skeleton, prepared.displacements);
  bound.spines = prepared.spines.asked;
  bound.limbs = prepared.spines.limbs;
  BindReport& report = bound.report;
  report.plan = plan;
  report.roles = prepared.roles;
  report.hierarchy = prepared.hierarchy;
  report.guessed_tails = prepared.guessed_tails;
  report.times = std::move(times);
  for (const int cap : plan.caps->delivered) report.budgets.push_back({cap, {}, {}, {}});
  return bound;
}

/// Per welded vertex, from methods that do not optimise.
Delivered cap_first_weights(const PreparedBind& prepared, const BindPlan& plan) {
  const std::vector<int> partners = bones_of_mirrored_names(prepared.skeleton);
  Delivered capped;
  for (const int cap : plan.caps->delivered) {
    capped.push_back(cap_influences(prepared.first.weights, cap, partners));
    if (plan.finish->is_filtered)
      capped.back() = laplacian_filter(capped.back(), prepared.mesh.laplacian);
  }
  return capped;
}

/// Per welded vertex, optimised and finished. Poses for rounding are left where there are any.
Result<Delivered> optimise(const Character& character, const BindOptions& options,
                           const PreparedBind& prepared, BindReport& report,
                           std::vector<std::vector<Affine3>>& poses_to_round,
                           const Progress& progress) {
  SINEW_TRY(OptimisedWeights optimised,
            optimise_weights(character, prepared, options.exemplars, report.plan, progress));
  Delivered weights;
  for (FinishedWeights& finished : optimised.finished) {
    report.budgets[weights.size()].arap_finished = finished.arap_after;
    weights.push_back(std::move(finished.weights));
  }
  report.solve = std::move(optimised.report);
  poses_to_round = std::move(optimised.poses_to_round);
  std::ranges::move(optimised.times, std::back_inserter(report.times));
  return weights;
}

/// From rows per welded vertex to rows per vertex of the character.
Status put_all_beside_old(const Character& character, const BindOptions& options,
                          const PreparedBind& prepared, BindReport& report, Delivered& delivered,
                          const Progress& progress) {
  const OldWeightsPlan& plan = *report.plan.old_weights;
  for (std::size_t b = 0; b < delivered.size(); ++b) {
    BudgetReport& budget = report.budgets[b];
    SINEW_TRY(Polished polished,
              put_beside_old(character, prepared.roles, prepared.hierarchy, prepared.keeping.stored,
                             spread_to_copies(prepared.mesh.welded, delivered[b]),
                             {plan, budget.max_influences, options.exemplars.seed}, progress));
    delivered[b] = std::move(polished.weights);
    if (plan.use == OldWeightsPlan::Use::improved) budget.polish = polished.report;
  }
  report.polish = report.budgets.front().polish;
  return {};
}

/// To integers, where the format has them. The weights, at most, that were to be kept and are not.
Result<std::size_t> round_all(const Character& character, const BindOptions& options,
                              const PreparedBind& prepared, BindReport& report,
                              std::vector<std::vector<Affine3>> poses, Delivered& delivered,
                              const Progress& progress) {
  const RoundingPlan& plan = *report.plan.rounding;
  std::size_t not_kept = 0;
  if (plan.format == WeightFormat::f32) return not_kept;
  if (poses.empty()) {
    BindExemplars drawing = options.exemplars;
    drawing.count = plan.random_poses;
    poses = poses_in_frame(draw_exemplars(character, prepared.roles, prepared.hierarchy, drawing,
                                          prepared.displacements),
                           prepared.mesh.frame);
  }
  const std::optional<Mirror> mirror = report.plan.sides->are_one ? prepared.mirror : std::nullopt;
  for (std::size_t b = 0; b < delivered.size(); ++b) {
    SINEW_TRY(report.budgets[b].rounding,
              round_stored_for_delivery(delivered[b], prepared.mesh, poses, plan.format, mirror,
                                        progress));
    not_kept = std::max(not_kept, count_not_kept(prepared.keeping.stored, delivered[b]));
  }
  return not_kept;
}

/// Everything that people are told, and the weights where they are looked for.
void describe(const Character& character, const BindOptions& options, const PreparedBind& prepared,
              Delivered delivered, std::size_t not_kept, Bound& bound) {
  bound.weights = std::move(delivered.front());
  bound.further.assign(std::make_move_iterator(delivered.begin() + 1),
                       std::make_move_iterator(delivered.end()));
  BindReport& report = bound.report;
  describe_bind(character, prepared, mean_of_copies(prepared.mesh.welded, bound.weights), report);
  bound.notices = bind_notices(character, report);
  notice_nothing_may_change(
      why_nothing_may_change(prepared.keeping.stored, report.roles, character.skeleton, options),
      bound.notices);
  notice_rounded(not_kept, report.plan.rounding->format, bound.notices);
}

}  // namespace

std::string_view to_string(BindMethod method) {
  switch (method) {
    case BindMethod::araplbs:
      return "araplbs";
    case BindMethod::heat:
      return "heat";
    case BindMethod::bbw:
      return "bbw";
    case BindMethod::distance:
      break;
  }
  return "distance";
}

std::optional<BindMethod> bind_method_from(std::string_view name) {
  const auto* const method =
      std::ranges::find(kBindMethods, name, [](BindMethod each) { return to_string(each); });
  return method == kBindMethods.end() ? std::nullopt : std::optional(*method);
}

std::string_view to_string(BindInit init) {
  switch (init) {
    case BindInit::existing:
      return "existing";
    case BindInit::heat:
      return "heat";
    case BindInit::bbw:
      return "bbw";
    case BindInit::owners:
      return "owners";
    case BindInit::fresh:
      break;
  }
  return "fresh";
}

std::optional<BindInit> bind_init_from(std::string_view name) {
  const auto* const init =
      std::ranges::find(kBindInits, name, [](BindInit each) { return to_string(each); });
  return init == kBindInits.end() ? std::nullopt : std::optional(*init);
}

std::string_view to_string(BindDomain domain) {
  switch (domain) {
    case BindDomain::surface:
      return "surface";
    case BindDomain::volume:
      return "volume";
    case BindDomain::automatic:
      break;
  }
  return "auto";
}

std::optional<BindDomain> bind_domain_from(std::string_view name) {
  const auto* const domain =
      std::ranges::find(kBindDomains, name, [](BindDomain each) { return to_string(each); });
  return domain == kBindDomains.end() ? std::nullopt : std::optional(*domain);
}

bool is_solved_inside(const BindOptions& options) {
  return options.method == BindMethod::bbw || options.init == BindInit::bbw ||
         options.domain == BindDomain::volume;
}

Result<Bound> bind(const Character& character, const BindOptions& options,
                   const Progress& progress) {
  const MeshPlan mesh = *plan_mesh(character, options);
  if (mesh.interior_cells) return bind_in_volume(character, options, progress);
  if (mesh.simplified_to) return bind_coarsely(character, options, *mesh.simplified_to, progress);
  return bind_moved(character, {}, options, progress);
}

Result<Bound> bind_moved(const Character& character, std::span<const Vec3> displacements,
                         const BindOptions& options, const Progress& progress) {
  const AwakeThreads awake;
  std::vector<StageTime> times;
  SINEW_CHECK(check_options(character, options));
  SINEW_TRY(PreparedBind prepared,
            prepare_bind(character, displacements, options, times, progress));
  BindPlan plan = plan_bind(character, options, prepared);
  if (plan.mesh->simplified_to)
    plan.mesh = {{}, "the mesh is already simplified, or joints are moved with it"};
  return bind_as_planned(character, options, std::move(prepared), std::move(plan), std::move(times),
                         progress);
}

Result<Bound> bind_as_planned(const Character& character, const BindOptions& options,
                              PreparedBind prepared, BindPlan plan, std::vector<StageTime> times,
                              const Progress& progress) {
  SINEW_CHECK(make_first_weights(character, options, plan, prepared, times, progress));
  Stopwatch watch;
  // Limbs that were found to collapse become rows of joints.
  if (optimises(*plan.strategy) && options.spines.empty() && !prepared.spines.asked.empty())
    make_room_for_rows(plan);
  Bound bound = begin_bound(character, prepared, plan, std::move(times));
  BindReport& report = bound.report;

  Delivered delivered;
  std::vector<std::vector<Affine3>> poses_to_round;
  if (optimises(*plan.strategy)) {
    SINEW_TRY(delivered, optimise(character, options, prepared, report, poses_to_round,
                                  progress.within(kFirstWeightsEnd, 0.9)));
    watch.restart();
  } else {
    delivered = cap_first_weights(prepared, plan);
  }
  SINEW_CHECK(put_all_beside_old(character, options, prepared, report, delivered,
                                 progress.within(0.9, 0.95)));
  SINEW_CHECK(progress.checkpoint("finish", 0.95));
  if (plan.old_weights->are_read()) watch.lap("old weights", report.times);
  SINEW_TRY(const std::size_t not_kept,
            round_all(character, options, prepared, report, std::move(poses_to_round), delivered,
                      progress.within(0.95, 1)));
  if (plan.rounding->format != WeightFormat::f32) watch.lap("rounding", report.times);
  describe(character, options, prepared, std::move(delivered), not_kept, bound);
  watch.lap("report", report.times);
  return bound;
}

}  // namespace sinew
