// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "input_flags.h"
#include "output_flags.h"
#include "sinew/jobs/pose_job.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class PoseVerb final : public Verb {
 public:
  std::string_view name() const override { return "pose"; }
  std::string_view summary() const override {
    return "Write the mesh as it stands at one moment of a clip";
  }
  std::vector<std::string> examples() const override {
    return {"sinew pose hero.glb --animation Walk --time 0.5 -o posed.glb",
            "sinew pose hero.glb --animation 0 --time 1 --deformer dqs -o posed.glb",
            "sinew pose hero.glb -o posed.glb     # as the nodes of the file stand"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    app.add_option("--animation", options_.clip,
                   "The clip, by name, glob or index, any case, with or without a prefix such as "
                   "Armature|; without it, the pose that the nodes store")
        ->option_text("NAME");
    app.add_option("--time", options_.time_s,
                   "Seconds on the clip's clock [0]; a file with one clip needs no --animation")
        ->check(finite_number())
        ->option_text("T");
    app.add_option("--deformer", deformer_,
                   "lbs: linear blend, what engines do; dqs: dual quaternions, which keep volume "
                   "under twists [lbs]")
        ->check(one_of({"lbs", "dqs"}))
        ->option_text("KIND");
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    PoseJobOptions options = options_;
    options.output = output_options(session, output_, required_file(input_));
    options.deformer = deformer_ == "dqs" ? Deformer::dual_quaternion : Deformer::linear_blend;
    const PoseJobResult result = take(run_pose_job(job_input(input_), options, session.progress()));
    session.report.update(to_json(result));
    session.print_notices(result.notices);
    write_and_tell(session, result.outputs);
    return ExitCode::done;
  }

 private:
  InputFlags input_;
  OutputFlags output_;
  PoseJobOptions options_;  // as far as flags fill it in as they are
  std::string deformer_ = "lbs";
};

}  // namespace

std::unique_ptr<Verb> make_pose_verb() { return std::make_unique<PoseVerb>(); }

}  // namespace sinew::cli
