// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/pipeline/bind.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pipeline/bind_report.h"
#include "pipeline/edit_schedule.h"
#include "pipeline/kept_weights.h"
#include "pipeline/optimise_weights.h"
#include "pipeline/polish.h"
#include "pipeline/round_for_delivery.h"
#include "pipeline/spine_stage.h"
#include "pipeline/stopwatch.h"
#include "sinew/model/leaf_tails.h"
#include "sinew/prepare/bone_anchors.h"
#include "sinew/prepare/part_links.h"
#include "sinew/weights/cap_influences.h"
#include "sinew/weights/distance.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/laplacian_filter.h"
#include "sinew/weights/linked_parts.h"

namespace sinew {
namespace {

/// Whether something of the weights that the character has may come out again.
bool keeps_old_weights(const BindOptions& options) {
  return options.init == BindOptions::Init::existing || !options.lock.empty() ||
         !options.only.empty() || !options.may_change.empty() || options.mix < 1;
}

Status check_input(const Character& character, const BindOptions& options) {
  if (options.max_influences < 1 ||
      std::any_of(options.further_budgets.begin(), options.further_budgets.end(),
                  [](int budget) { return budget < 1; }))
    return Error{ErrorCode::bad_argument, "max_influences", "a vertex needs at least one bone"};
  for (const std::vector<int>& bones :
       {options.deforming.bones, options.deforming.skip, options.lock, options.only})
    for (const int bone : bones)
      if (bone < 0 || bone >= static_cast<int>(character.skeleton.bone_count()))
        return Error{ErrorCode::bad_argument, "bones", fmt::format("there is no bone {}", bone)};
  if (options.init == BindOptions::Init::existing &&
      (options.method != BindMethod::araplbs || options.constraints != ConstraintSet::soft))
    return Error{ErrorCode::bad_argument, "init",
                 "existing weights are made better by araplbs with soft constraints alone"};
  if (!options.may_change.empty() && options.may_change.size() != character.mesh.vertex_count())
    return Error{ErrorCode::bad_argument, "may_change", "needs an entry per vertex"};
  if (options.mirror == MirrorChoice::x && !options.edits.empty())
    return Error{ErrorCode::bad_argument, "mirror",
                 "edits are of one side, and both are solved as one"};
  if (!(options.mix >= 0 && options.mix <= 1))
    return Error{ErrorCode::bad_argument, "mix", "goes from 0 to 1"};
  if (!(options.obedience >= 0 && options.obedience <= 1))
    return Error{ErrorCode::bad_argument, "obedience", "goes from 0 to 1"};
  if (!(options.smoothing >= 0 && options.smoothing <= 1))
    return Error{ErrorCode::bad_argument, "smoothing", "is a part of the diagonal, from 0 to 1"};
  const BindExemplars& exemplars = options.exemplars;
  if (exemplars.count < 0 || exemplars.clip_frames < 0)
    return Error{ErrorCode::bad_argument, "exemplars", "there cannot be fewer poses than none"};
  for (const int clip : exemplars.clips)
    if (clip < 0 || clip >= static_cast<int>(character.clips.size()))
      return Error{ErrorCode::bad_argument, "exemplars.clips",
                   fmt::format("there is no clip {}", clip)};
  for (const Pose& pose : exemplars.poses)
    if (pose.bones.size() != character.skeleton.bone_count())
      return Error{ErrorCode::bad_argument, "exemplars.poses", "a pose needs an entry per bone"};
  if (character.mesh.vertex_count() == 0)
    return Error{ErrorCode::bad_mesh, "", "there is no mesh to bind"};
  if (character.skeleton.bone_count() == 0)
    return Error{ErrorCode::bad_skin, "", "there is no skeleton to bind to"};
  return {};
}

/// For weights that are optimised under soft constraints: forks are hubs more often than flesh, and
/// what hides a bone, a coat say, should follow it all the same.
constexpr CellOptions kLeadingCells{.fork_distance = AnchorOptions{}.fork_distance,
                                    .sight = CellOptions::Sight::assumed};

/// The weights with every vertex of a rigid part on that part's bone.
SkinWeights bound_to_one_bone(const MeshParts& parts, const std::vector<int>& bone_of_part,
                              const SkinWeights& weights) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const int part = parts.of_vertex[v];
    const int bone = part >= 0 ? bone_of_part[static_cast<std::size_t>(part)] : -1;
    if (bone >= 0)
      rows[v] = {{static_cast<std::uint32_t>(bone), 1}};
    else
      rows[v].assign(weights.row(v).begin(), weights.row(v).end());
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

/// New weights, per stored vertex, with what has to stay of the old ones; of existing ones, only
/// what makes them better.
Result<Polished> put_beside_old(const Character& character, const KeptWeights& stored,
                                SkinWeights fresh, const BindOptions& options,
                                const BindReport& report, const Progress& progress) {
  if (options.init == BindOptions::Init::existing)
    return choose_not_worse(character, report.roles, report.hierarchy, stored, fresh, options,
                            progress);
  if (options.mix < 1)
    fresh = cap_influences(blend(stored.old, fresh, options.mix), options.max_influences);
  return Polished{put_back(stored, fresh, options.max_influences), {}};
}

Skeleton with_roles(const Skeleton& skeleton, const std::vector<BoneRole>& roles) {
  std::vector<Bone> bones = skeleton.bones();
  for (std::size_t j = 0; j < bones.size(); ++j) bones[j].deforms = roles[j].deforms;
  return *Skeleton::create(std::move(bones));  // places and parents are what they were
}

/// A part that was wired by hand to one that stands by itself, or to one that is wired so, needs no
/// link by guess.
void leave_out_wired(const PreparedMesh& prepared, std::span<const Edge> wires,
                     std::vector<PartLink>& links) {
  std::vector<bool> is_linked(prepared.parts.count(), false);
  for (const PartLink& link : links) is_linked[static_cast<std::size_t>(link.part)] = true;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (const Edge& wire : wires)
      for (const auto& [from, to] : {wire, Edge{wire[1], wire[0]}}) {
        const int part = prepared.parts.of_vertex[from];
        const int other = prepared.parts.of_vertex[to];
        if (part < 0 || other < 0 || part == other) continue;
        if (!is_linked[static_cast<std::size_t>(part)] ||
            is_linked[static_cast<std::size_t>(other)])
          continue;
        is_linked[static_cast<std::size_t>(part)] = false;
        is_done = false;
      }
  }
  std::erase_if(
      links, [&](const PartLink& link) { return !is_linked[static_cast<std::size_t>(link.part)]; });
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
  SINEW_CHECK(check_input(character, options));
  Bound bound;
  BindReport& report = bound.report;
  Stopwatch watch;

  SINEW_CHECK(progress.checkpoint("bones", 0));
  DeformingOptions deforming = options.deforming;
  deforming.remnants = keeps_old_weights(options);
  report.roles = decide_deforming_bones(character, deforming);
  if (std::none_of(report.roles.begin(), report.roles.end(),
                   [](const BoneRole& role) { return role.deforms; }))
    return Error{ErrorCode::bad_argument, "",
                 "no bone is left to bind to: all are said not to deform"};
  SINEW_CHECK(check_edited_bones(options.edits, report.roles, character.skeleton));
  report.hierarchy = find_effective_hierarchy(character, report.roles, options.hierarchy);
  bound.skeleton = with_roles(character.skeleton, report.roles);
  GuessedTails tails =
      guess_leaf_tails(effective_skeleton(character.skeleton, report.roles, report.hierarchy),
                       character.mesh, character.weights);
  report.guessed_tails = std::move(tails.guessed);
  watch.lap("bones", report.times);

  SINEW_CHECK(progress.checkpoint("mesh", 0.1));
  PreparedMesh prepared = prepare_mesh(character.mesh);
  SINEW_TRY(const std::vector<Edge> wires, wires_before_start(options.edits, prepared));
  if (!wires.empty()) prepared.graph = with_wires(prepared.graph, wires);
  watch.lap("mesh", report.times);

  SINEW_TRY(const Keeping keeping, find_kept_weights(character, prepared.welded, options));

  SINEW_CHECK(progress.checkpoint("cells", 0.2));
  const BoneSegments segments(tails.skeleton, prepared.frame);
  const BoneCells cells = find_bone_cells(prepared, segments);
  watch.lap("cells", report.times);

  SINEW_CHECK(progress.checkpoint("parts", 0.3));
  std::vector<PartLink> links;
  if (options.links == BindOptions::Links::automatic) {
    SINEW_TRY(links, find_part_links(prepared, segments, cells, {}, progress.within(0.3, 0.4)));
  }
  leave_out_wired(prepared, wires, links);
  std::vector<bool> stands(prepared.parts.count(), true);
  for (const PartLink& link : links) stands[static_cast<std::size_t>(link.part)] = false;
  watch.lap("parts", report.times);

  SINEW_CHECK(progress.checkpoint("weights", 0.4));
  const bool is_soft =
      options.method == BindMethod::araplbs && options.constraints == ConstraintSet::soft;
  const BoneCells leading = is_soft ? find_bone_cells(prepared, segments, kLeadingCells) : cells;
  SkinWeights weights;
  std::vector<int> blind_parts;
  const double heat_ends = options.method == BindMethod::araplbs ? 0.5 : 0.9;
  if (options.method == BindMethod::distance) {
    weights = distance_weights(prepared, tails.skeleton, segments, cells);
  } else {
    HeatOptions heat_options;
    heat_options.wires = wires;
    SINEW_TRY(HeatWeights heat, heat_weights(prepared, leading, stands, heat_options,
                                             progress.within(0.4, heat_ends)));
    weights = std::move(heat.weights);
    blind_parts = std::move(heat.blind_parts);
  }
  weights = weights_for_linked_parts(prepared, links, weights);
  std::vector<int> rigid_parts(prepared.parts.count(), -1);
  if (options.init == BindOptions::Init::existing) {
    weights = blend(keeping.welded.old, weights, 0);
  } else if (is_soft) {
    RigidPartOptions rigid;
    rigid.choice = options.rigid_parts;
    rigid_parts = find_rigid_parts(prepared, tails.skeleton, cells,
                                   weights_for_linked_parts(prepared, links, cells.owners), rigid);
    weights = bound_to_one_bone(prepared.parts, rigid_parts, weights);
  }
  SINEW_TRY(SpineStage spines, find_spines(character, prepared, report.roles, weights, options));
  bound.spines = spines.asked;
  bound.limbs = std::move(spines.limbs);
  watch.lap("weights", report.times);

  report.budgets.push_back({options.max_influences, {}, {}});
  for (const int budget : options.further_budgets) report.budgets.push_back({budget, {}, {}});
  std::vector<SkinWeights> delivered;  // beside report.budgets
  if (options.method == BindMethod::araplbs) {
    SINEW_TRY(OptimisedWeights optimised,
              optimise_weights({spines.bending ? *spines.bending : character, prepared,
                                tails.skeleton, segments, cells, links, rigid_parts, keeping.welded,
                                report.roles, report.hierarchy, spines.bones},
                               weights, options, progress.within(heat_ends, 0.9)));
    delivered.push_back(std::move(optimised.weights));
    report.budgets.front().arap_finished = optimised.report.arap_finished;
    for (FinishedWeights& further : optimised.further) {
      report.budgets[delivered.size()].arap_finished = further.arap_after;
      delivered.push_back(std::move(further.weights));
    }
    report.solve = std::move(optimised.report);
    for (StageTime& time : optimised.times) report.times.push_back(std::move(time));
    watch.restart();
  } else {
    for (const BudgetReport& budget : report.budgets) {
      delivered.push_back(cap_influences(weights, budget.max_influences));
      if (options.method == BindMethod::heat)
        delivered.back() = laplacian_filter(delivered.back(), prepared.laplacian);
    }
  }
  if (options.format != WeightFormat::f32) {
    const std::vector<std::vector<Affine3>> poses =
        poses_in_frame(draw_exemplars(character, report.roles, report.hierarchy, options.exemplars),
                       prepared.frame);
    for (std::size_t b = 0; b < delivered.size(); ++b) {
      SINEW_TRY(report.budgets[b].rounding,
                round_for_delivery(delivered[b], prepared, poses, options.format,
                                   progress.within(0.9, 0.95)));
    }
    watch.lap("rounding", report.times);
  }
  SINEW_CHECK(progress.checkpoint("finish", 0.95));
  for (std::size_t b = 0; b < delivered.size(); ++b) {
    BindOptions within = options;
    within.max_influences = report.budgets[b].max_influences;
    SINEW_TRY(Polished polished, put_beside_old(character, keeping.stored,
                                                spread_to_copies(prepared.welded, delivered[b]),
                                                within, report, progress.within(0.95, 1)));
    if (b > 0) {
      bound.further.push_back(std::move(polished.weights));
      continue;
    }
    bound.weights = std::move(polished.weights);
    if (options.init == BindOptions::Init::existing) report.polish = polished.report;
  }
  describe_bind({character, prepared, segments, cells, links, rigid_parts, blind_parts,
                 mean_of_copies(prepared.welded, bound.weights)},
                report);
  bound.notices = bind_notices(character, report);
  watch.lap("report", report.times);
  return bound;
}

}  // namespace sinew
