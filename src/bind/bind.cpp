// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/bind.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "bind/bind_coarsely.h"
#include "bind/bind_moved.h"
#include "bind/bind_report.h"
#include "bind/first_weights.h"
#include "bind/kept_weights.h"
#include "bind/optimise_weights.h"
#include "bind/polish.h"
#include "bind/round_for_delivery.h"
#include "bind/spine_stage.h"
#include "bind/stopwatch.h"
#include "sinew/core/parallel.h"
#include "sinew/model/joint_displacements.h"
#include "sinew/rig/mirror.h"
#include "sinew/weights/cap_influences.h"
#include "sinew/weights/laplacian_filter.h"

namespace sinew {
namespace {

/// A vertex on a bone that becomes a row of joints gets two of them for it: leaving room for the
/// other one is better than to drop an influence afterwards, which tears. Not of two: a character
/// with one influence each bends nowhere.
BindOptions with_room_for_rows(BindOptions options, const SpineStage& spines) {
  if (spines.asked.empty()) return options;
  const auto leave_room = [](int& budget) {
    if (budget > 2) --budget;
  };
  leave_room(options.max_influences);
  for (int& budget : options.further_budgets) leave_room(budget);
  return options;
}

/// The mirror that weights were solved in, as they were.
std::optional<Mirror> mirror_of(const FirstWeights& first, const BindOptions& options,
                                const BindReport& report) {
  if (!report.solve || !report.solve->mirror_axis) return std::nullopt;
  MirrorOptions mirror;
  mirror.choice = options.mirror;
  return find_mirror(first.prepared, first.skeleton, mirror);
}

}  // namespace

std::string_view to_string(BindMethod method) {
  constexpr std::array<std::string_view, 3> names{"araplbs", "heat", "distance"};
  return names[static_cast<std::size_t>(method)];
}

std::optional<BindMethod> bind_method_from(std::string_view name) {
  for (const BindMethod method : {BindMethod::araplbs, BindMethod::heat, BindMethod::distance})
    if (name == to_string(method)) return method;
  return std::nullopt;
}

Result<Bound> bind(const Character& character, const BindOptions& options,
                   const Progress& progress) {
  if (binds_coarsely(character, options)) return bind_coarsely(character, options, progress);
  return bind_moved(character, {}, options, progress);
}

Result<Bound> bind_moved(const Character& character, std::span<const Vec3> displacements,
                         const BindOptions& options, const Progress& progress) {
  const AwakeThreads awake;
  Bound bound;
  BindReport& report = bound.report;
  Stopwatch watch;

  SINEW_CHECK(check_spine_parameters(character, options));
  SINEW_TRY(const FirstWeights first,
            make_first_weights(character, displacements, options, report.times, progress));
  report.roles = first.roles;
  report.hierarchy = first.hierarchy;
  report.guessed_tails = first.guessed_tails;
  bound.skeleton = with_roles(character.skeleton, report.roles);
  if (!displacements.empty()) bound.skeleton = with_joints_moved(bound.skeleton, displacements);
  const PreparedMesh& prepared = first.prepared;
  watch.restart();
  SINEW_TRY(SpineStage spines,
            find_spines(character, displacements, prepared, report.roles, first.weights, options));
  bound.spines = spines.asked;
  bound.limbs = std::move(spines.limbs);

  report.budgets.push_back({options.max_influences, {}, {}, {}});
  for (const int budget : options.further_budgets) report.budgets.push_back({budget, {}, {}, {}});
  std::vector<SkinWeights> delivered;  // beside report.budgets
  std::vector<std::vector<Affine3>> placed;
  if (options.method == BindMethod::araplbs) {
    BoundSoFar found = so_far(first, spines.bending ? *spines.bending : character, displacements);
    found.spines = spines.bones;
    BindOptions solving = with_room_for_rows(options, spines);
    solving.edits = first.edits;
    SINEW_TRY(OptimisedWeights optimised, optimise_weights(found, first.weights, solving,
                                                           progress.within(kFirstWeightsEnd, 0.9)));
    delivered.push_back(std::move(optimised.weights));
    report.budgets.front().arap_finished = optimised.report.arap_finished;
    for (FinishedWeights& further : optimised.further) {
      report.budgets[delivered.size()].arap_finished = further.arap_after;
      delivered.push_back(std::move(further.weights));
    }
    report.solve = std::move(optimised.report);
    placed = std::move(optimised.placed);
    for (StageTime& time : optimised.times) report.times.push_back(std::move(time));
    watch.restart();
  } else {
    const std::vector<int> partners = bones_of_mirrored_names(first.skeleton);
    for (const BudgetReport& budget : report.budgets) {
      delivered.push_back(cap_influences(first.weights, budget.max_influences, partners));
      if (options.method == BindMethod::heat)
        delivered.back() = laplacian_filter(delivered.back(), prepared.laplacian);
    }
  }
  const KeptWeights& stored = first.keeping.stored;
  for (std::size_t b = 0; b < delivered.size(); ++b) {
    BindOptions within = options;
    within.max_influences = report.budgets[b].max_influences;
    SINEW_TRY(Polished polished, put_beside_old(character, report.roles, report.hierarchy, stored,
                                                spread_to_copies(prepared.welded, delivered[b]),
                                                within, progress.within(0.9, 0.95)));
    delivered[b] = std::move(polished.weights);
    if (options.init == BindOptions::Init::existing) report.budgets[b].polish = polished.report;
  }
  report.polish = report.budgets.front().polish;
  SINEW_CHECK(progress.checkpoint("finish", 0.95));
  if (asks_for_old_weights(options)) watch.lap("old weights", report.times);
  std::size_t kept_rounded = 0;
  if (options.format != WeightFormat::f32) {
    if (placed.empty())
      placed = poses_in_frame(draw_exemplars(character, report.roles, report.hierarchy,
                                             options.exemplars, displacements),
                              prepared.frame);
    const std::optional<Mirror> mirror = mirror_of(first, options, report);
    for (std::size_t b = 0; b < delivered.size(); ++b) {
      SINEW_TRY(report.budgets[b].rounding,
                round_stored_for_delivery(delivered[b], prepared, placed, options.format, mirror,
                                          progress.within(0.95, 1)));
      kept_rounded = std::max(kept_rounded, count_not_kept(stored, delivered[b]));
    }
    watch.lap("rounding", report.times);
  }
  bound.weights = std::move(delivered.front());
  bound.further.assign(std::make_move_iterator(delivered.begin() + 1),
                       std::make_move_iterator(delivered.end()));
  describe_bind({character, prepared, first.segments, first.cells, first.links, first.rigid_parts,
                 first.blind_parts, mean_of_copies(prepared.welded, bound.weights)},
                report);
  bound.notices = bind_notices(character, report);
  notice_nothing_may_change(
      why_nothing_may_change(stored, report.roles, character.skeleton, options), bound.notices);
  notice_rounded(kept_rounded, options.format, bound.notices);
  watch.lap("report", report.times);
  return bound;
}

}  // namespace sinew
