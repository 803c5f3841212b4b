// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/optimise_weights.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bind/edit_schedule.h"
#include "bind/stopwatch.h"
#include "sinew/arap/joint_solver.h"
#include "sinew/model/joint_displacements.h"

namespace sinew {

std::vector<Exemplar> draw_exemplars(const Character& character, const std::vector<BoneRole>& roles,
                                     const EffectiveHierarchy& hierarchy,
                                     const BindExemplars& options,
                                     std::span<const Vec3> displacements,
                                     ExemplarOptions::Draw draw) {
  ExemplarOptions random;
  random.draw = draw;
  random.count = options.count.value_or(BindExemplars::kUsual);
  random.seed = options.seed;
  if (options.limits == BindExemplars::Limits::clips)
    random.limits = limits_from_clips(character, roles, hierarchy);
  if (options.limits == BindExemplars::Limits::usual)
    for (const Bone& bone : character.skeleton.bones()) {
      BoneLimits& limits = random.limits.emplace_back(bone.limits);  // those of spines stay
      const BoneLimits usual;
      // A collar bone that turned like a thigh would move its joint for poses that nobody makes.
      const double own = std::max(std::abs(limits.roll_deg.min), std::abs(limits.roll_deg.max));
      const double most = std::min(own, usual.roll_deg.max);
      limits.roll_deg = {-most, most};
      limits.twist_deg = usual.twist_deg;
      limits.roll_axis = usual.roll_axis;
    }
  const Skeleton& given = character.skeleton;
  std::vector<Exemplar> exemplars =
      sample_exemplars(displacements.empty() ? given : with_joints_moved(given, displacements),
                       roles, hierarchy, random);
  std::vector<Exemplar> stated;
  if (!options.clips.empty())
    stated = clip_exemplars(character, options.clips, options.clip_frames);
  std::ranges::move(pose_exemplars(given, options.poses), std::back_inserter(stated));
  if (!displacements.empty() && !stated.empty()) {
    const SkeletonJoints joints = find_joints(with_roles(given, roles), hierarchy.parent);
    std::vector<Vec3> moved(joints.joints.size(), Vec3::Zero());
    for (std::size_t j = 0; j < displacements.size(); ++j)
      moved[static_cast<std::size_t>(joints.joint[j])] = displacements[j];
    for (Exemplar& exemplar : stated)
      exemplar = with_joints_moved(std::move(exemplar), joints, moved);
  }
  std::ranges::move(stated, std::back_inserter(exemplars));
  return exemplars;
}

Skeleton with_roles(const Skeleton& skeleton, const std::vector<BoneRole>& roles) {
  std::vector<Bone> bones = skeleton.bones();
  for (std::size_t j = 0; j < bones.size(); ++j) bones[j].deforms = roles[j].deforms;
  return *Skeleton::create(std::move(bones));  // places and parents are what they were
}

SkeletonJoints joints_of(const BoundSoFar& so_far) {
  Skeleton skeleton = with_roles(so_far.character.skeleton, so_far.roles);
  if (!so_far.displacements.empty()) skeleton = with_joints_moved(skeleton, so_far.displacements);
  return find_joints(skeleton, so_far.hierarchy.parent);
}

namespace {

constexpr double kPolishFirmer = 0.3;  // of obedience
constexpr int kPlacingRounds = 2;      // of weights, for the pieces of a skeleton
constexpr int kFirmerRounds = 4;       // to win lost bones back, at this obedience and above
constexpr double kMiddlingObedience = 0.5;
constexpr double kDenseEdge = 0.006;  // of the diagonal
constexpr std::string_view kFirmerMark = "firmer constraints";
/// Below this, a mesh has long edges, and its bones want every choice and every step: decision 20.
constexpr std::size_t kSomeVertices = 1500;
constexpr std::size_t kManyVertices = 5000;
/// Of a finish that is not ended early: decision 23.
constexpr int kThoroughRounds = 6;
/// Vertices up to which such a finish turns every one by itself: clusters cost more here than while
/// solving, and up to so many exact rotations take a second or so.
constexpr std::size_t kExactFinishUpTo = 20'000;
/// That may influence a vertex before the cap, on meshes of some and of many vertices: more cost
/// time, and leave the cap more to take away.
constexpr std::size_t kMostBonesOfSome = 12;
constexpr std::size_t kMostBonesOfMany = 9;
/// Vertices that several bones move from which on clusters save time, and cost nothing:
/// decision 21.
constexpr std::size_t kFewThatBend = 500;
/// Vertices below which a cluster has so few that poses need not turn by several clusterings for
/// their borders not to show: decision 22.
constexpr std::size_t kFewInClusters = 8000;
/// Of the vertices: of a mesh of which less is mirrored, each side has to see its own poses.
constexpr double kMostlyMirrored = 0.5;
/// Steps before the cap, and how far all but the last of them go: decision 22.
struct StepsBeforeCap {
  int count = 0;
  double reach = 1;
};
constexpr StepsBeforeCap kStepsOfFew{2, 1.5};  // of meshes below kFewInClusters
constexpr StepsBeforeCap kStepsOfMany{3, 1.2};
constexpr double kPolishMargin = 0.1;  // of what is missing to 1: so that nothing falls short

BoneAnchors find_anchors(const BoundSoFar& so_far) {
  const PreparedMesh& prepared = so_far.prepared;
  std::vector<bool> is_free(prepared.mesh.vertex_count(), true);
  for (const PartLink& link : so_far.links)
    for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
      is_free[v] = false;
  for (std::size_t part = 0; part < so_far.rigid_parts.size(); ++part)
    if (so_far.rigid_parts[part] >= 0)
      for (const VertexIndex v : prepared.parts.members[part]) is_free[v] = false;
  std::vector<Bone> bones = so_far.skeleton.bones();
  for (std::size_t j = 0; j < bones.size(); ++j)
    bones[j].kind = so_far.character.skeleton.bones()[j].kind;
  const Skeleton bending = *Skeleton::create(std::move(bones));  // places are what they were
  return find_bone_anchors(prepared, bending, so_far.segments, is_free, so_far.rigid_parts);
}

/// The weights without those of bones on parts that they only pass by.
SkinWeights without_passers_by(const SkinWeights& weights, const PreparedMesh& prepared,
                               const std::map<int, std::set<int>>& served) {
  if (served.empty()) return weights;
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const auto row = weights.row(v);
    rows[v].assign(row.begin(), row.end());
    const auto of_part = served.find(prepared.parts.of_vertex[v]);
    if (of_part == served.end()) continue;
    std::erase_if(rows[v], [&](const Influence& each) {
      return !of_part->second.contains(static_cast<int>(each.bone));
    });
    if (rows[v].empty()) rows[v].assign(row.begin(), row.end());
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

/// Bones lead the vertices around their middle, which their maps must reach.
ConstrainedProblem make_soft_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                     std::span<const Exemplar> exemplars,
                                     const BindOptions& options) {
  const PreparedMesh& prepared = so_far.prepared;
  const auto [anchors, served] = find_anchors(so_far);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> led;
  for (const Anchor& anchor : anchors) led.emplace_back(anchor.vertex, anchor.bone);
  const InfluenceMaps maps =
      with_more_bones(sparsify(without_passers_by(initial, prepared, served), prepared.graph,
                               so_far.skeleton, options.sparsify),
                      led);
  InfluenceMaps wide = widen_steep_edges(maps, prepared.graph, 0);
  if (wide.vertex_count() > kSomeVertices)
    wide = with_fewer_bones(
        wide, prepared.graph,
        wide.vertex_count() > kManyVertices ? kMostBonesOfMany : kMostBonesOfSome, led);
  WeightProblem problem = make_weight_problem(prepared, std::move(wide), exemplars, so_far.spines);
  return constrain_softly(std::move(problem), anchors, options.obedience, so_far.links);
}

/// Existing weights may spread by a ring, and bones lead around their middle as much as they do,
/// and firmly: what a rigger painted there is meant.
ConstrainedProblem make_polish_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                       std::span<const Exemplar> exemplars,
                                       const BindOptions& options) {
  const InfluenceMaps maps = widen_steep_edges(influence_maps(initial), so_far.prepared.graph, 0);
  std::vector<Anchor> anchors = find_anchors(so_far).anchors;
  std::erase_if(anchors, [&](const Anchor& each) { return !maps.find(each.vertex, each.bone); });
  ConstrainedProblem constrained =
      constrain_softly(make_weight_problem(so_far.prepared, maps, exemplars, so_far.spines),
                       anchors, std::min(1.0, options.obedience + kPolishFirmer), so_far.links);
  for (WeightConstraint& each : constrained.constraints)
    each.target = std::lerp(maps.weights[*maps.find(each.vertex, each.bone)], 1.0, kPolishMargin);
  return constrained;
}

ConstrainedProblem make_paper_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                      std::span<const Exemplar> exemplars,
                                      const BindOptions& options) {
  const MeshGraph& graph = so_far.prepared.graph;
  const InfluenceMaps maps = sparsify(initial, graph, so_far.skeleton, options.sparsify);
  return constrain_as_paper(
      make_weight_problem(so_far.prepared, widen_steep_edges(maps, graph, options.steep_edge),
                          exemplars, so_far.spines),
      so_far.cells, so_far.links);
}

/// What stays of old weights is held where it was, whatever else was asked of it.
void keep(const KeptWeights& kept, ConstrainedProblem& constrained) {
  if (!kept.any()) return;
  WeightProblem& problem = constrained.problem;
  problem.maps = keep_in_maps(problem.maps, kept);
  std::erase_if(constrained.constraints, [&](const WeightConstraint& each) {
    return kept.keeps(each.vertex, each.bone) || !problem.maps.find(each.vertex, each.bone);
  });
  const std::vector<WeightConstraint> held = keeping_constraints(problem, kept);
  constrained.constraints.insert(constrained.constraints.end(), held.begin(), held.end());
}

/// Whether the solve may be a little less exact, in its last steps, rotations and poses: every
/// limit of influences then takes more away than that would gain.
bool is_cut_short_by_caps(const BoundSoFar& so_far, const BindOptions& options) {
  const auto takes_much = [](int budget) {
    return static_cast<std::size_t>(budget) < kMostBonesOfMany;
  };
  return options.constraints == ConstraintSet::soft && options.edits.empty() &&
         options.init == BindOptions::Init::fresh &&
         so_far.prepared.graph.vertex_count() > kSomeVertices &&
         takes_much(options.max_influences) &&
         std::ranges::all_of(options.further_budgets, takes_much);
}

/// Takes its time on coarse meshes, which settle slowly, and under the paper's constraints.
FinishOptions finish_of(const BoundSoFar& so_far, const BindOptions& options) {
  FinishOptions finish;
  finish.max_influences = options.max_influences;
  const bool is_soft = options.constraints == ConstraintSet::soft;
  if (is_soft) finish.parts = so_far.prepared.parts.of_vertex;
  if (is_soft && options.init == BindOptions::Init::fresh && options.edits.empty())
    finish.even_out_below = kDenseEdge;
  const std::size_t vertices = so_far.prepared.graph.vertex_count();
  if (is_soft && vertices > kSomeVertices) return finish;
  finish.rounds = finish.least_rounds = kThoroughRounds;
  if (options.solver.rotations == RotationMode::automatic && vertices <= kExactFinishUpTo)
    finish.rotations = RotationMode::exact;
  return finish;
}

bool is_mostly_mirrored(const Mirror& mirror) {
  return static_cast<double>(mirror.vertices) >=
         kMostlyMirrored * static_cast<double>(mirror.vertex.size());
}

/// Clusters also where the solver would by itself fit every vertex alone, if many bend.
RotationMode rotations_of(const WeightProblem& problem, RotationMode asked) {
  if (asked != RotationMode::automatic) return asked;
  std::size_t bending = 0;
  for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i)
    if (problem.maps.bones_of(i).size() > 1) ++bending;
  return bending > kFewThatBend ? RotationMode::clustered : asked;
}

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
                           const MeshParts& parts, const BindOptions& options,
                           std::vector<EditMark>& marks, const Progress& progress) {
  leading = on_main_parts(std::move(leading), parts);
  // Who asks for the least distortion does not want it spent on bones that it ignores.
  const auto rounds = static_cast<int>(
      std::lround(kFirmerRounds * std::min(1.0, options.obedience / kMiddlingObedience)));
  const auto may_step = [&] {
    return solver.steps().size() < static_cast<std::size_t>(options.solver.max_iterations);
  };
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

}  // namespace

std::optional<Mirror> find_sides(const BoundSoFar& so_far, const BindOptions& options) {
  if (options.mirror == MirrorChoice::automatic &&
      (so_far.kept.any() || !options.edits.empty() || options.init == BindOptions::Init::existing))
    return std::nullopt;
  MirrorOptions mirror;
  mirror.choice = options.mirror;
  return find_mirror(so_far.prepared, so_far.skeleton, mirror);
}

ConstrainedProblem make_refined_problem(const BoundSoFar& so_far, const SkinWeights& initial,
                                        std::span<const Exemplar> exemplars,
                                        const BindOptions& options) {
  const InfluenceMaps maps = influence_maps(initial);
  std::vector<Anchor> anchors = find_anchors(so_far).anchors;
  std::erase_if(anchors, [&](const Anchor& each) { return !maps.find(each.vertex, each.bone); });
  return constrain_softly(make_weight_problem(so_far.prepared, maps, exemplars, so_far.spines),
                          anchors, options.obedience, so_far.links);
}

PreparedSolve prepare_solve(const BoundSoFar& so_far, const SkinWeights& initial,
                            std::span<const Exemplar> exemplars, std::optional<Mirror> mirror,
                            const BindOptions& options, SolveReport& report) {
  const bool is_soft = options.constraints == ConstraintSet::soft;
  const auto make_problem = options.init == BindOptions::Init::existing ? make_polish_problem
                            : is_soft                                   ? make_soft_problem
                                                                        : make_paper_problem;
  ConstrainedProblem constrained = make_problem(so_far, initial, exemplars, options);
  std::set<std::pair<std::uint32_t, std::uint32_t>> led;
  const bool keeps_any = so_far.kept.any();
  for (const WeightConstraint& each : constrained.constraints)
    if (!keeps_any || !so_far.kept.keeps(each.vertex, each.bone))
      led.emplace(each.vertex, each.bone);
  keep(so_far.kept, constrained);
  if (mirror) {
    set_mirror(constrained.problem, std::move(*mirror));
    report.mirror_axis = constrained.problem.mirror->axis;
    report.mirrored_vertices = constrained.problem.mirror->vertices;
  } else {
    report.is_mirror_missing = options.mirror == MirrorChoice::x;
  }
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
  report.attached = constrained.attached;
  report.fading = constrained.fading;
  return {std::move(constrained), solving, std::move(led)};
}

Result<OptimisedWeights> optimise_weights(const BoundSoFar& so_far, const SkinWeights& initial,
                                          const BindOptions& options, const Progress& progress) {
  OptimisedWeights result;
  SolveReport& report = result.report;
  Stopwatch watch;

  SINEW_CHECK(progress.checkpoint("poses", 0));
  std::optional<Mirror> mirror = find_sides(so_far, options);
  BindExemplars poses = options.exemplars;
  const bool is_cut_short = is_cut_short_by_caps(so_far, options);
  if (is_cut_short && mirror && is_mostly_mirrored(*mirror) && !poses.count)
    poses.count = BindExemplars::kUsualMirrored;
  const std::vector<Exemplar> exemplars =
      draw_exemplars(so_far.character, so_far.roles, so_far.hierarchy, poses, so_far.displacements);
  if (exemplars.empty())
    return Error{ErrorCode::bad_argument, "exemplars", "there is no pose to optimise for"};
  report.exemplars = exemplars.size();
  watch.lap("poses", result.times);

  SINEW_CHECK(progress.checkpoint("sparsify", 0.05));
  const bool is_soft = options.constraints == ConstraintSet::soft;
  auto [constrained, solving, led] =
      prepare_solve(so_far, initial, exemplars, std::move(mirror), options, report);
  watch.lap("sparsify", result.times);

  if (const SkeletonJoints joints = joints_of(so_far); is_in_pieces(joints)) {
    SINEW_CHECK(place_pieces(joints, exemplars, so_far.prepared.frame, solving, constrained,
                             progress.within(0.1, 0.2)));
    result.placed = constrained.problem.exemplars;
    watch.lap("pieces", result.times);
  }
  if (is_cut_short) {
    solving.tolerance_rel = std::max(solving.tolerance_rel, options.tolerance_before_cap);
    solving.rotations = rotations_of(constrained.problem, solving.rotations);
    const bool is_usual = solving.clusterings == WeightSolverOptions().clusterings;
    if (is_usual && constrained.problem.positions.size() < kFewInClusters) solving.clusterings = 1;
  }
  solving.keeps_bones = options.edits.empty();
  SINEW_TRY(WeightSolver made,
            WeightSolver::create(std::move(constrained.problem), std::move(constrained.constraints),
                                 solving, progress.within(0.2, 0.3)));
  EditSchedule schedule(options.edits, so_far.prepared, std::move(made));
  WeightSolver& solver = schedule.solver();
  report.unknowns = static_cast<std::size_t>(solver.unknown_count());
  report.rotations = solver.rotation_mode();
  watch.lap("tables", result.times);

  const bool steps_first = options.edits.empty() && !solver.converged();
  if (!steps_first) report.arap_start = solver.arap();
  const StepsBeforeCap& usual =
      solver.problem().positions.size() < kFewInClusters ? kStepsOfFew : kStepsOfMany;
  const int most_steps = is_cut_short ? std::min(options.steps_before_cap.value_or(usual.count),
                                                 options.solver.max_iterations)
                                      : options.solver.max_iterations;
  const auto steps_before_cap = static_cast<std::size_t>(std::max(0, most_steps));
  const auto may_step = [&] {
    return !solver.converged() && (!is_cut_short || solver.steps().size() < steps_before_cap);
  };
  SINEW_CHECK(schedule.make_due());
  while (may_step() || schedule.has_more()) {
    SINEW_CHECK(progress.checkpoint(
        "solve",
        0.3 + 0.45 * static_cast<double>(solver.steps().size()) / std::max(1, most_steps)));
    const bool goes_far = is_cut_short && solver.steps().size() + 1 < steps_before_cap;
    if (may_step()) SINEW_CHECK(solver.step({.reach = goes_far ? usual.reach : 1}));
    SINEW_CHECK(schedule.make_due());
  }
  std::vector<EditMark> firmer;
  if (is_soft && options.init == BindOptions::Init::fresh) {
    // What was painted or kept is no anchor, and what an edit released is none any more.
    std::vector<WeightConstraint> leading = solver.constraints();
    std::erase_if(leading, [&](const WeightConstraint& each) {
      return each.target < 1 || !led.contains({each.vertex, each.bone});
    });
    SINEW_CHECK(win_lost_bones_back(solver, std::move(leading), so_far.prepared.parts, options,
                                    firmer, progress.within(0.75, 0.8)));
  }
  report.steps.assign(solver.steps().begin(), solver.steps().end());
  const bool has_stepped = steps_first && !report.steps.empty();
  if (steps_first)
    report.arap_start = has_stepped ? report.steps.front().arap_before : solver.arap();
  report.marks = schedule.marks();
  std::ranges::move(firmer, std::back_inserter(report.marks));
  report.arap_free = has_stepped ? report.steps.back().arap : solver.arap();
  report.edits = schedule.take_made();
  watch.lap("solve", result.times);

  solver.release_factor();  // what finishes has room where that was
  FinishOptions finish = finish_of(so_far, options);
  const double share = 0.2 / static_cast<double>(1 + options.further_budgets.size());
  SINEW_TRY(FinishedWeights finished,
            finish_weights(solver, finish, progress.within(0.8, 0.8 + share)));
  report.arap_finished = finished.arap_after;
  result.weights = std::move(finished.weights);
  for (const int budget : options.further_budgets) {
    const double begin = 0.8 + share * static_cast<double>(1 + result.further.size());
    finish.max_influences = budget;
    SINEW_TRY(FinishedWeights further,
              finish_weights(solver, finish, progress.within(begin, begin + share)));
    result.further.push_back(std::move(further));
  }
  watch.lap("finish", result.times);
  return result;
}

}  // namespace sinew
