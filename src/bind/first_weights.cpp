// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/first_weights.h"

#include <algorithm>

#include <fmt/format.h>

#include "bind/edit_schedule.h"
#include "bind/stopwatch.h"
#include "sinew/core/parallel.h"
#include "sinew/model/joint_displacements.h"
#include "sinew/model/spine_rows.h"
#include "sinew/rig/bone_anchors.h"
#include "sinew/rig/leaf_tails.h"
#include "sinew/weights/distance.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/linked_parts.h"

namespace sinew {
namespace {

Status check_input(const Character& character, const BindOptions& options) {
  if (options.max_influences < 1 ||
      std::any_of(options.further_budgets.begin(), options.further_budgets.end(),
                  [](int budget) { return budget < 1; }))
    return Error{ErrorCode::bad_argument, "max_influences", "a vertex needs at least one bone"};
  SINEW_CHECK(check_bones(character, options));
  if (options.init == BindOptions::Init::existing &&
      (options.method != BindMethod::araplbs || options.constraints != ConstraintSet::soft))
    return Error{ErrorCode::bad_argument, "init",
                 "existing weights are made better by araplbs with soft constraints alone"};
  SINEW_CHECK(check_keeping(character, options));
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
  if (exemplars.count.value_or(0) < 0 || exemplars.clip_frames < 0)
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

/// The effective skeleton with nothing for bones to carry that rows stand for: their joints, if
/// they deform, carry it. Who asks for such a bone by name has it.
Skeleton with_rows_alone(const Skeleton& effective, const Skeleton& skeleton,
                         const std::vector<BoneRole>& roles, const DeformingOptions& asked) {
  std::vector<Bone> bones = effective.bones();
  for (const SpineRow& row : find_spine_rows(skeleton)) {
    const bool carries = std::ranges::any_of(
        row.joints, [&](int joint) { return roles[static_cast<std::size_t>(joint)].deforms; });
    if (carries && std::ranges::find(asked.bones, row.bone) == asked.bones.end())
      bones[static_cast<std::size_t>(row.bone)].deforms = false;
  }
  return *Skeleton::create(std::move(bones));  // places and parents are what they were
}

}  // namespace

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

Status check_bones(const Character& character, const BindOptions& options) {
  for (const std::vector<int>& bones :
       {options.deforming.bones, options.deforming.skip, options.lock, options.only})
    for (const int bone : bones)
      if (bone < 0 || bone >= static_cast<int>(character.skeleton.bone_count()))
        return Error{ErrorCode::bad_argument, "bones", fmt::format("there is no bone {}", bone)};
  return {};
}

Result<FirstWeights> make_first_weights(const Character& character,
                                        std::span<const Vec3> displacements,
                                        const BindOptions& options, std::vector<StageTime>& times,
                                        const Progress& progress,
                                        const SkinWeights* there_already) {
  SINEW_CHECK(check_input(character, options));
  Stopwatch watch;
  SINEW_CHECK(progress.checkpoint("bones", 0));
  DeformingOptions deforming = options.deforming;
  deforming.remnants = asks_for_old_weights(options);
  std::vector<BoneRole> roles = decide_deforming_bones(character, deforming);
  if (std::none_of(roles.begin(), roles.end(), [](const BoneRole& role) { return role.deforms; }))
    return Error{ErrorCode::bad_argument, "",
                 "no bone is left to bind to: all are said not to deform"};
  SINEW_CHECK(check_edited_bones(options, roles, character.skeleton));
  EffectiveHierarchy hierarchy = find_effective_hierarchy(character, roles, options.hierarchy);
  const Skeleton with_tails =
      with_row_tails(displacements.empty() ? character.skeleton
                                           : with_joints_moved(character.skeleton, displacements));
  GuessedTails tails = guess_leaf_tails(effective_skeleton(with_tails, roles, hierarchy),
                                        character.mesh, character.weights);
  tails.skeleton = with_rows_alone(tails.skeleton, with_tails, roles, options.deforming);
  watch.lap("bones", times);

  SINEW_CHECK(progress.checkpoint("mesh", 0.1));
  PreparedMesh prepared = prepare_mesh(character.mesh);
  SINEW_TRY(Keeping keeping, find_kept_weights(character, prepared.welded, options));
  SINEW_TRY(std::vector<PlannedEdit> edits,
            edits_that_count(options.edits, prepared, keeping.welded.may_change));
  SINEW_TRY(const std::vector<Edge> wires, wires_before_start(edits, prepared));
  if (!wires.empty()) prepared.graph = with_wires(prepared.graph, wires);
  watch.lap("mesh", times);

  SINEW_CHECK(progress.checkpoint("cells", 0.2));
  BoneSegments segments(tails.skeleton, prepared.frame);
  BoneCells cells = find_bone_cells(prepared, segments);
  watch.lap("cells", times);

  SINEW_CHECK(progress.checkpoint("parts", 0.3));
  std::vector<PartLink> links;
  if (options.links == BindOptions::Links::automatic) {
    SINEW_TRY(links, find_part_links(prepared, segments, cells, {}, progress.within(0.3, 0.4)));
  }
  leave_out_wired(prepared, wires, links);
  std::vector<bool> stands(prepared.parts.count(), true);
  for (const PartLink& link : links) stands[static_cast<std::size_t>(link.part)] = false;
  watch.lap("parts", times);

  SINEW_CHECK(progress.checkpoint("weights", 0.4));
  const bool is_soft =
      options.method == BindMethod::araplbs && options.constraints == ConstraintSet::soft;
  const BoneCells leading = is_soft && there_already == nullptr
                                ? find_bone_cells(prepared, segments, kLeadingCells)
                                : cells;
  SkinWeights weights;
  std::vector<int> blind_parts;
  const double heat_ends = options.method == BindMethod::araplbs ? kFirstWeightsEnd : 0.9;
  if (there_already != nullptr) {
    weights = *there_already;
  } else if (options.method == BindMethod::distance) {
    weights = distance_weights(prepared, tails.skeleton, segments, cells);
  } else {
    HeatOptions heat_options;
    heat_options.wires = wires;
    SINEW_TRY(HeatWeights heat, heat_weights(prepared, leading, stands, heat_options,
                                             progress.within(0.4, heat_ends)));
    weights = std::move(heat.weights);
    blind_parts = std::move(heat.blind_parts);
  }
  const bool is_fresh = options.init != BindOptions::Init::existing;
  SkinWeights owners;  // of linked parts too
  parallel_for(
      2,
      [&](std::size_t task) {
        if (task == 0 && there_already == nullptr)
          weights = weights_for_linked_parts(prepared, links, weights);
        if (task == 1 && is_fresh && is_soft)
          owners = weights_for_linked_parts(prepared, links, cells.owners);
      },
      1);
  std::vector<int> rigid_parts(prepared.parts.count(), -1);
  if (!is_fresh) {
    weights = blend(keeping.welded.old, weights, 0);
  } else if (is_soft) {
    RigidPartOptions rigid;
    rigid.choice = options.rigid_parts;
    rigid_parts = find_rigid_parts(prepared, tails.skeleton, cells, owners, links, rigid);
    weights = bound_to_one_bone(prepared.parts, rigid_parts, weights);
  }
  watch.lap("weights", times);

  return FirstWeights{std::move(roles),         std::move(hierarchy), std::move(tails.skeleton),
                      std::move(tails.guessed), std::move(prepared),  std::move(segments),
                      std::move(cells),         std::move(links),     std::move(rigid_parts),
                      std::move(blind_parts),   std::move(keeping),   std::move(edits),
                      std::move(weights)};
}

}  // namespace sinew
