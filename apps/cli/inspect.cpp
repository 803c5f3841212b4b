// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "gate_flags.h"
#include "input_flags.h"
#include "inspect_words.h"
#include "interior_flags.h"
#include "joint_flags.h"
#include "joint_words.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

class InspectVerb final : public Verb {
 public:
  std::string_view name() const override { return "inspect"; }
  std::string_view summary() const override {
    return "Tell what is in a file, how good its weights are and what is wrong";
  }
  std::vector<std::string> examples() const override {
    return {"sinew inspect hero.glb",
            "sinew inspect hero.glb --mesh 'body*' --json",
            "sinew inspect hero.glb --bones '*hand*'     # what these bones carry",
            "sinew inspect bound.glb --original hero.glb  # on the same joints and poses",
            "sinew inspect hero.glb --joints      # where its joints should be; nothing is written",
            "sinew inspect hero.glb --interior --cells 40000  # what fills it, and what touches",
            "sinew inspect hero.glb --require 'max_influences<=4' --require 'arap<0.05'"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    add_selection_options(app, input_);
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_list_option(app, "--bones", options_.bones,
                    "List these bones too, by name or glob, any case, with or without a prefix "
                    "such as mixamorig:; may be repeated")
        ->option_text("NAME");
    add_poses_option(app, options_.judging.poses,
                     "How many random poses to judge the weights on; 0 skips the judging, which is "
                     "quick");
    app.add_option("--original", options_.original,
                   "Judge on the joints of this file, which the weights were made from, and tell "
                   "which bones have lost their vertices, and what skin was stolen, distorts more "
                   "or comes apart beside its weights")
        ->option_text("FILE");
    app.add_option("--compare-in", options_.compare_in,
                   "Compare with --original in the poses of this file, .json or .bvh, instead of "
                   "the file's clips and random poses")
        ->option_text("FILE");
    add_hierarchy_option(app, hierarchy_);
    app.add_flag("--joints", joints_,
                 "List the joints that sinew fit-joints would move, how far and what for")
        ->group("Joints");
    fitting_.add_to(app);
    add_joint_solving_options(app, solving_);
    app.add_flag("--interior", interior_,
                 "Fill the mesh with cubes as bind --method bbw does, and tell how well they show "
                 "it: bones without cells, loose pieces, what touches")
        ->group("Interior");
    filling_.add_to(app, filled_, "With --interior: ");
    add_require_option(app, gates_, "Exit with 4 unless this holds");
  }

  ExitCode run(Session& session) override {
    InspectJobOptions options = options_;
    options.require = parse_gates(gates_);
    options.seed = session.options().seed;
    options.judging.hierarchy = *hierarchy_choice_from(hierarchy_);
    if (!options.compare_in.empty() && options.original.empty())
      throw usage_failure("--compare-in", "means nothing without --original");
    if (!joints_ && (fitting_.has_any() || solving_.has_any()))
      throw usage_failure("--joints",
                          "is missing: --lock-joints, --max-move, --force, --mirror and "
                          "--exemplars mean nothing without");
    if (joints_)
      options.joints = {fitting_.options(), solving_.bind_options(options.judging.hierarchy)};
    if (!interior_ && filling_.has_any(filled_))
      throw usage_failure("--interior",
                          "is missing: --cells and --bone-radius mean nothing without");
    if (interior_) {
      options.interior = filled_;
      filling_.apply(*options.interior);
    }
    const InspectJobResult result =
        take(run_inspect_job(job_input(input_), options, session.progress()));
    session.erase_progress();

    print_inspection(session, result);
    for (const JointFit& fit : result.joint_fits)
      print_joint_fit(session, fit, JointTense::would_move);
    session.report.update(to_json(result));
    if (session.options().json)  // else the rows on stdout have said it
      session.print_notices(all_notices(result.input));
    return tell_gates(session, result.input.path, result.gates);
  }

 private:
  InputFlags input_;
  InspectJobOptions options_;  // as far as flags fill it in as they are
  std::string hierarchy_ = "effective";
  std::vector<std::string> gates_;
  JointFittingFlags fitting_;
  JointSolvingFlags solving_;
  bool joints_ = false;
  InteriorFlags filling_;
  InteriorOptions filled_;  // as far as flags fill it in as they are
  bool interior_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_inspect_verb() { return std::make_unique<InspectVerb>(); }

}  // namespace sinew::cli
