// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/bind_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bind/effort.h"
#include "bind/prepared_bind.h"
#include "sinew/bind/bind_options.h"
#include "sinew/model/character.h"

namespace sinew {
namespace {

constexpr double kPolishFirmer = 0.3;       // of obedience
constexpr double kPolishMargin = 0.1;       // of what is missing to 1: so that nothing falls short
constexpr int kFirmerRounds = 4;            // to win lost bones back, at most
constexpr double kMiddlingObedience = 0.5;  // below it there are fewer of these rounds, at 0 none
/// Of the diagonal: where edges are shorter, kinks of the cap are evened out
/// (docs/decisions/capping.md).
constexpr double kDenseEdge = 0.006;
/// Of the area: where less is mirrored, each side has to see its own poses; where more is, one
/// pose counts for both.
constexpr double kMostlyMirrored = 0.5;
constexpr double kWhollyMirrored = 0.75;
/// A vertex of a fine mesh has so many bones before the cap (Effort::most_bones): a cap of as many
/// takes little away.
constexpr int kTakesLittle = 9;
/// Of the finish, where nobody waits: what settles slowly is there after so many.
constexpr int kThoroughRounds = 6;

/// What decisions are taken from.
struct Facts {
  const BindOptions& options;
  const PreparedBind& prepared;
  BindStrategy strategy;
  Effort effort;

  [[nodiscard]] bool is_soft() const { return strategy == BindStrategy::soft; }
  [[nodiscard]] bool is_paper() const { return strategy == BindStrategy::paper; }
  [[nodiscard]] bool is_edited() const { return !prepared.edits.empty(); }
};

Tolerances tolerances_of(const BindOptions& options) {
  return {options.solver.tolerance_rel,
          std::max(options.solver.tolerance_rel, options.tolerance_before_cap)};
}

std::string why(BindStrategy strategy) {
  switch (strategy) {
    case BindStrategy::soft:
      return "weights are made anew, and bones lead the skin around their middle";
    case BindStrategy::existing:
      return "the character's own weights are to get better";
    case BindStrategy::paper:
      return "the paper's constraints were asked for";
    case BindStrategy::bbw:
      return "this method was asked for; weights are solved inside the mesh, for no poses";
    case BindStrategy::heat:
    case BindStrategy::distance:
      break;
  }
  return "this method was asked for; it optimises nothing";
}

StartPlan start_in_the_interior(const Facts& facts) {
  StartPlan start{.from = StartPlan::From::interior};
  const InteriorOptions& options = facts.options.interior;
  if (const auto own = own_interior(facts.prepared.mesh, options))
    start.tetrahedra = own->elements.size();
  else
    start.cells = options.cells;
  return start;
}

/// Of new weights that are optimised: heat, unless another start was asked for.
Decided<StartPlan> plan_new_start(const Facts& facts, StartPlan start, std::string reason) {
  if (facts.options.init == BindInit::fresh) return {start, std::move(reason)};
  if (facts.options.init == BindInit::owners) start.from = StartPlan::From::owners;
  if (facts.options.init == BindInit::bbw) {
    const StartPlan inside = start_in_the_interior(facts);
    start.from = inside.from;
    start.cells = inside.cells;
    start.tetrahedra = inside.tetrahedra;
  }
  return {start, "it was asked for"};
}

Decided<StartPlan> plan_start(const Facts& facts) {
  switch (facts.strategy) {
    case BindStrategy::soft:
      return plan_new_start(facts,
                            {.from = StartPlan::From::heat,
                             .is_from_led_cells = true,
                             .rigid_parts = facts.options.rigid_parts},
                            "bones have to reach what they will lead, seen or not");
    case BindStrategy::existing:
      return {{.from = StartPlan::From::old, .is_from_led_cells = true},
              "what is there is made better; only vertices without weights get new ones"};
    case BindStrategy::paper:
      return plan_new_start(facts, {.from = StartPlan::From::heat}, "as in the paper");
    case BindStrategy::heat:
      return {{.from = StartPlan::From::heat}, "they are the result"};
    case BindStrategy::bbw:
      return {start_in_the_interior(facts), "they are the result"};
    case BindStrategy::distance:
      break;
  }
  return {{.from = StartPlan::From::distance}, "they are the result"};
}

Decided<SidesPlan> plan_sides(const Facts& facts) {
  const BindOptions& options = facts.options;
  if (const std::optional<Mirror>& mirror = facts.prepared.mirror)
    return {{true, mirror->axis, mirror->vertices, false},
            options.mirror == MirrorChoice::x ? "it was asked for"
                                              : "joints and mesh are images of each other"};
  if (options.mirror == MirrorChoice::off) return {{}, "it was asked for"};
  if (options.mirror == MirrorChoice::x)
    return {{false, std::nullopt, 0, true}, "nothing is symmetric across x"};
  if (facts.prepared.keeping.welded.any()) return {{}, "weights that stay are of one side"};
  if (facts.is_edited()) return {{}, "edits are of one side"};
  if (facts.strategy == BindStrategy::existing)
    return {{}, "existing weights may have been painted so"};
  return {{}, "joints or mesh are not images of each other"};
}

Decided<CapsPlan> plan_caps(const BindOptions& options) {
  CapsPlan caps;
  caps.delivered = {options.max_influences};
  caps.delivered.insert(caps.delivered.end(), options.further_budgets.begin(),
                        options.further_budgets.end());
  caps.solved = caps.delivered;
  return {std::move(caps), "as many as were asked for"};
}

/// Why last steps are taken all the same; nothing where every cap takes more away than they gain.
std::optional<std::string> why_to_the_end(const Facts& facts, const CapsPlan& caps) {
  if (facts.is_paper()) return "the paper's constraints are solved to the end";
  if (!facts.is_soft()) return "what is made better is solved to the end";
  if (facts.is_edited()) return "edits want to be solved to the end";
  if (!std::ranges::all_of(caps.solved, [](int cap) { return cap < kTakesLittle; }))
    return "a cap of so many influences takes little away";
  return std::nullopt;
}

Decided<StepsPlan> plan_steps(const Facts& facts, const CapsPlan& caps) {
  const BindOptions& options = facts.options;
  StepsPlan steps;
  steps.max_iterations = options.solver.max_iterations;
  steps.tolerance_rel = options.solver.tolerance_rel;
  if (const auto reason = why_to_the_end(facts, caps)) return {steps, *reason};
  steps.most = std::min(options.steps_before_cap.value_or(facts.effort.steps_at_cap),
                        static_cast<double>(steps.max_iterations));
  steps.reach = facts.effort.reach_at_cap;
  steps.tolerance_rel = facts.effort.tolerance;
  return {steps, options.steps_before_cap
                     ? "so many were asked for"
                     : facts.effort.reason + ", and the cap takes away what more steps gain"};
}

Decided<PosesPlan> plan_poses(const Facts& facts, bool ends_early) {
  const BindExemplars& asked = facts.options.exemplars;
  if (asked.count) return {{*asked.count}, "as many as were asked for"};
  if (!ends_early) return {{BindExemplars::kUsual}, "what is solved to the end wants every pose"};
  const double share = facts.prepared.mirror ? facts.prepared.mirror->share : 0;
  const double how_mirrored =
      std::clamp((share - kMostlyMirrored) / (kWhollyMirrored - kMostlyMirrored), 0.0, 1.0);
  const auto random = static_cast<int>(
      std::lround(std::lerp(BindExemplars::kUsual, facts.effort.poses_of_mirrored, how_mirrored)));
  if (random == BindExemplars::kUsual) return {{random}, "the paper's number"};
  return {{random}, "both sides are solved as one, and each pose counts for both"};
}

Decided<MapsPlan> plan_maps(const Facts& facts, const CapsPlan& caps) {
  MapsPlan maps;
  maps.sparsify = facts.options.sparsify;
  maps.steep_edge = 0;
  if (facts.is_paper()) {
    maps.steep_edge = facts.options.steep_edge;
    return {maps, "those that matter in the first weights, as in the paper"};
  }
  if (!facts.is_soft()) {
    maps.from = MapsPlan::From::as_they_are;
    return {maps, "existing weights may spread by a ring"};
  }
  maps.reaches_anchors = true;
  const auto most_asked = static_cast<std::size_t>(std::ranges::max(caps.delivered));
  for (const std::size_t most : facts.effort.most_bones)
    maps.most_bones.push_back(std::max(most, most_asked));
  return {maps, facts.effort.reason + ", and further bones are lost to the cap"};
}

Decided<ConstraintPlan> plan_constraints(const Facts& facts) {
  const double obedience = facts.options.obedience;
  if (facts.is_paper()) return {{ConstraintSet::paper, 0, std::nullopt}, "they were asked for"};
  if (facts.is_soft())
    return {{ConstraintSet::soft, obedience, std::nullopt},
            "bones lead around their middle, as firmly as was asked for"};
  return {{ConstraintSet::soft, std::min(1.0, obedience + kPolishFirmer), kPolishMargin},
          "what was painted there is meant, and held more firmly"};
}

Decided<RotationPlan> plan_rotations(const Facts& facts) {
  const BindOptions& options = facts.options;
  const Effort& effort = facts.effort;
  Decided<RotationPlan> rotations{
      {effort.is_exact ? RotationMode::exact : RotationMode::clustered, effort.clusterings,
       effort.clusters, options.solver.rotation_precision},
      effort.reason};
  if (options.rotations) {
    rotations.value.mode = *options.rotations;
    rotations.value.clusters = effort.clusters_if_asked;
    rotations.reason = "it was asked for";
  }
  if (options.solver.clusterings != WeightSolverOptions().clusterings)
    rotations.value.clusterings = options.solver.clusterings;
  return rotations;
}

Decided<LostBonesPlan> plan_lost_bones(const Facts& facts) {
  if (facts.is_paper()) return {{}, "the paper holds bones by its own constraints"};
  if (!facts.is_soft()) return {{}, "what bones had is what they keep"};
  // Who asks for the least distortion does not want it spent on bones that it ignores.
  const double part = std::min(1.0, facts.options.obedience / kMiddlingObedience);
  const auto rounds = static_cast<int>(std::lround(kFirmerRounds * part));
  if (rounds == 0) return {{0}, "least distortion was asked for"};
  return {{rounds}, "bones that no longer lead the skin around their middle are held more firmly"};
}

Decided<FinishPlan> plan_finish(const Facts& facts) {
  FinishPlan finish;
  finish.drops_strays = !facts.is_paper();
  if (!facts.is_soft()) {
    finish.rounds = finish.least_rounds = kThoroughRounds;
    if (!facts.options.rotations) finish.rotations = RotationMode::exact;
    return {finish, "what settles slowly wants all rounds, and each vertex turns by itself"};
  }
  finish.rounds = facts.effort.finish_rounds;
  finish.least_rounds = facts.effort.least_finish_rounds;
  if (!facts.is_edited()) finish.even_out_below = kDenseEdge;
  return {finish, facts.effort.reason};
}

Decided<RoundingPlan> plan_rounding(const BindOptions& options) {
  RoundingPlan rounding{options.format, options.exemplars.count.value_or(BindExemplars::kUsual)};
  if (options.format == WeightFormat::f32) return {rounding, "floats need none"};
  return {rounding, "the format has integers, and sums have to be exact"};
}

/// What methods that optimise nothing do after the cap.
Decided<FinishPlan> plan_filter(BindStrategy strategy) {
  FinishPlan finish;
  finish.is_filtered = strategy != BindStrategy::distance;
  return {finish, finish.is_filtered ? "the cap leaves kinks where there were none"
                                     : "distances leave nothing to even out"};
}

/// Of a solve to its own end.
WeightSolverOptions plan_solver(const Facts& facts, const RotationPlan& rotations) {
  const BindOptions& options = facts.options;
  WeightSolverOptions solver = options.solver;
  solver.rotations = rotations.mode;
  solver.clusterings = rotations.clusterings;
  if (facts.is_paper()) return solver;
  solver.smoothing = options.smoothing;
  // The finish holds weights at zero; doing so here already gains nothing and takes long.
  solver.positivity = WeightSolverOptions::Positivity::off;
  return solver;
}

}  // namespace

bool optimises(BindStrategy strategy) {
  switch (strategy) {
    case BindStrategy::soft:
    case BindStrategy::existing:
    case BindStrategy::paper:
      return true;
    case BindStrategy::heat:
    case BindStrategy::bbw:
    case BindStrategy::distance:
      break;
  }
  return false;
}

BindStrategy strategy_of(const BindOptions& options) {
  switch (options.method) {
    case BindMethod::heat:
      return BindStrategy::heat;
    case BindMethod::bbw:
      return BindStrategy::bbw;
    case BindMethod::distance:
      return BindStrategy::distance;
    case BindMethod::araplbs:
      break;
  }
  if (options.init == BindInit::existing) return BindStrategy::existing;
  return options.constraints == ConstraintSet::soft ? BindStrategy::soft : BindStrategy::paper;
}

Decided<OldWeightsPlan> plan_old_weights(const BindOptions& options) {
  using Use = OldWeightsPlan::Use;
  if (options.init == BindInit::existing)
    return {{Use::improved, options.mix},
            "new ones replace them only as far as nothing gets worse"};
  if (options.mix < 1) return {{Use::blended, options.mix}, "a mixture was asked for"};
  if (!options.lock.empty() || !options.only.empty() || !options.may_change.empty())
    return {{Use::kept, 1}, "some bones or vertices keep theirs"};
  return {{Use::replaced, 1}, "nothing asks for them"};
}

Decided<MeshPlan> plan_mesh(const Character& character, const BindOptions& options) {
  const auto directly = [](std::string reason) { return Decided<MeshPlan>{{}, std::move(reason)}; };
  if (options.domain == BindDomain::volume)
    return {{std::nullopt, options.interior.cells}, "it was asked for"};
  const Mesh& mesh = character.mesh;
  std::string reason = fmt::format("{} vertices, where a direct solve takes up to {}",
                                   mesh.vertex_count(), options.coarse.above);
  if (mesh.vertex_count() <= options.coarse.above) return directly(std::move(reason));
  const bool bends = !options.spines.empty() || options.find_twist_bones ||
                     std::ranges::any_of(character.skeleton.bones(), [](const Bone& bone) {
                       return bone.kind != BoneKind::rigid;
                     });
  if (strategy_of(options) != BindStrategy::soft)
    return directly("only new weights under soft constraints can be carried over");
  if (bends) return directly("bones that bend want every vertex");
  if (!options.edits.empty()) return directly("edits are of vertices");
  if (plan_old_weights(options)->are_read()) return directly("old weights stay vertex by vertex");
  if (options.mirror == MirrorChoice::x) return directly("both sides are to be the same");
  if (!mesh.tetrahedra().empty() || !mesh.wires().empty() || mesh.triangles().empty())
    return directly("only triangles can be simplified");
  return {{options.coarse.vertices, std::nullopt}, std::move(reason)};
}

BindPlan plan_bind(const Character& character, const BindOptions& options,
                   const PreparedBind& prepared) {
  const BindStrategy strategy = strategy_of(options);
  const Effort effort =
      effort_of(find_edge_to_bone(prepared.mesh, prepared.segments, prepared.cells),
                prepared.mesh.parts, tolerances_of(options));
  const Facts facts{options, prepared, strategy, effort};
  BindPlan plan;
  plan.strategy = {strategy, why(strategy)};
  if (strategy != BindStrategy::bbw) plan.mesh = plan_mesh(character, options);
  plan.start = plan_start(facts);
  plan.caps = plan_caps(options);
  plan.old_weights = plan_old_weights(options);
  plan.rounding = plan_rounding(options);
  if (!optimises(strategy)) {
    plan.finish = plan_filter(strategy);
    return plan;
  }
  if (!options.spines.empty()) make_room_for_rows(plan);
  plan.sides = plan_sides(facts);
  plan.steps = plan_steps(facts, *plan.caps);
  const bool ends_early = plan.steps->most.has_value();
  plan.poses = plan_poses(facts, ends_early);
  plan.maps = plan_maps(facts, *plan.caps);
  plan.constraints = plan_constraints(facts);
  plan.rotations = plan_rotations(facts);
  plan.lost_bones = plan_lost_bones(facts);
  plan.finish = plan_finish(facts);
  plan.solver = plan_solver(facts, *plan.rotations);
  return plan;
}

void make_room_for_rows(BindPlan& plan) {
  // A vertex on a bone that becomes a row of joints gets two of them for it: leaving room for the
  // other one is better than to drop an influence afterwards, which tears. Not of two: a character
  // with one influence each bends nowhere.
  for (int& cap : plan.caps.value.solved)
    if (cap > 2) --cap;
  plan.caps.reason = "a vertex on a row of joints has two of them, which takes room";
}

WeightSolverOptions solver_of_steps(const BindPlan& plan) {
  WeightSolverOptions solver = plan.solver;
  solver.rotations = plan.rotations->mode;
  solver.clusterings = plan.rotations->clusterings;
  solver.rotation_precision = plan.rotations->precision;
  solver.tolerance_rel = plan.steps->tolerance_rel;
  solver.max_iterations = plan.steps->max_iterations;
  return solver;
}

}  // namespace sinew
