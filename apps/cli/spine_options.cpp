// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spine_options.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "name_lists.h"
#include "sinew/gltf/vertex_mask.h"
#include "sinew/spines/gltf_spine_bones.h"
#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Bones that bend and twist";

constexpr std::string_view kPainted = "painted:";
constexpr std::size_t kListedLimbs = 4;  // arms and forearms, or thighs and shins; --json has all

/// --twist-bones is a word or names: a bone may be called "auto" only beside another name.
bool is_word(const std::vector<std::string>& values, std::string_view word) {
  return values.size() == 1 && values[0] == word;
}

bool is_planned(const SpinePlan& plan, int bone) {
  return std::any_of(plan.requests.begin(), plan.requests.end(),
                     [&](const SpineRequest& request) { return request.bone == bone; });
}

/// Adds a request, if bones can be what all of them ask for.
void add(const Skeleton& skeleton, const char* flag, SpineRequest request, SpinePlan& plan) {
  plan.requests.push_back(std::move(request));
  plan.flags.push_back(flag);
  if (const Result<Skeleton> possible = with_spines(skeleton, plan.requests); !possible.ok())
    throw usage_failure(flag, possible.error().message);
}

bool carries(const LoadedCharacter& loaded, const MeshPart& part, int bone) {
  for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
    for (const Influence& influence : loaded.character.weights.row(v))
      if (influence.bone == static_cast<std::uint32_t>(bone)) return true;
  return false;
}

/// A row takes a bone's place in the meshes that are bound; one that keeps its weights on the bone
/// would stay straight while all that hangs on it moves away.
void refuse_kept_meshes(const LoadedCharacter& loaded, const std::set<int>& meshes,
                        const SpinePlan& plan) {
  for (std::size_t r = 0; r < plan.requests.size(); ++r) {
    const int bone = plan.requests[r].bone;
    if (plan.requests[r].follows != SpineToWrite::Follows::spine) continue;
    for (std::size_t p = 0; p < loaded.sources.size(); ++p)
      if (!meshes.contains(loaded.sources[p].mesh) &&
          carries(loaded, loaded.character.parts[p], bone))
        throw usage_failure(
            plan.flags[r],
            fmt::format("'{}' would tear mesh '{}', which --mesh leaves on the straight bone; "
                        "choose that mesh too, or leave --mesh out",
                        loaded.character.skeleton.bone(bone).name, loaded.character.parts[p].name));
  }
}

std::filesystem::path drivers_path(std::filesystem::path path) {
  return path.replace_extension(".drivers.json");
}

}  // namespace

void SpineOptions::add_to(CLI::App& app) {
  add_list_option(app, "--spine", spines_,
                  "Bend these bones along their length, as a spine or a tail does, named as for "
                  "--bones; each becomes a row of joints; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  add_list_option(app, "--stretch-twist", stretch_twist_,
                  "Twist and stretch these bones along their length, named as for --bones; may be "
                  "repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option("--spine-bones", joints_,
                 fmt::format("Joints of each row, from {} to {}, or auto:TOLERANCE for as few as "
                             "stay within that part of the character's size; also turns bones into "
                             "rows that the file or --rig says are spines [{}]",
                             kFewestSpineJoints, kMostSpineJoints, kUsualSpineJoints))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--spine-parameters", parameters_,
                 "Where on such a bone a vertex sits. linear: where it is nearest; harmonic: "
                 "spread over the surface, for limbs that are curved; painted:ATTRIBUTE: what a "
                 "vertex attribute says, from 0 at the head to 1 at the tail [linear]")
      ->option_text("HOW")
      ->group(kGroup);
  add_list_option(app, "--twist-bones", twist_bones_,
                  "auto: give limbs whose skin collapses when they twist helper joints, so that "
                  "they keep their section; or the bones to give them to; off: none [off]")
      ->option_text("auto|off|NAME,...")
      ->group(kGroup);
  app.add_option(
         "--twist-joints", twist_joints_,
         fmt::format("Helper joints of each limb, from {} to {} [as many as its limits and "
                     "the clips take, and without limits {} for {:g} degrees]",
                     kFewestSpineJoints, kMostSpineJoints,
                     twist_joints_for(TwistOptions{}.lasting_deg), TwistOptions{}.lasting_deg))
      ->check(whole_number(kFewestSpineJoints, kMostSpineJoints))
      ->option_text("N")
      ->group(kGroup);
}

void SpineOptions::set_parameters(Input& input) const {
  if (parameters_.empty()) return;
  const bool is_painted = parameters_.starts_with(kPainted);
  const auto known = spine_parametrisation_from(parameters_);
  if (!is_painted && !known)
    throw usage_failure(
        "--spine-parameters",
        fmt::format("'{}' is not linear, harmonic or painted:ATTRIBUTE", parameters_));
  for (LoadedCharacter& loaded : input.characters) {
    std::vector<Bone> bones = loaded.character.skeleton.bones();
    for (Bone& bone : bones) {
      if (bone.kind == BoneKind::rigid) continue;
      bone.parametrisation = known.value_or(SpineParametrisation::linear);
      bone.painted_attribute = is_painted ? parameters_.substr(kPainted.size()) : std::string();
    }
    loaded.character.skeleton = *Skeleton::create(std::move(bones));  // nothing else has changed
  }
}

SpineJointCount SpineOptions::joint_count() const {
  if (joints_.empty()) return {};
  const Result<SpineJointCount> parsed = parse_spine_joint_count(joints_);
  if (!parsed.ok()) throw usage_failure("--spine-bones", parsed.error().message);
  return *parsed;
}

bool SpineOptions::finds_twist() const { return is_word(twist_bones_, "auto"); }

SpineOptions::Chosen SpineOptions::chosen_bones(const Input& input) const {
  std::vector<const Skeleton*> skeletons;
  for (const LoadedCharacter& loaded : input.characters)
    skeletons.push_back(&loaded.character.skeleton);
  const bool is_named = !twist_bones_.empty() && !finds_twist() && !is_word(twist_bones_, "off");
  if (twist_joints_ && !finds_twist() && !is_named)
    throw usage_failure("--twist-joints", "no limb gets any; --twist-bones says which do");
  return {match_bone_lists("--spine", spines_, skeletons),
          match_bone_lists("--stretch-twist", stretch_twist_, skeletons),
          match_bone_lists("--twist-bones", is_named ? twist_bones_ : std::vector<std::string>{},
                           skeletons)};
}

std::vector<std::optional<double>> SpineOptions::painted_values(
    const Document& document, const LoadedCharacter& loaded) const {
  if (!parameters_.starts_with(kPainted)) return {};
  auto values = read_vertex_values(document, loaded, parameters_.substr(kPainted.size()));
  if (!values.ok())
    throw usage_failure("--spine-parameters",
                        fmt::format("{}: {}", values.error().place, values.error().message));
  return *std::move(values);
}

SpineRequest SpineOptions::row_for(int bone, BoneKind kind) const {
  const SpineJointCount count = joint_count();
  SpineRequest request;
  request.bone = bone;
  request.kind = kind;
  request.joints = count.joints;
  request.tolerance_rel = count.tolerance_rel;
  request.parametrisation =
      spine_parametrisation_from(parameters_).value_or(SpineParametrisation::linear);
  return request;
}

SpineRequest SpineOptions::helpers_for(const Character& character, int bone) const {
  SpineRequest request = row_for(bone, BoneKind::stretch_twist);
  request.follows = SpineToWrite::Follows::twist;
  request.joints = twist_joints_ ? *twist_joints_ : twist_joints_of(character, bone);
  request.tolerance_rel.reset();
  return request;
}

void SpineOptions::add_own(const Input& input, const LoadedCharacter& loaded,
                           SpinePlan& plan) const {
  if (joints_.empty()) return;
  const Skeleton& skeleton = loaded.character.skeleton;
  const std::vector<SpineBone> own = take(input.path, own_spine_bones(input.document, loaded));
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    if (skeleton.bone(bone).kind == BoneKind::rigid || is_planned(plan, bone)) continue;
    SpineRequest request = row_for(bone, skeleton.bone(bone).kind);
    if (const auto known = std::ranges::find(own, bone, &SpineBone::bone); known != own.end())
      request.painted.assign(known->parameters.begin(), known->parameters.end());
    add(skeleton, "--spine-bones", std::move(request), plan);
  }
}

std::vector<SpinePlan> SpineOptions::resolve(const Input& input) const {
  (void)joint_count();  // what is no number is refused even where no bone takes notice of it
  const Chosen chosen = chosen_bones(input);
  std::vector<SpinePlan> plans(input.characters.size());
  for (std::size_t c = 0; c < plans.size(); ++c) {
    const LoadedCharacter& loaded = input.characters[c];
    const Skeleton& skeleton = loaded.character.skeleton;
    SpinePlan& plan = plans[c];
    for (const int bone : chosen.spines[c])
      add(skeleton, "--spine", row_for(bone, BoneKind::spine), plan);
    for (const int bone : chosen.stretch_twist[c])
      add(skeleton, "--stretch-twist", row_for(bone, BoneKind::stretch_twist), plan);
    for (const int bone : chosen.twist[c])
      add(skeleton, "--twist-bones", helpers_for(loaded.character, bone), plan);
    if (!plan.requests.empty()) {  // a character without such bones need not have the attribute
      const std::vector<std::optional<double>> painted = painted_values(input.document, loaded);
      for (SpineRequest& request : plan.requests) request.painted = painted;
    }
    add_own(input, loaded, plan);
  }
  return plans;
}

void SpineOptions::apply(const Input& input, const std::set<int>& meshes,
                         std::span<BindOptions> options) const {
  std::vector<SpinePlan> plans = resolve(input);
  for (std::size_t c = 0; c < plans.size(); ++c) {
    refuse_kept_meshes(input.characters[c], meshes, plans[c]);
    options[c].spines = std::move(plans[c].requests);
    options[c].find_twist_bones = finds_twist();
    options[c].twist_joints = twist_joints_;
    options[c].own_spines = take(input.path, own_spine_bones(input.document, input.characters[c]));
  }
}

void SpineOptions::tell_ignored(std::span<const BindOptions> options, Notices& notices) const {
  bool has_rows = false, has_parameters = false;
  for (const BindOptions& each : options) {
    has_parameters = has_parameters || !each.spines.empty() || !each.own_spines.empty();
    for (const SpineRequest& request : each.spines)
      has_rows = has_rows || request.follows == SpineToWrite::Follows::spine;
  }
  std::string flags;
  if (!joints_.empty() && !has_rows) flags = "--spine-bones";
  if (!parameters_.empty() && !has_parameters)
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
  std::vector<Bone> bones = skeleton.bones();
  for (const SpineReport& spine : made.converted.spines) {
    Bone& bone = bones[static_cast<std::size_t>(spine.bone)];
    bone.kind = BoneKind::rigid;
    bone.parametrisation = SpineParametrisation::linear;
    bone.painted_attribute.clear();
  }
  return *Skeleton::create(std::move(bones));  // places and parents are what they were
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

void print_spines(Session& session, const MadeSpines& made, const std::filesystem::path& output) {
  const char* label = "spines";
  for (const std::string& line : in_words(made.converted)) {
    session.print_row(label, line);
    label = "";
  }
  if (!made.converted.drivers.empty())
    session.print_row(
        "drivers",
        fmt::format("{} helper joints follow their limbs in later clips too, by "
                    "VRMC_node_constraint in the file and by {} beside it",
                    made.converted.drivers.size(), drivers_path(output).filename().string()));
}

void print_twist(Session& session, const MadeSpines& made, const Skeleton& skeleton) {
  std::vector<std::string> helped, others;
  for (const TwistLimb& limb : made.limbs)
    (limb.collapses ? helped : others)
        .push_back(fmt::format("{} {}", skeleton.bone(limb.bone).name, limb.reason));
  const char* label = "twist";
  for (const std::string& line : helped) {
    session.print_row(label, line);
    label = "";
  }
  if (!helped.empty()) return;
  session.print_row(
      label,
      others.empty()
          ? std::string("no helper joints: no bone has exactly one below it that deforms")
          : fmt::format("no helper joints, of {} looked at: {}",
                        counted(others.size(), "limb", "limbs"), listed(others, kListedLimbs)));
}

Json spines_json(const MadeSpines& made, const Skeleton& before) {
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

std::optional<StagedDrivers> stage_drivers(const std::filesystem::path& path,
                                           std::span<const TwistDriver> drivers) {
  if (drivers.empty()) return std::nullopt;
  const std::filesystem::path beside = drivers_path(path);
  const std::string text = twist_drivers_json(drivers).dump(2) + "\n";
  StagedDrivers staged{beside, take(beside, AtomicFile::create(beside))};
  take(beside, staged.file.write(std::as_bytes(std::span(text.data(), text.size()))));
  return staged;
}

}  // namespace sinew::cli
