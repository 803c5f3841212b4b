// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/optimise_weights.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "bind/bind_poses.h"
#include "bind/edit_schedule.h"
#include "bind/solve_problem.h"
#include "bind/stopwatch.h"
#include "sinew/arap/joint_solver.h"

namespace sinew {
namespace {

constexpr int kPlacingRounds = 2;  // of weights, for the pieces of a skeleton
/// A last step that would go less of its way than this is not taken.
constexpr double kLeastReach = 0.1;
constexpr std::string_view kFirmerMark = "firmer constraints";

/// Of what leads vertices, that on the part where each bone leads most: what hangs around it, as
/// hair around a spine, may well go by other bones.
std::vector<WeightConstraint> on_main_parts(std::vector<WeightConstraint> leading,
                                            const MeshParts& parts) {
  std::map<std::uint32_t, std::map<int, double>> held;  // of each bone, on each part
  for (const WeightConstraint& each : leading)
    held[each.bone][parts.of_vertex[each.vertex]] += each.stiffness;
  std::map<std::uint32_t, int> main;
  for (const auto& [bone, on_parts] : held)
    main[bone] =
        std::ranges::max_element(on_parts, {}, [](const auto& on) { return on.second; })->first;
  std::erase_if(leading, [&](const WeightConstraint& each) {
    return parts.of_vertex[each.vertex] != main[each.bone];
  });
  return leading;
}

/// Holds bones that no longer lead their anchors more firmly, and goes on. Firmer constraints make
/// another energy: marks say from which step on.
Status win_lost_bones_back(WeightSolver& solver, std::vector<WeightConstraint> leading,
                           const MeshParts& parts, int rounds, std::vector<EditMark>& marks,
                           const Progress& progress) {
  leading = on_main_parts(std::move(leading), parts);
  const auto most = static_cast<std::size_t>(solver.options().max_iterations);
  const auto may_step = [&] { return solver.steps().size() < most; };
  for (int round = 0; round < rounds && may_step(); ++round) {
    const std::vector<WeightConstraint> firmer =
        firmer_for_lost(solver.problem().maps, solver.weights(), leading, round);
    if (firmer.empty()) break;
    SINEW_CHECK(solver.add_constraints(firmer));
    marks.push_back({solver.steps().size(), std::string(kFirmerMark)});
    do {
      SINEW_CHECK(progress.checkpoint("solve", static_cast<double>(round) / rounds));
      SINEW_CHECK(solver.step());
    } while (may_step() && !solver.converged());
  }
  return {};
}

/// Alternates between weights and where the pieces of the skeleton are in each pose, which nothing
/// else says ([araplbs] Figure 12). Leaves the poses in the problem, and its weights as they were.
Status place_pieces(const SkeletonJoints& joints, std::span<const Exemplar> exemplars,
                    const UnitFrame& frame, const WeightSolverOptions& solving,
                    ConstrainedProblem& constrained, const Progress& progress) {
  WeightProblem placing = constrained.problem;
  for (int round = 0;; ++round) {
    SINEW_CHECK(progress.checkpoint("pieces", round / (1.0 + kPlacingRounds)));
    SINEW_CHECK(place_components(placing, joints, exemplars, frame, solving));
    if (round == kPlacingRounds) break;
    SINEW_TRY(WeightSolver solver, WeightSolver::create(placing, constrained.constraints, solving));
    while (!solver.converged()) {
      SINEW_CHECK(progress.checkpoint("pieces", round / (1.0 + kPlacingRounds)));
      SINEW_CHECK(solver.step());
    }
    placing.maps.weights = solver.weights();
  }
  constrained.problem.exemplars = std::move(placing.exemplars);
  constrained.problem.spines = std::move(placing.spines);
  return {};
}

/// Steps as far as the plan says, and edits at their time.
Status take_steps(const StepsPlan& plan, EditSchedule& schedule, const Progress& progress) {
  WeightSolver& solver = schedule.solver();
  const double most = plan.most.value_or(plan.max_iterations);
  const auto left = [&] { return most - static_cast<double>(solver.steps().size()); };
  const auto may_step = [&] { return !solver.converged() && left() > kLeastReach; };
  const double expected = std::max(1.0, most);
  SINEW_CHECK(schedule.make_due());
  while (may_step() || schedule.has_more()) {
    SINEW_CHECK(
        progress.checkpoint("solve", static_cast<double>(solver.steps().size()) / expected));
    // The last whole step goes the less far the less follows it.
    const double reach = left() < 1 ? left() : std::lerp(1, plan.reach, std::min(1.0, left() - 1));
    if (may_step()) SINEW_CHECK(solver.step({.reach = reach}));
    SINEW_CHECK(schedule.make_due());
  }
  return {};
}

/// All that is solved before the finish.
Status solve(const PreparedBind& prepared, const BindPlan& plan, EditSchedule& schedule,
             const std::set<std::pair<std::uint32_t, std::uint32_t>>& led, SolveReport& report,
             const Progress& progress) {
  WeightSolver& solver = schedule.solver();
  const bool steps_first = prepared.edits.empty() && !solver.converged();
  if (!steps_first) report.arap_start = solver.arap();
  SINEW_CHECK(take_steps(*plan.steps, schedule, progress.within(0, 0.9)));
  std::vector<EditMark> firmer;
  if (plan.lost_bones->rounds > 0) {
    // What was painted or kept is no anchor, and what an edit released is none any more.
    std::vector<WeightConstraint> leading = solver.constraints();
    std::erase_if(leading, [&](const WeightConstraint& each) {
      return each.target < 1 || !led.contains({each.vertex, each.bone});
    });
    SINEW_CHECK(win_lost_bones_back(solver, std::move(leading), prepared.mesh.parts,
                                    plan.lost_bones->rounds, firmer, progress.within(0.9, 1)));
  }
  report.steps.assign(solver.steps().begin(), solver.steps().end());
  const bool has_stepped = steps_first && !report.steps.empty();
  if (steps_first)
    report.arap_start = has_stepped ? report.steps.front().arap_before : solver.arap();
  report.marks = schedule.marks();
  std::ranges::move(firmer, std::back_inserter(report.marks));
  report.arap_free = has_stepped ? report.steps.back().arap : solver.arap();
  report.edits = schedule.take_made();
  return {};
}

/// Under each of the caps.
Result<std::vector<FinishedWeights>> finish(const PreparedBind& prepared, const BindPlan& plan,
                                            const WeightSolver& solver, const Progress& progress) {
  FinishOptions options;
  options.rounds = plan.finish->rounds;
  options.least_rounds = plan.finish->least_rounds;
  options.rotations = plan.finish->rotations;
  options.even_out_below = plan.finish->even_out_below;
  if (plan.finish->drops_strays) options.parts = prepared.mesh.parts.of_vertex;
  std::vector<FinishedWeights> finished;
  const double share = 1 / static_cast<double>(plan.caps->solved.size());
  for (const int cap : plan.caps->solved) {
    const double begin = share * static_cast<double>(finished.size());
    options.max_influences = cap;
    SINEW_TRY(FinishedWeights under_cap,
              finish_weights(solver, options, progress.within(begin, begin + share)));
    finished.push_back(std::move(under_cap));
  }
  return finished;
}

}  // namespace

Result<OptimisedWeights> optimise_weights(const Character& character, const PreparedBind& prepared,
                                          const BindExemplars& exemplars, const BindPlan& plan,
                                          const Progress& progress) {
  OptimisedWeights result;
  SolveReport& report = result.report;
  Stopwatch watch;

  SINEW_CHECK(progress.checkpoint("poses", 0));
  const DrawnPoses poses = draw_planned(character, prepared, exemplars, plan);
  if (poses.to_solve.empty())
    return Error{ErrorCode::bad_argument, "exemplars", "there is no pose to optimise for"};
  report.exemplars = poses.to_solve.size();
  result.poses_to_round = poses_in_frame(poses.to_round, prepared.mesh.frame);
  watch.lap("poses", result.times);

  SINEW_CHECK(progress.checkpoint("sparsify", 0.05));
  auto [constrained, led] = prepare_solve(character, prepared, poses.to_solve, plan, report);
  watch.lap("sparsify", result.times);

  if (const SkeletonJoints joints = joints_of(character, prepared); is_in_pieces(joints)) {
    SINEW_CHECK(place_pieces(joints, poses.to_solve, prepared.mesh.frame, plan.solver, constrained,
                             progress.within(0.1, 0.2)));
    result.poses_to_round = constrained.problem.exemplars;
    watch.lap("pieces", result.times);
  }
  WeightSolverOptions solving = solver_of_steps(plan);
  solving.keeps_bones = prepared.edits.empty();
  SINEW_TRY(WeightSolver made,
            WeightSolver::create(std::move(constrained.problem), std::move(constrained.constraints),
                                 solving, progress.within(0.2, 0.3)));
  EditSchedule schedule(prepared.edits, prepared.mesh, std::move(made));
  WeightSolver& solver = schedule.solver();
  report.unknowns = static_cast<std::size_t>(solver.unknown_count());
  report.rotations = solver.rotation_mode();
  watch.lap("tables", result.times);

  SINEW_CHECK(solve(prepared, plan, schedule, led, report, progress.within(0.3, 0.8)));
  watch.lap("solve", result.times);

  solver.release_factor();  // what finishes has room where that was
  SINEW_TRY(result.finished, finish(prepared, plan, solver, progress.within(0.8, 1)));
  report.arap_finished = result.finished.front().arap_after;
  watch.lap("finish", result.times);
  return result;
}

}  // namespace sinew
