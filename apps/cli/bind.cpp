// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bind_words.h"
#include "delivery_flags.h"
#include "gate_flags.h"
#include "input_flags.h"
#include "interior_flags.h"
#include "joint_flags.h"
#include "joint_words.h"
#include "keeping_flags.h"
#include "optimiser_flags.h"
#include "output_flags.h"
#include "sinew/jobs/bind_job.h"
#include "spine_flags.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

/// Notes that a row of the table says as well.
bool is_in_the_table(const Notice& notice) {
  constexpr std::array kInRows = {
      "armature_scale", "control_bones",       "rehung_bones",        "flat_skeleton",
      "guessed_tails",  "zero_area_triangles", "duplicate_triangles", "unreferenced_vertices"};
  return notice.level == Notice::Level::note &&
         std::find(kInRows.begin(), kInRows.end(), notice.code) != kInRows.end();
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const BindMethod method : kBindMethods) names.emplace_back(to_string(method));
  return names;
}

class BindVerb final : public Verb {
 public:
  std::string_view name() const override { return "bind"; }
  std::string_view summary() const override {
    return "Give every vertex weights, so that the mesh moves with its skeleton";
  }
  std::vector<std::string> examples() const override {
    return {"sinew bind hero.glb -o bound.glb",
            "sinew bind body.obj --skeleton bones.tgf -o hero.glb",
            "sinew bind hero.glb -o bound.glb --mesh 'shirt*'     # the rest keeps its weights",
            "sinew bind painted.glb -o better.glb --init existing --lock Head,'Hand.*'",
            "sinew bind hero.glb -o bound.glb --max-influences 2,4,8     # bound.2.glb and so on",
            "sinew bind hero.glb -o bound.glb --target mobile",
            "sinew bind hero.glb -o bound.glb --fit-joints --lock-joints 'Hips,*Hand*'",
            "sinew bind hero.glb -o bound.glb --skip-bones 'IK_*,Root' --require 'arap<0.05'"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    app.add_option("--method", method_,
                   "araplbs: optimised so that the mesh deforms as rigidly as it can over many "
                   "poses; heat: weights spread over the surface like warmth; bbw: "
                   "bounded biharmonic weights, smooth, solved on cubes that fill the mesh; "
                   "distance: by how near a bone is "
                   "[araplbs]")
        ->check(one_of(method_names()))
        ->option_text("KIND");
    add_list_option(app, "--bones", options_.bones,
                    "Bind to these bones too, even if they look like controls, by name or glob, "
                    "with commas between several; may be repeated")
        ->option_text("NAME,...");
    add_list_option(app, "--skip-bones", options_.skip_bones,
                    "Never bind to these bones, named as for --bones; may be repeated")
        ->option_text("NAME,...");
    app.add_option("--links", links_,
                   "auto: small parts, and parts that no bone reaches, move with what they sit on; "
                   "off: every part is bound by itself [auto]")
        ->check(one_of({"auto", "off"}))
        ->option_text("HOW");
    add_hierarchy_option(app, hierarchy_);
    app.add_option(
           "--lods", lods_,
           "auto: of levels of detail, the finest is bound and the others take its weights; "
           "off: all are bound together [auto]")
        ->check(one_of({"auto", "off"}))
        ->option_text("HOW");
    delivery_.add_to(app);
    optimiser_.add_to(app, options_);
    interior_.add_to(app, options_.bind.interior,
                     "For bbw, as method or start, and for --domain volume: ");
    keeping_.add_to(app, options_);
    spines_.add_to(app);
    app.add_flag("--fit-joints", fit_joints_,
                 "Move joints first, to where the mesh distorts least when they turn")
        ->group("Joints");
    fitting_.add_to(app);
    add_poses_option(app, options_.judging.poses,
                     "Random poses to judge the weights on, before and after; 0 does not judge");
    app.add_flag("--explain", explains_,
                 "Print first what was decided about each character, and why");
    add_require_option(app, gates_, "Write nothing and exit with 4 unless this holds afterwards");
    add_selection_options(app, input_);
    app.get_option("--mesh")->description(
        "Change the weights of this mesh only, by name, glob or index; may be repeated");
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    const BindJobOptions options = resolve(session);
    BindJobResult result = take(run_bind_job(job_input(input_), options, session.progress()));
    session.erase_progress();
    report(session, result);
    if (const ExitCode exit = tell_gates(session, result.input.path, result.gates);
        exit != ExitCode::done) {
      Json& message = session.report["error"]["message"];
      message = message.get<std::string>() + "; nothing was written";
      session.print_row("wrote", fmt::format("nothing: --require is not met; {} untouched",
                                             result.input.path.filename().string()));
      return exit;
    }
    const WrittenOutputs written = take(write_outputs(result.outputs, session.progress()));
    add_written_budgets(session.report, written);
    tell_written(session, result, written.files);
    return ExitCode::done;
  }

 private:
  /// What the flags mean. Throws a usage Failure.
  BindJobOptions resolve(const Session& session) const {
    BindJobOptions options = options_;
    options.output = output_options(session, output_, required_file(input_));
    options.require = parse_gates(gates_);
    options.delivery = delivery_.options();
    if (output_.path.empty() && options.delivery.budgets.size() > 1)
      throw usage_failure("--in-place", "several files cannot take the place of one; give -o FILE");
    options.seed = session.options().seed;
    options.bind.method = *bind_method_from(method_);
    options.bind.links = links_ == "off" ? BindOptions::Links::off : BindOptions::Links::automatic;
    options.bind.hierarchy = *hierarchy_choice_from(hierarchy_);
    options.lods = lods_ == "off" ? BindJobOptions::Lods::off : BindJobOptions::Lods::automatic;
    optimiser_.apply(options);
    interior_.apply(options.bind.interior);
    keeping_.apply(options);
    options.spines = spines_.options();
    if (!fit_joints_ && fitting_.has_any())
      throw usage_failure("--fit-joints",
                          "is missing: --lock-joints, --max-move and --force mean nothing without");
    if (fit_joints_) options.fit_joints = fitting_.options();
    return options;
  }

  void report(Session& session, const BindJobResult& result) const {
    session.report.update(to_json(result));
    for (FileNotices each : result.notices) {
      if (!session.options().json) std::erase_if(each.notices, is_in_the_table);
      session.print_notices(each.file, each.notices);
    }
    if (explains_) print_plans(session, result.characters);
    print_bind(session, result);
    for (const BoundCharacter& character : result.characters) {
      print_spines(session, character.spines.front(), result.outputs.documents.front().path);
      if (result.asked.spines.twist == SpineOptions::Twist::automatic)
        print_twist(session, character.spines.front(), character.bound.skeleton);
    }
    for (const JointFit& fit : result.joint_fits) print_joint_fit(session, fit);
  }

  static void tell_written(Session& session, const BindJobResult& result,
                           std::span<const std::filesystem::path> files) {
    std::size_t most = 0;
    for (const BoundCharacter& character : result.characters)
      for (const Inspection& after : character.after) most = std::max(most, after.max_influences);
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) names.push_back(file.string());
    const std::filesystem::path& input = result.input.path;
    const bool kept = std::ranges::none_of(
        files, [&](const std::filesystem::path& file) { return is_same_path(file, input); });
    const WeightFormat format = result.delivery.format;
    session.print_row(
        "wrote",
        fmt::format(
            "{}, at most {}{}, valid{}", listed(names, names.size()),
            counted(most, "influence", "influences"),
            format == WeightFormat::f32 ? std::string()
                                        : fmt::format(", {} weights", to_string(format)),
            kept ? fmt::format("; {} untouched", input.filename().string()) : std::string()));
  }

  InputFlags input_;
  OutputFlags output_;
  BindJobOptions options_;  // as far as flags fill it in as they are
  OptimiserFlags optimiser_;
  InteriorFlags interior_;
  KeepingFlags keeping_;
  SpineFlags spines_;
  JointFittingFlags fitting_;
  DeliveryFlags delivery_;
  bool explains_ = false;
  bool fit_joints_ = false;
  std::string method_ = "araplbs";
  std::string links_ = "auto";
  std::string hierarchy_ = "effective";
  std::string lods_ = "auto";
  std::vector<std::string> gates_;
};

}  // namespace

std::unique_ptr<Verb> make_bind_verb() { return std::make_unique<BindVerb>(); }

}  // namespace sinew::cli
