// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "character_lines.h"
#include "input.h"
#include "joint_fitting.h"
#include "output.h"
#include "sinew/gltf/selection.h"
#include "sinew/report/inspection.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class FitJointsVerb final : public Verb {
 public:
  std::string_view name() const override { return "fit-joints"; }
  std::string_view summary() const override {
    return "Move joints to where the mesh distorts least when they turn";
  }
  std::vector<std::string> examples() const override {
    return {"sinew fit-joints hero.glb -o better.glb",
            "sinew fit-joints hero.glb -o better.glb --lock-joints 'Hips,*Hand*' --max-move 0.1",
            "sinew inspect hero.glb --joints          # the same list, and nothing is written",
            "sinew bind hero.glb -o bound.glb --fit-joints     # with weights for the new joints"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    fitting_.add_to(app);
    add_joint_solving_options(app, solving_);
    add_hierarchy_option(app, hierarchy_);
    add_poses_option(app, judging_.poses,
                     "Random poses to judge the file's weights on, before and after; 0 does not "
                     "judge");
    add_selection_options(app, input_);
    app.get_option("--mesh")->description(
        "Fit to this mesh only, by name, glob or index; may be repeated");
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    const std::filesystem::path path = output_path(output_, required_file(input_));
    InputOptions whole = input_;
    whole.meshes.clear();
    Input input = load_input(session, whole);
    refuse_overwriting(session, input.document, path, output_, input.files);
    for (const LoadedCharacter& loaded : input.characters)
      if (loaded.character.skeleton.bone_count() == 0)
        throw Failure{ExitCode::input_refused,
                      {ErrorCode::bad_skin, "", "has no skeleton; --skeleton FILE gives it one"},
                      input.path.string()};
    store_bind_pose(input);
    std::vector<int> meshes;
    if (!input_.meshes.empty()) {
      Result<std::vector<int>> matched = match_meshes(input.document, input_.meshes);
      if (!matched.ok()) throw usage_failure("--mesh", matched.error().message);
      meshes = *std::move(matched);
    }
    judging_.seed = session.options().seed;
    judging_.hierarchy = *hierarchy_choice_from(hierarchy_);
    const BindOptions bind = solving_.bind_options(judging_.seed, judging_.hierarchy);
    const std::vector<JointPlan> plans =
        fitting_.resolve(input, std::vector<BindOptions>(input.characters.size(), bind));

    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    session.report["mirror"] = to_string(bind.mirror);
    Json& list = session.report["characters"] = Json::array();
    session.report_notices(all_notices(input));
    for (std::size_t c = 0; c < plans.size(); ++c) {
      if (!shows_any(input.characters[c], meshes)) continue;
      const JointFit fit = fit_joints_of(session, input, c, plans[c],
                                         parts_to_fit(input, c, Levels::finest, meshes));
      const std::optional<WeightQuality> before = judged(session, input, c, fit);
      move_fitted_joints(input, c, fit, fitting_.moving());
      const std::optional<WeightQuality> after = judged(session, input, c, fit);
      session.erase_progress();
      tell(session, input, c, fit, before, after);
      Json json = {{"name", input.characters[c].character.name}};
      json.update(to_json(fit));
      if (before && after)
        json["weights"] = {{"arap_before", before->arap}, {"arap_after", after->arap}};
      list.push_back(std::move(json));
    }
    write_output(session, input.document, path, output_, input.files);
    return ExitCode::done;
  }

 private:
  static bool shows_any(const LoadedCharacter& loaded, const std::vector<int>& meshes) {
    if (meshes.empty()) return true;
    return std::any_of(loaded.sources.begin(), loaded.sources.end(), [&](const PartSource& source) {
      return std::find(meshes.begin(), meshes.end(), source.mesh) != meshes.end();
    });
  }

  /// The weights that the file has, on the bones as they are now, in poses that nothing was fitted
  /// to.
  std::optional<WeightQuality> judged(Session& session, const Input& input, std::size_t c,
                                      const JointFit& fit) const {
    const Character& character = input.characters[c].character;
    if (judging_.poses == 0 || character.weights.influence_count() == 0) return std::nullopt;
    const BindReport& report = fit.fitted.bound.report;
    const WeightJudge judge(character, report.roles, report.hierarchy, judging_);
    return take(input.path, judge.judge(character.weights, nullptr, session.progress()));
  }

  static void tell(Session& session, const Input& input, std::size_t c, const JointFit& fit,
                   const std::optional<WeightQuality>& before,
                   const std::optional<WeightQuality>& after) {
    session.print(fmt::format("{}: {}", input.path.filename().string(),
                              named(input.characters[c].character.name)));
    print_joint_fit(session, fit);
    if (before && after && fit.moved() > 0)
      session.print_row(
          "weights",
          fmt::format(
              "those of the file stay; on other poses their distortion is {:.3g} -> {:.3g}{}",
              before->arap, after->arap,
              after->arap > before->arap
                  ? "; they were made for other joints: bind --fit-joints makes new ones"
                  : ""));
  }

  InputOptions input_;
  OutputOptions output_;
  JointFittingOptions fitting_;
  JointSolving solving_;
  JudgeOptions judging_;
  std::string hierarchy_ = "effective";
};

}  // namespace

std::unique_ptr<Verb> make_fit_joints_verb() { return std::make_unique<FitJointsVerb>(); }

}  // namespace sinew::cli
