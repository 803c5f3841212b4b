// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spine_options.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "name_lists.h"
#include "sinew/io/spine_bones.h"
#include "sinew/io/vertex_mask.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Bones that bend and twist";

constexpr std::string_view kPainted = "painted:";

/// --twist-bones is a word or names: a bone may be called "auto" only beside another name.
bool is_word(const std::vector<std::string>& values, std::string_view word) {
  return values.size() == 1 && values[0] == word;
}

bool is_planned(const SpinePlan& plan, int bone) {
  return std::any_of(plan.requests.begin(), plan.requests.end(),
                     [&](const SpineRequest& request) { return request.bone == bone; });
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

std::vector<SpinePlan> SpineOptions::resolve(const Input& input) const {
  std::vector<const Skeleton*> skeletons;
  for (const LoadedCharacter& loaded : input.characters)
    skeletons.push_back(&loaded.character.skeleton);
  SpineJointCount count;
  if (!joints_.empty()) {
    const Result<SpineJointCount> parsed = parse_spine_joint_count(joints_);
    if (!parsed.ok()) throw usage_failure("--spine-bones", parsed.error().message);
    count = *parsed;
  }
  const bool is_painted = parameters_.starts_with(kPainted);
  const bool is_auto = is_word(twist_bones_, "auto");
  const bool is_named = !twist_bones_.empty() && !is_auto && !is_word(twist_bones_, "off");
  const auto spines = match_bone_lists("--spine", spines_, skeletons);
  const auto stretch_twist = match_bone_lists("--stretch-twist", stretch_twist_, skeletons);
  const auto twist = match_bone_lists(
      "--twist-bones", is_named ? twist_bones_ : std::vector<std::string>{}, skeletons);

  if (twist_joints_ && !is_auto && !is_named)
    throw usage_failure("--twist-joints", "no limb gets any; --twist-bones says which do");

  std::vector<SpinePlan> plans(skeletons.size());
  for (std::size_t c = 0; c < skeletons.size(); ++c) {
    SpinePlan& plan = plans[c];
    std::vector<std::optional<double>> painted;
    if (is_painted) {
      const auto values = read_vertex_values(input.document, input.characters[c],
                                             parameters_.substr(kPainted.size()));
      if (!values.ok())
        throw usage_failure("--spine-parameters",
                            fmt::format("{}: {}", values.error().place, values.error().message));
      painted = *values;
    }
    plan.finds_twist = is_auto;
    plan.twist_joints = twist_joints_;
    const auto add = [&](const char* flag, int bone, BoneKind kind, SpineToWrite::Follows follows) {
      SpineRequest request;
      request.bone = bone;
      request.kind = kind;
      request.follows = follows;
      request.parametrisation =
          spine_parametrisation_from(parameters_).value_or(SpineParametrisation::linear);
      request.painted = painted;
      request.joints = count.joints;
      request.tolerance_rel = count.tolerance_rel;
      if (follows == SpineToWrite::Follows::twist) {
        request.joints =
            twist_joints_ ? *twist_joints_ : twist_joints_of(input.characters[c].character, bone);
        request.tolerance_rel.reset();
      }
      plan.requests.push_back(request);
      if (const Result<Skeleton> possible = with_spines(*skeletons[c], plan.requests);
          !possible.ok())
        throw usage_failure(flag, possible.error().message);
    };
    for (const int bone : spines[c])
      add("--spine", bone, BoneKind::spine, SpineToWrite::Follows::spine);
    for (const int bone : stretch_twist[c])
      add("--stretch-twist", bone, BoneKind::stretch_twist, SpineToWrite::Follows::spine);
    for (const int bone : twist[c])
      add("--twist-bones", bone, BoneKind::stretch_twist, SpineToWrite::Follows::twist);
    if (joints_.empty()) continue;
    const std::vector<SpineBone> own =
        take(input.path, own_spine_bones(input.document, input.characters[c]));
    for (int bone = 0; bone < static_cast<int>(skeletons[c]->bone_count()); ++bone)
      if (const BoneKind kind = skeletons[c]->bone(bone).kind;
          kind != BoneKind::rigid && !is_planned(plan, bone)) {
        add("--spine-bones", bone, kind, SpineToWrite::Follows::spine);
        if (const auto known = std::ranges::find(own, bone, &SpineBone::bone); known != own.end())
          plan.requests.back().painted.assign(known->parameters.begin(), known->parameters.end());
      }
  }
  return plans;
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

void print_spines(Session& session, const MadeSpines& made) {
  const char* label = "spines";
  for (const std::string& line : in_words(made.converted)) {
    session.print_row(label, line);
    label = "";
  }
  label = "twist";
  for (const TwistLimb& limb : made.limbs) {
    if (!limb.collapses) continue;
    session.print_row(
        label, fmt::format("{} {}", made.converted.loaded.character.skeleton.bone(limb.bone).name,
                           limb.reason));
    label = "";
  }
  if (!made.converted.drivers.empty())
    session.print_row("drivers",
                      fmt::format("{} helper joints follow their limbs in later clips too, by "
                                  "VRMC_node_constraint and NAME.drivers.json",
                                  made.converted.drivers.size()));
}

Json spines_json(const MadeSpines& made) {
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
  std::filesystem::path beside = path;
  beside.replace_extension(".drivers.json");
  const std::string text = twist_drivers_json(drivers).dump(2) + "\n";
  StagedDrivers staged{beside, take(beside, AtomicFile::create(beside))};
  take(beside, staged.file.write(std::as_bytes(std::span(text.data(), text.size()))));
  return staged;
}

}  // namespace sinew::cli
