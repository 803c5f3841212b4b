// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "character_lines.h"
#include "input_flags.h"
#include "joint_flags.h"
#include "joint_words.h"
#include "output_flags.h"
#include "sinew/jobs/fit_joints_job.h"
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
    add_poses_option(app, options_.judging.poses,
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
    FitJointsJobOptions options = options_;
    options.output = output_options(session, output_, required_file(input_));
    options.fitting = fitting_.options();
    options.seed = session.options().seed;
    options.judging.hierarchy = *hierarchy_choice_from(hierarchy_);
    options.bind = solving_.bind_options(options.judging.hierarchy);
    const FitJointsJobResult result =
        take(run_fit_joints_job(job_input(input_), options, session.progress()));
    session.erase_progress();
    session.report.update(to_json(result));
    session.print_notices(result.notices);
    for (const FittedCharacter& each : result.characters) tell(session, result, each);
    write_and_tell(session, result.outputs);
    return ExitCode::done;
  }

 private:
  static void tell(Session& session, const FitJointsJobResult& result,
                   const FittedCharacter& character) {
    session.print(
        fmt::format("{}: {}", result.input.path.filename().string(), named(character.name)));
    print_joint_fit(session, character.fit);
    const std::optional<WeightQuality>&before = character.before, &after = character.after;
    if (before && after && !character.fit.moved().empty())
      session.print_row(
          "weights",
          fmt::format(
              "those of the file stay; on other poses their distortion is {:.3g} -> {:.3g}{}",
              before->arap, after->arap,
              after->arap > before->arap
                  ? "; they were made for other joints: bind --fit-joints makes new ones"
                  : ""));
  }

  InputFlags input_;
  OutputFlags output_;
  FitJointsJobOptions options_;  // as far as flags fill it in as they are
  JointFittingFlags fitting_;
  JointSolvingFlags solving_;
  std::string hierarchy_ = "effective";
};

}  // namespace

std::unique_ptr<Verb> make_fit_joints_verb() { return std::make_unique<FitJointsVerb>(); }

}  // namespace sinew::cli
