// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/fit_joints_job.h"

#include <algorithm>

#include "sinew/gltf/selection.h"

namespace sinew {
namespace {

bool shows_any(const LoadedCharacter& loaded, const std::vector<int>& meshes) {
  if (meshes.empty()) return true;
  return std::ranges::any_of(loaded.sources, [&](const PartSource& source) {
    return std::ranges::find(meshes, source.mesh) != meshes.end();
  });
}

JobResult<std::optional<WeightQuality>> judged(const LoadedInput& input, std::size_t c,
                                               const JointFit& fit, const JudgeOptions& judging,
                                               const Progress& progress) {
  const Character& character = input.characters[c].character;
  if (judging.poses == 0 || character.weights.influence_count() == 0)
    return std::optional<WeightQuality>();
  const BindReport& report = fit.fitted.bound.report;
  const WeightJudge judge(character, report.roles, report.hierarchy, judging);
  SINEW_TRY(WeightQuality quality,
            in_file(input.path, judge.judge(character.weights, nullptr, progress)));
  return std::optional(std::move(quality));
}

}  // namespace

JobResult<FitJointsJobResult> run_fit_joints_job(const JobInput& input,
                                                 const FitJointsJobOptions& options,
                                                 const Progress& progress) {
  const std::filesystem::path& path = options.output.path;
  if (!path.empty()) SINEW_CHECK(check_output_path(path));
  FitJointsJobResult result;
  LoadedInput& loaded = result.input;
  SINEW_TRY(loaded, load_all_meshes(input, progress));
  if (!path.empty())
    SINEW_CHECK(refuse_overwriting(loaded.document, path, options.output, loaded.files));
  SINEW_CHECK(require_skeletons(loaded));
  SINEW_CHECK(store_bind_pose(loaded));
  std::vector<int> meshes;
  if (!input.meshes.empty()) {
    SINEW_TRY(meshes, of_option("mesh", match_meshes(loaded.document, input.meshes)));
  }
  JudgeOptions judging = options.judging;
  judging.seed = options.seed;
  BindOptions bind = options.bind;
  bind.exemplars.seed = bind.solver.seed = options.seed;
  SINEW_TRY(const std::vector<JointPlan> plans,
            plan_joints(options.fitting, loaded,
                        std::vector<BindOptions>(loaded.characters.size(), bind)));
  result.mirror = bind.mirror;
  result.notices = all_notices(loaded);
  for (std::size_t c = 0; c < plans.size(); ++c) {
    if (!shows_any(loaded.characters[c], meshes)) continue;
    FittedCharacter fitted;
    fitted.name = loaded.characters[c].character.name;
    SINEW_TRY(fitted.fit, fit_joints_to_parts(loaded, c, plans[c],
                                              parts_to_fit(loaded, c, FitLevels::finest, meshes),
                                              {}, progress));
    SINEW_TRY(fitted.before, judged(loaded, c, fitted.fit, judging, progress));
    SINEW_CHECK(move_fitted_joints(loaded, c, fitted.fit, options.fitting.relied));
    SINEW_TRY(fitted.after, judged(loaded, c, fitted.fit, judging, progress));
    result.characters.push_back(std::move(fitted));
  }
  result.outputs.documents.push_back({loaded.document, path});
  result.outputs.options = options.output;
  result.outputs.files_read = loaded.files;
  return result;
}

Json to_json(const FitJointsJobResult& result) {
  Json report = {{"input", result.input.path.string()},
                 {"format", result.input.format},
                 {"mirror", to_string(result.mirror)}};
  Json& list = report["characters"] = Json::array();
  for (const FittedCharacter& each : result.characters) {
    Json json = {{"name", each.name}};
    json.update(to_json(each.fit));
    if (each.before && each.after)
      json["weights"] = {{"arap_before", each.before->arap}, {"arap_after", each.after->arap}};
    list.push_back(std::move(json));
  }
  report["notices"] = to_json(result.notices);
  return report;
}

}  // namespace sinew
