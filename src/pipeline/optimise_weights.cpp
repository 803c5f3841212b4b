// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "pipeline/optimise_weights.h"

#include <algorithm>

#include "pipeline/edit_schedule.h"
#include "pipeline/stopwatch.h"
#include "sinew/exemplars/exemplars.h"
#include "sinew/optimise/finish_weights.h"

namespace sinew {
namespace {

std::vector<Exemplar> draw_exemplars(const BoundSoFar& so_far, const BindExemplars& options) {
  const Character& character = so_far.character;
  ExemplarOptions random;
  random.count = options.count;
  random.seed = options.seed;
  if (options.limits == BindExemplars::Limits::clips)
    random.limits = limits_from_clips(character, so_far.roles, so_far.hierarchy);
  std::vector<Exemplar> exemplars =
      sample_exemplars(character.skeleton, so_far.roles, so_far.hierarchy, random);
  const auto add = [&](std::vector<Exemplar> more) {
    exemplars.insert(exemplars.end(), std::make_move_iterator(more.begin()),
                     std::make_move_iterator(more.end()));
  };
  if (!options.clips.empty()) add(clip_exemplars(character, options.clips, options.clip_frames));
  add(pose_exemplars(character.skeleton, options.poses));
  return exemplars;
}

/// Bones lead the vertices around their middle, which their maps must reach.
ConstrainedProblem make_soft_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                     std::span<const Exemplar> exemplars,
                                     const BindOptions& options) {
  const PreparedMesh& prepared = so_far.prepared;
  std::vector<bool> is_free(prepared.mesh.vertex_count(), true);
  for (const PartLink& link : so_far.links)
    for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
      is_free[v] = false;
  for (std::size_t part = 0; part < so_far.rigid_parts.size(); ++part)
    if (so_far.rigid_parts[part] >= 0)
      for (const VertexIndex v : prepared.parts.members[part]) is_free[v] = false;
  const std::vector<Anchor> anchors =
      find_bone_anchors(prepared, so_far.skeleton, so_far.segments, is_free);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> led;
  for (const Anchor& anchor : anchors) led.emplace_back(anchor.vertex, anchor.bone);
  const InfluenceMaps maps =
      with_more_bones(sparsify(initial, prepared.graph, so_far.skeleton, options.sparsify), led);
  WeightProblem problem =
      make_weight_problem(prepared, widen_steep_edges(maps, prepared.graph, 0), exemplars);
  return constrain_softly(std::move(problem), anchors, options.obedience, so_far.links);
}

ConstrainedProblem make_paper_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                      std::span<const Exemplar> exemplars,
                                      const BindOptions& options) {
  const MeshGraph& graph = so_far.prepared.graph;
  const InfluenceMaps maps = sparsify(initial, graph, so_far.skeleton, options.sparsify);
  return constrain_as_paper(
      make_weight_problem(so_far.prepared, widen_steep_edges(maps, graph, options.steep_edge),
                          exemplars),
      so_far.cells, so_far.links);
}

}  // namespace

Result<OptimisedWeights> optimise_weights(const BoundSoFar& so_far, const SkinWeights& initial,
                                          const BindOptions& options, const Progress& progress) {
  OptimisedWeights result;
  SolveReport& report = result.report;
  Stopwatch watch;

  SINEW_CHECK(progress.checkpoint("poses", 0));
  const std::vector<Exemplar> exemplars = draw_exemplars(so_far, options.exemplars);
  if (exemplars.empty())
    return Error{ErrorCode::bad_argument, "exemplars", "there is no pose to optimise for"};
  report.exemplars = exemplars.size();
  watch.lap("poses", result.times);

  SINEW_CHECK(progress.checkpoint("sparsify", 0.05));
  const bool is_soft = options.constraints == ConstraintSet::soft;
  ConstrainedProblem constrained = is_soft
                                       ? make_soft_problem(so_far, initial, exemplars, options)
                                       : make_paper_problem(so_far, initial, exemplars, options);
  WeightSolverOptions solving = options.solver;
  if (is_soft) {
    solving.smoothing = options.smoothing;
    // The finish holds weights at zero; doing so here already gains nothing and takes long.
    solving.positivity = WeightSolverOptions::Positivity::off;
  }
  const bool flattens = std::ranges::any_of(options.edits, [](const PlannedEdit& edit) {
    return edit.kind == EditKind::flatten_weights;
  });
  if (solving.harmonic > 0 || flattens) constrained.problem.laplacian = so_far.prepared.laplacian;
  watch.lap("sparsify", result.times);

  report.attached = constrained.attached;
  report.fading = constrained.fading;
  SINEW_TRY(WeightSolver solver,
            WeightSolver::create(std::move(constrained.problem), std::move(constrained.constraints),
                                 solving, progress.within(0.1, 0.3)));
  report.unknowns = static_cast<std::size_t>(solver.unknown_count());
  report.rotations = solver.rotation_mode();
  report.arap_start = solver.arap();
  watch.lap("tables", result.times);

  EditSchedule schedule(options.edits, so_far.prepared);
  SINEW_CHECK(schedule.make_due(solver));
  while (!solver.converged() || schedule.has_more()) {
    SINEW_CHECK(
        progress.checkpoint("solve", 0.3 + 0.5 * static_cast<double>(solver.steps().size()) /
                                               std::max(1, options.solver.max_iterations)));
    if (!solver.converged()) SINEW_CHECK(solver.step());
    SINEW_CHECK(schedule.make_due(solver));
  }
  report.steps.assign(solver.steps().begin(), solver.steps().end());
  report.marks.assign(solver.edit_marks().begin(), solver.edit_marks().end());
  report.edits = schedule.take_made();
  watch.lap("solve", result.times);

  FinishOptions finish;
  finish.max_influences = options.max_influences;
  if (is_soft) finish.parts = so_far.prepared.parts.of_vertex;
  SINEW_TRY(FinishedWeights finished, finish_weights(solver, finish, progress.within(0.8, 1)));
  report.arap_free = finished.arap_before;
  report.arap_finished = finished.arap_after;
  result.weights = std::move(finished.weights);
  watch.lap("finish", result.times);
  return result;
}

}  // namespace sinew
