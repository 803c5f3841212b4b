// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/prepared_bind.h"

#include <algorithm>

#include <fmt/format.h>

#include "bind/edit_schedule.h"
#include "bind/stopwatch.h"
#include "model/spine_rows.h"
#include "rig/leaf_tails.h"
#include "rig/pointed_tails.h"
#include "sinew/model/joint_displacements.h"

namespace sinew {
namespace {

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

/// Whether both sides may be solved as one. Kept weights and edits are of one side, and what is
/// made better may have been painted so: there it has to be asked for.
bool may_mirror(const BindOptions& options, const KeptWeights& kept) {
  const BindStrategy strategy = strategy_of(options);
  if (!optimises(strategy)) return false;
  return options.mirror != MirrorChoice::automatic ||
         (!kept.any() && options.edits.empty() && strategy != BindStrategy::existing);
}

Status check_init(const BindOptions& options) {
  const bool is_araplbs = options.method == BindMethod::araplbs;
  switch (options.init) {
    case BindInit::existing:
      if (is_araplbs && options.constraints == ConstraintSet::soft) return {};
      return Error{ErrorCode::bad_argument, "init",
                   "existing weights are made better by araplbs with soft constraints alone"};
    case BindInit::heat:
    case BindInit::bbw:
    case BindInit::owners:
      if (is_araplbs) return {};
      return Error{ErrorCode::bad_argument, "init",
                   fmt::format("{} is a start for araplbs; {} optimises nothing that could start "
                               "there",
                               to_string(options.init), to_string(options.method))};
    case BindInit::fresh:
      break;
  }
  return {};
}

/// The interior knows no vertices of the mesh, and so nothing that is of vertices.
Status check_domain(const Character& character, const BindOptions& options) {
  if (options.domain != BindDomain::volume) return {};
  const auto refused = [](std::string message) {
    return Error{ErrorCode::bad_argument, "domain", std::move(message)};
  };
  if (strategy_of(options) != BindStrategy::soft)
    return refused("volume is for new weights by araplbs with soft constraints alone");
  if (options.init != BindInit::fresh)
    return refused("volume has a start of its own: no other one can be asked for");
  const bool bends = !options.spines.empty() || options.find_twist_bones ||
                     std::ranges::any_of(character.skeleton.bones(), [](const Bone& bone) {
                       return bone.kind != BoneKind::rigid;
                     });
  if (bends) return refused("bones that bend or twist want the surface");
  if (!options.edits.empty()) return refused("edits are of vertices, and want the surface");
  if (plan_old_weights(options)->are_read())
    return refused("old weights stay vertex by vertex, which wants the surface");
  if (options.mirror == MirrorChoice::x)
    return refused("sides that have to be the same want the surface");
  if (options.links == BindOptions::Links::off)
    return refused("what shares an interior moves together; parts by themselves want the surface");
  return {};
}

}  // namespace

Status check_bones(const Character& character, const BindOptions& options) {
  for (const std::vector<int>& bones :
       {options.deforming.bones, options.deforming.skip, options.lock, options.only})
    for (const int bone : bones)
      if (bone < 0 || bone >= static_cast<int>(character.skeleton.bone_count()))
        return Error{ErrorCode::bad_argument, "bones", fmt::format("there is no bone {}", bone)};
  return {};
}

Status check_options(const Character& character, const BindOptions& options) {
  SINEW_CHECK(check_spine_parameters(character, options));
  if (options.max_influences < 1 ||
      std::any_of(options.further_budgets.begin(), options.further_budgets.end(),
                  [](int budget) { return budget < 1; }))
    return Error{ErrorCode::bad_argument, "max_influences", "a vertex needs at least one bone"};
  SINEW_CHECK(check_bones(character, options));
  SINEW_CHECK(check_init(options));
  SINEW_CHECK(check_domain(character, options));
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

Result<PreparedBind> prepare_bind(const Character& character, std::span<const Vec3> displacements,
                                  const BindOptions& options, std::vector<StageTime>& times,
                                  const Progress& progress) {
  Stopwatch watch;
  SINEW_CHECK(progress.checkpoint("bones", 0));
  DeformingOptions deforming = options.deforming;
  deforming.remnants = plan_old_weights(options)->are_read();
  std::vector<BoneRole> roles = decide_deforming_bones(character, deforming);
  if (std::ranges::none_of(roles, &BoneRole::deforms))
    return Error{ErrorCode::bad_argument, "",
                 "no bone is left to bind to: all are said not to deform"};
  SINEW_CHECK(check_edited_bones(options, roles, character.skeleton));
  EffectiveHierarchy hierarchy = find_effective_hierarchy(character, roles, options.hierarchy);
  const Skeleton with_tails =
      with_row_tails(displacements.empty() ? character.skeleton
                                           : with_joints_moved(character.skeleton, displacements));
  // What is learnt of who owns the skin reads no old weights, and so nothing that comes of them.
  const Skeleton effective = effective_skeleton(with_tails, roles, hierarchy);
  GuessedTails tails = options.init == BindInit::owners
                           ? point_leaf_tails(effective, character.mesh)
                           : guess_leaf_tails(effective, character.mesh, character.weights);
  tails.skeleton = with_rows_alone(tails.skeleton, with_tails, roles, options.deforming);
  watch.lap("bones", times);

  SINEW_CHECK(progress.checkpoint("mesh", 0.1));
  PreparedMesh mesh = prepare_mesh(character.mesh);
  SINEW_TRY(Keeping keeping, find_kept_weights(character, mesh.welded, options));
  SINEW_TRY(std::vector<PlannedEdit> edits,
            edits_that_count(options.edits, mesh, keeping.welded.may_change));
  SINEW_TRY(std::vector<Edge> wires, wires_before_start(edits, mesh));
  if (!wires.empty()) mesh.graph = with_wires(mesh.graph, wires);
  std::optional<Mirror> mirror;
  if (may_mirror(options, keeping.welded))
    mirror = chosen_mirror(mesh, tails.skeleton, options.mirror);
  watch.lap("mesh", times);

  SINEW_CHECK(progress.checkpoint("cells", 0.2));
  BoneSegments segments(tails.skeleton, mesh.frame);
  BoneCells cells = find_bone_cells(mesh, segments);
  watch.lap("cells", times);

  SINEW_CHECK(progress.checkpoint("parts", 0.3));
  std::vector<PartLink> links;
  if (options.links == BindOptions::Links::automatic) {
    SINEW_TRY(links, find_part_links(mesh, segments, cells, {}, progress.within(0.3, 0.4)));
  }
  leave_out_wired(mesh, wires, links);
  watch.lap("parts", times);
  return PreparedBind{{displacements.begin(), displacements.end()},
                      std::move(roles),
                      std::move(hierarchy),
                      std::move(tails.skeleton),
                      std::move(tails.guessed),
                      std::move(mesh),
                      std::move(segments),
                      std::move(cells),
                      std::move(links),
                      std::move(keeping),
                      std::move(edits),
                      std::move(wires),
                      std::move(mirror),
                      {},
                      {}};
}

Skeleton with_rows_alone(const Skeleton& effective, const Skeleton& skeleton,
                         const std::vector<BoneRole>& roles, const DeformingOptions& asked) {
  return effective.with([&](std::vector<Bone>& bones) {
    for (const SpineRow& row : find_spine_rows(skeleton)) {
      const bool carries = std::ranges::any_of(
          row.joints, [&](int joint) { return roles[static_cast<std::size_t>(joint)].deforms; });
      if (carries && std::ranges::find(asked.bones, row.bone) == asked.bones.end())
        bones[static_cast<std::size_t>(row.bone)].deforms = false;
    }
  });
}

Skeleton with_roles(const Skeleton& skeleton, const std::vector<BoneRole>& roles) {
  return skeleton.with([&](std::vector<Bone>& bones) {
    for (std::size_t j = 0; j < bones.size(); ++j) bones[j].deforms = roles[j].deforms;
  });
}

std::optional<Mirror> chosen_mirror(const PreparedMesh& mesh, const Skeleton& skeleton,
                                    MirrorChoice choice) {
  MirrorOptions options;
  options.choice = choice;
  return find_mirror(mesh, skeleton, options);
}

}  // namespace sinew
