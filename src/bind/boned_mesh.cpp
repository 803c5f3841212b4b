// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/boned_mesh.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "bind/prepared_bind.h"
#include "sinew/rig/deforming_bones.h"

namespace sinew {
namespace {

BonedMesh without_bones(const Character& character) {
  PreparedMesh mesh = prepare_mesh(character.mesh);
  Skeleton none = with_roles(
      character.skeleton,
      std::vector<BoneRole>(character.skeleton.bone_count(), BoneRole{false, RoleReason::said}));
  BoneSegments segments(none, mesh.frame);
  return {std::move(mesh), std::move(none), std::move(segments), std::nullopt};
}

}  // namespace

Result<BonedMesh> prepare_boned_mesh(const Character& character, HierarchyChoice hierarchy,
                                     const Progress& progress) {
  if (character.mesh.vertex_count() == 0)
    return Error{ErrorCode::bad_mesh, "", "there is no mesh to fill"};
  BindOptions options;
  options.method = BindMethod::bbw;
  options.hierarchy = hierarchy;
  options.links = BindOptions::Links::off;  // nothing is solved over the surface
  options.mirror = MirrorChoice::off;       // nor on one side alone
  DeformingOptions deforming;
  deforming.remnants = plan_old_weights(options)->are_read();
  if (std::ranges::none_of(decide_deforming_bones(character, deforming), &BoneRole::deforms))
    return without_bones(character);
  std::vector<StageTime> times;
  SINEW_TRY(PreparedBind prepared, prepare_bind(character, {}, options, times, progress));
  return BonedMesh{std::move(prepared.mesh), std::move(prepared.skeleton),
                   std::move(prepared.segments), std::move(prepared.cells)};
}

}  // namespace sinew
