// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/spine_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "bind/kept_weights.h"
#include "sinew/model/joint_displacements.h"

namespace sinew {
namespace {

bool is_among(const std::vector<SpineRequest>& requests, int bone) {
  return std::ranges::any_of(requests,
                             [&](const SpineRequest& request) { return request.bone == bone; });
}

std::vector<std::optional<double>> of_first_copies(
    const WeldedMesh& welded, const std::vector<std::optional<double>>& values) {
  if (values.empty()) return {};
  std::vector<std::optional<double>> of_place;
  for (std::size_t place = 0; place + 1 < welded.copies_begin.size(); ++place)
    of_place.push_back(values[welded.copies[welded.copies_begin[place]]]);
  return of_place;
}

}  // namespace

Status check_spine_parameters(const Character& character, const BindOptions& options) {
  const std::size_t vertices = character.mesh.vertex_count();
  for (std::size_t s = 0; s < options.spines.size(); ++s)
    if (!options.spines[s].painted.empty() && options.spines[s].painted.size() != vertices)
      return Error{ErrorCode::bad_argument, fmt::format("spines[{}].painted", s),
                   "needs an entry per vertex"};
  for (std::size_t s = 0; s < options.own_spines.size(); ++s)
    if (options.own_spines[s].parameters.size() != vertices)
      return Error{ErrorCode::bad_argument, fmt::format("own_spines[{}].parameters", s),
                   "needs an entry per vertex"};
  return {};
}

Result<SpineStage> find_spines(const Character& character, std::span<const Vec3> displacements,
                               const PreparedMesh& prepared, const std::vector<BoneRole>& roles,
                               const SkinWeights& first, const BindOptions& options) {
  SINEW_CHECK(check_spine_parameters(character, options));
  const std::vector<bool> is_locked = locked_bones(roles.size(), options);
  SpineStage stage;
  stage.asked = options.spines;
  for (const SpineRequest& request : stage.asked)
    if (request.bone >= 0 && request.bone < static_cast<int>(roles.size()) &&
        !roles[static_cast<std::size_t>(request.bone)].deforms)
      return Error{ErrorCode::bad_argument, fmt::format("bones[{}]", request.bone),
                   fmt::format("'{}' does not deform, and cannot bend what it does not carry",
                               character.skeleton.bone(request.bone).name)};
  if (options.find_twist_bones) {
    stage.limbs = find_twist_limbs(character, roles, spread_to_copies(prepared.welded, first));
    for (TwistLimb& limb : stage.limbs) {
      if (!limb.collapses || !is_locked[static_cast<std::size_t>(limb.bone)]) continue;
      limb.collapses = false;
      limb.reason = "keeps its weights, which helpers would share";
    }
    for (const SpineRequest& request : twist_requests(stage.limbs, options.twist_joints))
      if (!is_among(stage.asked, request.bone)) stage.asked.push_back(request);
  }
  std::vector<SpineRequest> all = stage.asked;
  for (int bone = 0; bone < static_cast<int>(character.skeleton.bone_count()); ++bone) {
    SpineRequest own;
    own.bone = bone;
    own.kind = character.skeleton.bone(bone).kind;
    own.parametrisation = character.skeleton.bone(bone).parametrisation;
    if (const auto known = std::ranges::find(options.own_spines, bone, &SpineBone::bone);
        known != options.own_spines.end())
      own.painted.assign(known->parameters.begin(), known->parameters.end());
    if (own.kind != BoneKind::rigid && !is_among(all, bone)) all.push_back(own);
  }
  std::erase_if(all, [&](const SpineRequest& request) {
    return request.bone >= 0 && request.bone < static_cast<int>(roles.size()) &&
           !roles[static_cast<std::size_t>(request.bone)].deforms;
  });
  if (all.empty()) return stage;
  for (SpineRequest& request : all)
    request.painted = of_first_copies(prepared.welded, request.painted);
  SINEW_TRY(Skeleton skeleton, with_spines(character.skeleton, all));
  SINEW_TRY(
      stage.bones,
      spine_bones_of(prepared.welded.mesh,
                     displacements.empty() ? skeleton : with_joints_moved(skeleton, displacements),
                     all));
  for (SpineBone& bone : stage.bones)
    bone.gradients = parameter_gradients(bone.rest, prepared.welded.mesh.positions(),
                                         prepared.graph, bone.parameters);
  stage.bending = character;
  stage.bending->skeleton = std::move(skeleton);
  return stage;
}

}  // namespace sinew
