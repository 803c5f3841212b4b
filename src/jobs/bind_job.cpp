// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/bind_job.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "jobs/bone_lists.h"
#include "jobs/find_levels_of_detail.h"
#include "jobs/interior_options.h"
#include "sinew/gltf/bone_settings.h"
#include "sinew/gltf/selection.h"

namespace sinew {
namespace {

/// The steps of a job, in their order; each sees what those before it left.
class BindWork {
 public:
  BindWork(const BindJobOptions& options, const Progress& progress) : progress_(progress) {
    result_.asked = options;
  }

  JobResult<BindJobResult> run(const JobInput& input) {
    SINEW_CHECK(decide_delivery());
    SINEW_TRY(result_.input, load_all_meshes(input, progress_));
    SINEW_CHECK(require_skeletons(result_.input));
    SINEW_CHECK(set_spine_parameters(asked().spines, result_.input));
    keep_existing_influences();
    SINEW_CHECK(check_places());
    SINEW_CHECK(choose_meshes(input.meshes));
    SINEW_CHECK(plan_binds());
    const std::vector<LoadedCharacter> as_read = result_.input.characters;
    SINEW_CHECK(move_joints());
    SINEW_CHECK(bind_characters());
    SINEW_CHECK(reread());
    for (std::size_t c = 0; c < result_.characters.size(); ++c)
      SINEW_CHECK(in_file(
          path(), judge_bind({as_read[c].character, character(c), written_[c].character.parts,
                              asked().fit_joints.has_value(), binds_[c].own_spines},
                             judging(), result_.characters[c], progress_)));
    finish();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const BindJobOptions& asked() const { return result_.asked; }
  [[nodiscard]] const std::filesystem::path& path() const { return result_.input.path; }
  [[nodiscard]] const Character& character(std::size_t c) const {
    return result_.input.characters[c].character;
  }
  [[nodiscard]] const std::vector<int>& budgets() const { return result_.delivery.budgets; }
  [[nodiscard]] JudgeOptions judging() const {
    JudgeOptions judging = asked().judging;
    judging.seed = asked().seed;
    return judging;
  }
  [[nodiscard]] WriteWeightsOptions writing(std::size_t budget) const {
    return {result_.delivery.format, budgets()[budget]};
  }
  [[nodiscard]] bool finds_lods() const { return asked().lods == BindJobOptions::Lods::automatic; }

  JobStatus decide_delivery() {
    SINEW_CHECK(check_figures(asked().require));
    if (!asked().output.path.empty()) SINEW_CHECK(check_output_path(asked().output.path));
    SINEW_TRY(result_.delivery, resolve_delivery(asked().delivery));
    BindOptions& bind = result_.asked.bind;
    bind.max_influences = budgets().front();
    bind.further_budgets.assign(budgets().begin() + 1, budgets().end());
    bind.format = result_.delivery.format;
    bind.exemplars.seed = bind.solver.seed = asked().seed;
    return check_optimiser_options(asked().optimiser, bind);
  }

  /// Weights that are made better keep as many influences as they had: cutting would make them
  /// worse.
  void keep_existing_influences() {
    BindOptions& bind = result_.asked.bind;
    if (bind.init != BindInit::existing || asked().delivery.limits_influences()) return;
    for (const LoadedCharacter& loaded : result_.input.characters)
      bind.max_influences = std::max(
          bind.max_influences,
          std::min(kMostInfluences, static_cast<int>(loaded.character.weights.max_influences())));
    result_.delivery.budgets = {bind.max_influences};
  }

  /// Where documents go, and the log; what cannot be written fails before the work.
  JobStatus check_places() {
    const OutputOptions& output = asked().output;
    std::vector<std::filesystem::path> in_use = result_.input.files;
    for (std::size_t b = 0; b < budgets().size(); ++b) {
      paths_.push_back(path_of_budget(output.path, result_.delivery, b));
      if (paths_.back().empty()) continue;
      SINEW_CHECK(refuse_impossible_place("output", paths_.back()));
      SINEW_CHECK(
          refuse_overwriting(result_.input.document, paths_.back(), output, result_.input.files));
      in_use.push_back(paths_.back());
    }
    return asked().log.empty() ? JobStatus() : check_log(in_use);
  }

  [[nodiscard]] JobStatus check_log(std::span<const std::filesystem::path> in_use) const {
    const std::filesystem::path& log = asked().log;
    if (asked().bind.method != BindMethod::araplbs)
      return error_of_option(
          "log", fmt::format("{} has no steps to write down", to_string(asked().bind.method)));
    if (log.extension() != ".csv") return error_of_option("log", "the name has to end in .csv");
    for (const std::filesystem::path& other : in_use)
      if (is_same_path(log, other))
        return error_of_option("log",
                               fmt::format("'{}' is needed for something else", log.string()));
    return refuse_impossible_place("log", log);
  }

  /// The meshes whose weights may change. Characters that show none of them are dropped.
  JobStatus choose_meshes(const std::vector<std::string>& patterns) {
    std::set<int> skinned;
    for (const LoadedCharacter& loaded : result_.input.characters)
      for (const PartSource& source : loaded.sources) skinned.insert(source.mesh);
    if (patterns.empty()) {
      meshes_ = std::move(skinned);
      return {};
    }
    SINEW_TRY(const std::vector<int> matched,
              of_option("mesh", match_meshes(result_.input.document, patterns)));
    for (const int mesh : matched)
      if (skinned.contains(mesh)) meshes_.insert(mesh);
    if (meshes_.empty()) return error_of_option("mesh", "chooses no mesh that has a skeleton");
    std::erase_if(result_.input.characters, [&](const LoadedCharacter& loaded) {
      return std::ranges::none_of(
          loaded.sources, [&](const PartSource& source) { return meshes_.contains(source.mesh); });
    });
    return {};
  }

  /// The options of each character: all that names bones, clips or files fails before the work.
  JobStatus plan_binds() {
    LoadedInput& input = result_.input;
    SINEW_TRY(const auto bones, match_bone_lists("bones", asked().bones, input.characters));
    SINEW_TRY(const auto skip,
              match_bone_lists("skip_bones", asked().skip_bones, input.characters));
    Notices notices;
    for (std::size_t c = 0; c < input.characters.size(); ++c) {
      binds_.push_back(asked().bind);
      binds_.back().deforming = {bones[c], skip[c]};
      SINEW_CHECK(read_optimiser_inputs(asked().optimiser, character(c), binds_.back(), notices));
    }
    SINEW_CHECK(keep_weights(asked().keep, input, binds_));
    SINEW_CHECK(plan_spines(asked().spines, input, meshes_, binds_));
    tell_ignored_spine_options(asked().spines, binds_, notices);
    if (asked().fit_joints) SINEW_CHECK(plan_joint_fits());
    if (!notices.empty()) input.notices.push_back({path().string(), std::move(notices)});
    return {};
  }

  JobStatus plan_joint_fits() {
    if (asked().bind.method != BindMethod::araplbs)
      return error_of_option("fit_joints", fmt::format("{} optimises nothing to fit joints to",
                                                       to_string(asked().bind.method)));
    if (asked().bind.init == BindInit::existing)
      return error_of_option("fit_joints",
                             "joints are fitted along with weights that are made "
                             "anew; sinew fit-joints moves them and keeps weights");
    if (asked().bind.domain == BindDomain::volume)
      return error_of_option("domain",
                             "joints are fitted along with the surface; sinew fit-joints "
                             "moves them before");
    SINEW_TRY(joint_plans_, plan_joints(*asked().fit_joints, result_.input, binds_));
    return {};
  }

  JobStatus move_joints() {
    const std::vector<int> chosen(meshes_.begin(), meshes_.end());
    const FitLevels levels = finds_lods() ? FitLevels::finest : FitLevels::all;
    for (std::size_t c = 0; c < joint_plans_.size(); ++c) {
      SINEW_TRY(JointFit fit, fit_joints_to_parts(result_.input, c, joint_plans_[c],
                                                  parts_to_fit(result_.input, c, levels, chosen),
                                                  asked().optimiser.edits, progress_));
      SINEW_CHECK(move_fitted_joints(result_.input, c, fit, asked().fit_joints->relied));
      result_.joint_fits.push_back(std::move(fit));
    }
    if (joint_plans_.empty()) return {};
    return plan_spines(asked().spines, result_.input, meshes_, binds_);  // bones may have moved
  }

  JobStatus bind_characters() {
    for (const std::filesystem::path& each : paths_)
      result_.outputs.documents.push_back({result_.input.document, each});
    for (std::size_t c = 0; c < result_.input.characters.size(); ++c) {
      written_.push_back(with_only_meshes(result_.input.characters[c], meshes_));
      BoundCharacter bound;
      SINEW_CHECK(bind_one(c, bound));
      for (std::size_t b = 0; b < budgets().size(); ++b) SINEW_CHECK(write_one(c, b, bound));
      result_.characters.push_back(std::move(bound));
    }
    std::vector<Notices*> notices;
    for (BoundCharacter& each : result_.characters) notices.push_back(&each.bound.notices);
    leave_out_idle_warnings(notices);
    return {};
  }

  JobStatus bind_one(std::size_t c, BoundCharacter& made) {
    const LoadedCharacter& loaded = result_.input.characters[c];
    if (finds_lods()) made.levels = find_levels_of_detail(result_.input.document, loaded);
    if (!result_.joint_fits.empty() && result_.joint_fits[c].covers_all) {
      made.bound = result_.joint_fits[c].fitted.bound;
    } else {
      Result<Bound> bound = bind_levels(loaded.character, made.levels, binds_[c], progress_);
      if (!bound.ok()) return bind_error(path(), asked().optimiser.edits, std::move(bound).error());
      made.bound = *std::move(bound);
    }
    made.before = describe_character(loaded, made.bound.report.roles, made.bound.report.hierarchy);
    for (std::size_t p = 0; p < loaded.character.parts.size(); ++p)
      made.parts.push_back(
          {loaded.character.parts[p].name, meshes_.contains(loaded.sources[p].mesh)});
    return {};
  }

  /// Puts a character's weights under a budget into that budget's document.
  JobStatus write_one(std::size_t c, std::size_t b, BoundCharacter& bound) {
    Document& document = result_.outputs.documents[b].document;
    SINEW_TRY(MadeSpines spines,
              in_file(path(), make_spine_joints(document, written_[c], bound.weights(b),
                                                bound.bound, budgets()[b])));
    const LoadedCharacter& shown = spines.any() ? spines.converted.loaded : written_[c];
    const SkinWeights& weights = spines.any() ? spines.converted.weights : bound.weights(b);
    SINEW_CHECK(in_file(path(), write_weights(document, shown, weights, writing(b))));
    write_node_settings(document, without_spines(bound.bound.skeleton, spines));
    SINEW_TRY(const JointUse use, in_file(path(), limit_joints(document, shown, result_.delivery, b,
                                                               bound.bound.notices)));
    bound.joints.push_back(use);
    if (b == 0)
      bound.bound.notices.insert(bound.bound.notices.end(), spines.converted.notices.begin(),
                                 spines.converted.notices.end());
    bound.spines.push_back(std::move(spines));
    return {};
  }

  /// Reads the documents as any program would, and holds them against the rules that they were
  /// written by.
  JobStatus reread() {
    for (std::size_t b = 0; b < budgets().size(); ++b) {
      SINEW_TRY(const std::vector<LoadedCharacter> characters,
                in_file(path(), read_characters(result_.outputs.documents[b].document)));
      for (std::size_t c = 0; c < result_.characters.size(); ++c) {
        SINEW_TRY(const std::size_t now,
                  in_file(path(), find_written(characters, written_[c], writing(b))));
        describe_written(characters[now], b, result_.characters[c]);
      }
    }
    return {};
  }

  void describe_written(const LoadedCharacter& now, std::size_t b, BoundCharacter& bound) const {
    const BindReport& report = bound.bound.report;
    KnownBones known{report.roles, report.hierarchy};
    if (bound.spines[b].any()) known = known_bones(now.character.skeleton, bound.bound);
    Inspection& after = bound.after.emplace_back(
        describe_character(now, std::move(known.roles), std::move(known.hierarchy)));
    after.file_warnings = count_warnings(bound.bound.notices);
    for (const FileNotices& about_file : result_.input.notices)
      after.file_warnings += count_warnings(about_file.notices);
  }

  void finish() {
    result_.notices = all_notices(result_.input);
    for (const BoundCharacter& each : result_.characters)
      result_.notices.push_back({path().string(), each.bound.notices});
    result_.gates = check_gates(asked().require, gated());
    result_.outputs.options = asked().output;
    result_.outputs.files_read = result_.input.files;
    for (std::size_t b = 0; b < paths_.size(); ++b) add_drivers(b);
    if (!asked().log.empty()) add_log();
  }

  /// Demands hold for every file.
  [[nodiscard]] std::vector<GatedCharacter> gated() const {
    std::vector<GatedCharacter> gated;
    for (std::size_t b = 0; b < budgets().size(); ++b)
      for (const BoundCharacter& each : result_.characters)
        gated.push_back({budgets().size() == 1
                             ? each.before.name
                             : fmt::format("{} within {}", each.before.name, budgets()[b]),
                         figures(each.after[b])});
    return gated;
  }

  void add_drivers(std::size_t b) {
    std::vector<TwistDriver> drivers;
    for (const BoundCharacter& each : result_.characters)
      drivers.insert(drivers.end(), each.spines[b].converted.drivers.begin(),
                     each.spines[b].converted.drivers.end());
    if (drivers.empty() || paths_[b].empty()) return;
    result_.outputs.beside.push_back(
        {drivers_path(paths_[b]), twist_drivers_json(drivers).dump(2) + "\n"});
  }

  void add_log() {
    std::vector<std::string> names;
    std::vector<SolveReport> solves;
    for (const BoundCharacter& each : result_.characters) {
      if (!each.bound.report.solve) continue;
      names.push_back(each.before.name);
      solves.push_back(*each.bound.report.solve);
    }
    result_.outputs.logs.push_back({asked().log, energy_log(names, solves)});
  }

  const Progress& progress_;
  BindJobResult result_;
  std::vector<std::filesystem::path> paths_;  // of each budget's document
  std::set<int> meshes_;                      // whose weights may change
  std::vector<BindOptions> binds_;            // of each character
  std::vector<JointPlan> joint_plans_;        // empty unless joints are to move
  std::vector<LoadedCharacter> written_;      // of each, the parts whose weights are new
};

}  // namespace

JobResult<BindJobResult> run_bind_job(const JobInput& input, const BindJobOptions& options,
                                      const Progress& progress) {
  return BindWork(options, progress).run(input);
}

Json to_json(const BindJobResult& result) {
  const BindOptions& bind = result.asked.bind;
  Json report = {{"input", result.input.path.string()}, {"format", result.input.format},
                 {"method", to_string(bind.method)},    {"init", to_string(bind.init)},
                 {"domain", to_string(bind.domain)},    {"max_influences", bind.max_influences}};
  add_delivery(report, result.delivery);
  report["lods"] = result.asked.lods == BindJobOptions::Lods::automatic ? "auto" : "off";
  report["links"] = bind.links == BindOptions::Links::automatic ? "auto" : "off";
  report["hierarchy"] = to_string(bind.hierarchy);
  const std::filesystem::path& edits = result.asked.optimiser.edits;
  if (!edits.empty()) report["edits"] = edits.string();
  report["constraints"] = to_string(bind.constraints);
  report["obedience"] = bind.obedience;
  report["smoothing"] = bind.smoothing;
  report["rigid_parts"] = to_string(bind.rigid_parts);
  report["mirror"] = to_string(bind.mirror);
  if (is_solved_inside(bind)) {
    report["cells"] = bind.interior.cells;
    report["bone_radius"] = to_json(bind.interior.radius);
  }
  Json& list = report["characters"] = Json::array();
  for (const BoundCharacter& character : result.characters) list.push_back(to_json(character));
  for (std::size_t c = 0; c < result.joint_fits.size(); ++c)
    list[c]["joint_fit"] = to_json(result.joint_fits[c]);
  report["notices"] = to_json(result.notices);
  if (!result.gates.empty()) report["gates"] = to_json(result.gates);
  return report;
}

void add_written_budgets(Json& report, const WrittenOutputs& written) {
  add_written(report, written);
  report["outputs"] = Json::array();
  for (const std::filesystem::path& each : written.documents)
    report["outputs"].push_back(each.string());
}

}  // namespace sinew
