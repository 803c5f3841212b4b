// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/inspect_job.h"

#include <algorithm>

#include <fmt/format.h>

#include "jobs/finest_character.h"
#include "jobs/interior_options.h"
#include "sinew/formats/pose_file.h"
#include "sinew/model/bone_names.h"
#include "sinew/report/inspection_json.h"
#include "sinew/spines/gltf_spine_bones.h"

namespace sinew {
namespace {

using Originals = std::vector<LoadedCharacter>;

JobResult<Originals> load_originals(const JobInput& input, const InspectJobOptions& options,
                                    const Progress& progress) {
  if (options.original.empty()) return Originals();
  JobInput original;
  original.file = options.original;
  original.bind_pose = input.bind_pose;
  SINEW_TRY(LoadedInput loaded, load_input(original, progress));
  return std::move(loaded.characters);
}

/// Judging on joints that the character does not have would tell nothing of it.
JobResult<const Character*> related(const LoadedCharacter& loaded,
                                    const LoadedCharacter& original) {
  const std::vector<Bone>& bones = loaded.character.skeleton.bones();
  const std::vector<Bone>& there = original.character.skeleton.bones();
  const bool is_related = bones.empty() || std::ranges::any_of(bones, [&](const Bone& bone) {
                            return std::ranges::find(there, bone.name, &Bone::name) != there.end();
                          });
  if (is_related) return &original.character;
  return error_of_option(
      "original", fmt::format("none of its {} {} is a joint of '{}': it is another character",
                              fmt::group_digits(there.size()),
                              there.size() == 1 ? "joint" : "joints", loaded.character.name));
}

/// Of several, the one of the same name; null where there are none.
JobResult<const Character*> original_of(const LoadedCharacter& loaded, const Originals& originals) {
  if (originals.size() == 1) return related(loaded, originals.front());
  for (const LoadedCharacter& original : originals)
    if (original.character.name == loaded.character.name) return related(loaded, original);
  return error_of_option("original",
                         fmt::format("it has no character '{}'", loaded.character.name));
}

/// The poses of a file as the character takes them, spines bent.
JobResult<std::vector<SampledPose>> read_poses_of(const std::filesystem::path& path,
                                                  const LoadedCharacter& loaded, Notices& notices) {
  const Skeleton& skeleton = loaded.character.skeleton;
  SINEW_TRY(const std::vector<NamedPose> named, in_file(path, read_poses(path, skeleton, notices)));
  std::vector<SampledPose> poses;
  for (const NamedPose& each : named) {
    PosedBones posed = pose_bones(skeleton, each.pose);
    poses.push_back({std::move(posed.transforms), std::move(posed.spines)});
  }
  return poses;
}

JobResult<std::vector<JointPlan>> plan_advice(const InspectJobOptions& options,
                                              const LoadedInput& input) {
  if (!options.joints) return std::vector<JointPlan>();
  BindOptions bind = options.joints->bind;
  bind.exemplars.seed = bind.solver.seed = options.seed;
  return plan_joints(options.joints->fitting, input,
                     std::vector<BindOptions>(input.characters.size(), bind));
}

JobResult<InspectedCharacter> inspect_one(const LoadedInput& input, const LoadedCharacter& loaded,
                                          const Originals& originals,
                                          const InspectJobOptions& options,
                                          const Progress& progress) {
  InspectOptions inspecting{options.judging};
  if (!options.original.empty()) {
    SINEW_TRY(inspecting.original, original_of(loaded, originals));
  }
  inspecting.judging.seed = options.seed;
  Notices about_poses;
  if (!options.compare_in.empty()) {
    SINEW_TRY(inspecting.compare_in, read_poses_of(options.compare_in, loaded, about_poses));
  }
  SINEW_TRY(inspecting.judging.spines,
            in_file(input.path, own_spine_bones(input.document, loaded)));
  InspectedCharacter inspected;
  if (!options.bones.empty()) {
    SINEW_TRY(inspected.listed_bones,
              of_option("bones", match_bones(loaded.character.skeleton, options.bones)));
  }
  SINEW_TRY(inspected.inspection,
            in_file(input.path, inspect_character(loaded, inspecting, progress)));
  inspected.inspection.notices.insert(inspected.inspection.notices.end(), about_poses.begin(),
                                      about_poses.end());
  for (const FileNotices& about_file : input.notices)
    inspected.inspection.file_warnings += count_warnings(about_file.notices);
  return inspected;
}

JobResult<std::optional<InteriorInspection>> look_inside(const LoadedInput& input, std::size_t c,
                                                         const InspectJobOptions& options,
                                                         const Progress& progress) {
  if (!options.interior || input.characters[c].character.mesh.vertex_count() == 0)
    return std::optional<InteriorInspection>();
  SINEW_TRY(InteriorInspection interior,
            of_interior(input.path, inspect_interior(finest_character(input, c), *options.interior,
                                                     options.judging.hierarchy, progress)));
  return std::optional(std::move(interior));
}

}  // namespace

JobResult<InspectJobResult> run_inspect_job(const JobInput& input, const InspectJobOptions& options,
                                            const Progress& progress) {
  SINEW_CHECK(check_figures(options.require));
  if (!options.compare_in.empty() && options.original.empty())
    return error_of_option("compare_in", "means nothing without an original to compare with");
  InspectJobResult result;
  SINEW_TRY(result.input, load_input(input, progress));
  SINEW_TRY(const std::vector<JointPlan> plans, plan_advice(options, result.input));
  SINEW_TRY(const Originals originals, load_originals(input, options, progress));
  std::vector<GatedCharacter> gated;
  result.is_interior_asked = options.interior.has_value();
  for (std::size_t c = 0; c < result.input.characters.size(); ++c) {
    SINEW_TRY(InspectedCharacter inspected,
              inspect_one(result.input, result.input.characters[c], originals, options, progress));
    SINEW_TRY(inspected.interior, look_inside(result.input, c, options, progress));
    gated.push_back({inspected.inspection.name, figures(inspected.inspection)});
    result.characters.push_back(std::move(inspected));
  }
  for (std::size_t c = 0; c < plans.size(); ++c) {
    SINEW_TRY(JointFit fit,
              fit_joints_to_parts(result.input, c, plans[c],
                                  parts_to_fit(result.input, c, FitLevels::finest), {}, progress));
    result.joint_fits.push_back(std::move(fit));
  }
  result.gates = check_gates(options.require, gated);
  return result;
}

Json to_json(const InspectJobResult& result) {
  const std::string path = result.input.path.string();
  Json report = {{"input", path}, {"format", result.input.format}};
  Json& characters = report["characters"] = Json::array();
  for (const InspectedCharacter& each : result.characters) {
    Json character = to_json(each.inspection, each.listed_bones);
    character["notices"] = Json::array();
    for (const Notice& notice : each.inspection.notices)
      character["notices"].push_back(to_json(path, notice));
    characters.push_back(std::move(character));
  }
  for (std::size_t c = 0; result.is_interior_asked && c < result.characters.size(); ++c) {
    const std::optional<InteriorInspection>& interior = result.characters[c].interior;
    characters[c]["interior"] =
        interior ? to_json(*interior, result.input.characters[c].character.skeleton) : Json();
  }
  for (std::size_t c = 0; c < result.joint_fits.size(); ++c)
    characters[c]["joint_fit"] = to_json(result.joint_fits[c]);
  report["notices"] = to_json(result.input.notices);
  if (!result.gates.empty()) report["gates"] = to_json(result.gates);
  return report;
}

}  // namespace sinew
