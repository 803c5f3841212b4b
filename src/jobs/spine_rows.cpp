// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/spine_rows.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "jobs/bone_lists.h"
#include "sinew/gltf/vertex_mask.h"
#include "sinew/spines/gltf_spine_bones.h"

namespace sinew {
namespace {

constexpr std::string_view kPainted = "painted:";

/// What of a character bends or twists; helpers that only weights can tell of come later.
struct SpinePlan {
  std::vector<SpineRequest> requests;
  std::vector<const char*> options;  // that asked for each
};

bool is_planned(const SpinePlan& plan, int bone) {
  return std::ranges::any_of(plan.requests,
                             [&](const SpineRequest& request) { return request.bone == bone; });
}

/// Adds a request, if bones can be what all of them ask for.
JobStatus add(const Skeleton& skeleton, const char* option, SpineRequest request, SpinePlan& plan) {
  plan.requests.push_back(std::move(request));
  plan.options.push_back(option);
  if (const Result<Skeleton> possible = with_spines(skeleton, plan.requests); !possible.ok())
    return error_of_option(option, possible.error().message);
  return {};
}

bool carries(const LoadedCharacter& loaded, const MeshPart& part, int bone) {
  for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
    for (const Influence& influence : loaded.character.weights.row(v))
      if (influence.bone == static_cast<std::uint32_t>(bone)) return true;
  return false;
}

/// A row takes a bone's place in the meshes that are bound; one that keeps its weights on the bone
/// would stay straight while all that hangs on it moves away.
JobStatus refuse_kept_meshes(const LoadedCharacter& loaded, const std::set<int>& meshes,
                             const SpinePlan& plan) {
  for (std::size_t r = 0; r < plan.requests.size(); ++r) {
    const int bone = plan.requests[r].bone;
    if (plan.requests[r].follows != SpineToWrite::Follows::spine) continue;
    for (std::size_t p = 0; p < loaded.sources.size(); ++p)
      if (!meshes.contains(loaded.sources[p].mesh) &&
          carries(loaded, loaded.character.parts[p], bone))
        return error_of_option(
            plan.options[r],
            fmt::format("'{}' would tear mesh '{}', which --mesh leaves on the straight bone; "
                        "choose that mesh too, or leave --mesh out",
                        loaded.character.skeleton.bone(bone).name, loaded.character.parts[p].name));
  }
  return {};
}

/// Bones per character.
struct ChosenBones {
  std::vector<std::vector<int>> spines, stretch_twist, twist;
};

JobResult<ChosenBones> chosen_bones(const SpineOptions& options, const LoadedInput& input) {
  if (options.twist_joints && options.twist == SpineOptions::Twist::off)
    return error_of_option("twist_joints", "no limb gets any; --twist-bones says which do");
  const std::vector<LoadedCharacter>& characters = input.characters;
  const bool is_named = options.twist == SpineOptions::Twist::named;
  ChosenBones chosen;
  SINEW_TRY(chosen.spines, match_bone_lists("spine", options.spines, characters));
  SINEW_TRY(chosen.stretch_twist,
            match_bone_lists("stretch_twist", options.stretch_twist, characters));
  SINEW_TRY(chosen.twist, match_bone_lists("twist_bones",
                                           is_named ? std::span(options.twist_bones)
                                                    : std::span<const std::string>(),
                                           characters));
  return chosen;
}

JobResult<std::vector<std::optional<double>>> painted_values(const SpineOptions& options,
                                                             const Document& document,
                                                             const LoadedCharacter& loaded) {
  if (!options.parameters.starts_with(kPainted)) return std::vector<std::optional<double>>();
  auto values = read_vertex_values(document, loaded, options.parameters.substr(kPainted.size()));
  if (!values.ok())
    return error_of_option("spine_parameters",
                           fmt::format("{}: {}", values.error().place, values.error().message));
  return *std::move(values);
}

SpineRequest row_for(const SpineOptions& options, int bone, BoneKind kind) {
  const SpineJointCount count = options.row_joints.value_or(SpineJointCount{});
  SpineRequest request;
  request.bone = bone;
  request.kind = kind;
  request.joints = count.joints;
  request.tolerance_rel = count.tolerance_rel;
  request.parametrisation =
      spine_parametrisation_from(options.parameters).value_or(SpineParametrisation::linear);
  return request;
}

SpineRequest helpers_for(const SpineOptions& options, const Character& character, int bone) {
  SpineRequest request = row_for(options, bone, BoneKind::stretch_twist);
  request.follows = SpineToWrite::Follows::twist;
  request.joints = options.twist_joints ? *options.twist_joints : twist_joints_of(character, bone);
  request.tolerance_rel.reset();
  return request;
}

/// Where rows are asked for, those that the file or its rig says are spines become rows too.
JobStatus add_own(const SpineOptions& options, const LoadedInput& input,
                  const LoadedCharacter& loaded, SpinePlan& plan) {
  if (!options.row_joints) return {};
  const Skeleton& skeleton = loaded.character.skeleton;
  SINEW_TRY(const std::vector<SpineBone> own,
            in_file(input.path, own_spine_bones(input.document, loaded)));
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    if (skeleton.bone(bone).kind == BoneKind::rigid || is_planned(plan, bone)) continue;
    SpineRequest request = row_for(options, bone, skeleton.bone(bone).kind);
    if (const auto known = std::ranges::find(own, bone, &SpineBone::bone); known != own.end())
      request.painted.assign(known->parameters.begin(), known->parameters.end());
    SINEW_CHECK(add(skeleton, "spine_bones", std::move(request), plan));
  }
  return {};
}

JobResult<SpinePlan> plan_character(const SpineOptions& options, const LoadedInput& input,
                                    std::size_t c, const ChosenBones& chosen) {
  const LoadedCharacter& loaded = input.characters[c];
  const Skeleton& skeleton = loaded.character.skeleton;
  SpinePlan plan;
  for (const int bone : chosen.spines[c])
    SINEW_CHECK(add(skeleton, "spine", row_for(options, bone, BoneKind::spine), plan));
  for (const int bone : chosen.stretch_twist[c])
    SINEW_CHECK(
        add(skeleton, "stretch_twist", row_for(options, bone, BoneKind::stretch_twist), plan));
  for (const int bone : chosen.twist[c])
    SINEW_CHECK(add(skeleton, "twist_bones", helpers_for(options, loaded.character, bone), plan));
  if (!plan.requests.empty()) {  // a character without such bones need not have the attribute
    SINEW_TRY(const auto painted, painted_values(options, input.document, loaded));
    for (SpineRequest& request : plan.requests) request.painted = painted;
  }
  SINEW_CHECK(add_own(options, input, loaded, plan));
  return plan;
}

}  // namespace

JobStatus set_spine_parameters(const SpineOptions& spines, LoadedInput& input) {
  const std::string& parameters = spines.parameters;
  if (parameters.empty()) return {};
  const bool is_painted = parameters.starts_with(kPainted);
  const auto known = spine_parametrisation_from(parameters);
  if (!is_painted && !known)
    return error_of_option(
        "spine_parameters",
        fmt::format("'{}' is not linear, harmonic or painted:ATTRIBUTE", parameters));
  for (LoadedCharacter& loaded : input.characters) {
    Skeleton& skeleton = loaded.character.skeleton;
    skeleton = skeleton.with([&](std::vector<Bone>& bones) {
      for (Bone& bone : bones) {
        if (bone.kind == BoneKind::rigid) continue;
        bone.parametrisation = known.value_or(SpineParametrisation::linear);
        bone.painted_attribute = is_painted ? parameters.substr(kPainted.size()) : std::string();
      }
    });
  }
  return {};
}

JobStatus plan_spines(const SpineOptions& spines, const LoadedInput& input,
                      const std::set<int>& meshes, std::span<BindOptions> options) {
  SINEW_TRY(const ChosenBones chosen, chosen_bones(spines, input));
  std::vector<SpinePlan> plans;
  for (std::size_t c = 0; c < input.characters.size(); ++c) {
    SINEW_TRY(SpinePlan plan, plan_character(spines, input, c, chosen));
    plans.push_back(std::move(plan));
  }
  for (std::size_t c = 0; c < plans.size(); ++c) {
    SINEW_CHECK(refuse_kept_meshes(input.characters[c], meshes, plans[c]));
    options[c].spines = std::move(plans[c].requests);
    options[c].find_twist_bones = spines.twist == SpineOptions::Twist::automatic;
    options[c].twist_joints = spines.twist_joints;
    SINEW_TRY(options[c].own_spines,
              in_file(input.path, own_spine_bones(input.document, input.characters[c])));
  }
  return {};
}

void tell_ignored_spine_options(const SpineOptions& spines, std::span<const BindOptions> options,
                                Notices& notices) {
  bool has_rows = false, has_parameters = false;
  for (const BindOptions& each : options) {
    has_parameters = has_parameters || !each.spines.empty() || !each.own_spines.empty();
    for (const SpineRequest& request : each.spines)
      has_rows = has_rows || request.follows == SpineToWrite::Follows::spine;
  }
  std::string flags;
  if (spines.row_joints && !has_rows) flags = "--spine-bones";
  if (!spines.parameters.empty() && !has_parameters)
    flags += (flags.empty() ? "" : ", ") + std::string("--spine-parameters");
  if (flags.empty()) return;
  notices.push_back({Notice::Level::warning, "ignored_options", "",
                     fmt::format("no bone bends, and nothing takes notice of {}; --spine says "
                                 "which bones do",
                                 flags)});
}

Result<MadeSpines> make_spine_joints(Document& document, const LoadedCharacter& loaded,
                                     const SkinWeights& weights, const Bound& bound,
                                     int max_influences) {
  MadeSpines made;
  made.limbs = bound.limbs;
  const std::vector<SpineRequest>& requests = bound.spines;
  if (requests.empty()) return made;
  SINEW_TRY(const Skeleton skeleton, with_spines(loaded.character.skeleton, requests));
  SINEW_TRY(const std::vector<SpineBone> bones,
            spine_bones_of(loaded.character.mesh, skeleton, requests));
  const std::vector<PosedBones> poses = spine_poses(loaded.character, skeleton, requests);
  SINEW_TRY(made.converted,
            convert_spines(document, loaded, weights, requests, bones, poses, max_influences));
  return made;
}

Skeleton without_spines(const Skeleton& skeleton, const MadeSpines& made) {
  return skeleton.with([&](std::vector<Bone>& bones) {
    for (const SpineReport& spine : made.converted.spines) {
      Bone& bone = bones[static_cast<std::size_t>(spine.bone)];
      bone.kind = BoneKind::rigid;
      bone.parametrisation = SpineParametrisation::linear;
      bone.painted_attribute.clear();
    }
  });
}

KnownBones known_bones(const Skeleton& reread, const Bound& bound) {
  std::map<int, int> old_of_node;
  for (int bone = 0; bone < static_cast<int>(bound.skeleton.bone_count()); ++bone)
    old_of_node[bound.skeleton.bone(bone).source_node] = bone;
  std::map<int, int> new_of_old;
  std::vector<int> old_of_new;
  for (int bone = 0; bone < static_cast<int>(reread.bone_count()); ++bone) {
    const auto found = old_of_node.find(reread.bone(bone).source_node);
    old_of_new.push_back(found == old_of_node.end() ? -1 : found->second);
    if (old_of_new.back() >= 0) new_of_old[old_of_new.back()] = bone;
  }
  KnownBones known;
  for (int bone = 0; bone < static_cast<int>(reread.bone_count()); ++bone) {
    const int old = old_of_new[static_cast<std::size_t>(bone)];
    if (old < 0) {
      known.roles.push_back({true, RoleReason::has_weights});
      known.hierarchy.parent.push_back(reread.bone(bone).parent);
      continue;
    }
    known.roles.push_back(bound.report.roles[static_cast<std::size_t>(old)]);
    const int parent = bound.report.hierarchy.parent[static_cast<std::size_t>(old)];
    const auto found = new_of_old.find(parent);
    known.hierarchy.parent.push_back(found == new_of_old.end() ? -1 : found->second);
  }
  return known;
}

std::filesystem::path drivers_path(std::filesystem::path document) {
  return document.replace_extension(".drivers.json");
}

Json to_json(const MadeSpines& made, const Skeleton& before) {
  Json json = {{"rows", Json::array()}, {"twist", Json::array()}};
  const Skeleton& skeleton = made.converted.loaded.character.skeleton;
  for (const SpineReport& spine : made.converted.spines) {
    Json row = {{"bone", skeleton.bone(spine.bone).name},
                {"kind", to_string(spine.kind)},
                {"joints", spine.joints},
                {"deviation", spine.deviation_rel},
                {"within_tolerance", spine.within_tolerance},
                {"stretch_by", to_string(spine.stretch)},
                {"clips", spine.written.clips},
                {"keys", spine.written.keys},
                {"moved_nodes", spine.written.moved_nodes}};
    if (spine.other_deviation_rel) row["other_stretch_deviation"] = *spine.other_deviation_rel;
    json["rows"].push_back(std::move(row));
  }
  if (made.any())
    json["cap"] = {{"way", made.converted.cap.way == CapReport::Way::none      ? "none"
                           : made.converted.cap.way == CapReport::Way::lowered ? "lowered"
                                                                               : "dropped"},
                   {"vertices", made.converted.cap.vertices},
                   {"deviation", made.converted.cap.deviation_rel},
                   {"other_deviation", made.converted.cap.other_deviation_rel}};
  for (const TwistLimb& limb : made.limbs)
    json["twist"].push_back({{"bone", limb.bone},
                             {"name", before.bone(limb.bone).name},
                             {"smallest_section", limb.smallest_section},
                             {"elongation", limb.elongation},
                             {"clip_twist_deg", limb.clip_twist_deg},
                             {"lasting_deg", limb.lasting_deg},
                             {"helped", limb.collapses},
                             {"reason", limb.reason}});
  return json;
}

}  // namespace sinew
