// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gate.h"
#include "input.h"
#include "inspect_report.h"
#include "joint_fitting.h"
#include "sinew/model/bone_names.h"
#include "sinew/report/inspection.h"
#include "sinew/spines/gltf_spine_bones.h"
#include "text.h"
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
            "sinew inspect hero.glb --require 'max_influences<=4' --require 'arap<0.05'"};
  }

  void add_options(CLI::App& app) override {
    add_file_argument(app, input_);
    add_selection_options(app, input_);
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_list_option(app, "--bones", bones_,
                    "List these bones too, by name or glob, any case, with or without a prefix "
                    "such as mixamorig:; may be repeated")
        ->option_text("NAME");
    add_poses_option(app, judging_.poses,
                     "How many random poses to judge the weights on; 0 skips the judging, which is "
                     "quick");
    app.add_option("--original", original_,
                   "Judge on the joints of this file, which the weights were made from, and tell "
                   "which bones have lost their vertices")
        ->option_text("FILE");
    add_hierarchy_option(app, hierarchy_);
    app.add_flag("--joints", joints_,
                 "List the joints that sinew fit-joints would move, how far and what for")
        ->group("Joints");
    fitting_.add_to(app);
    add_joint_solving_options(app, solving_);
    add_require_option(app, gates_, "Exit with 4 unless this holds", figure_names());
  }

  ExitCode run(Session& session) override {
    const std::vector<Gate> gates = parse_gates(gates_, figure_names());
    const Input input = load_input(session, input_);
    const std::vector<JointPlan> plans = joint_plans(session, input);
    const std::vector<LoadedCharacter> originals = load_originals(session);
    std::vector<CharacterReport> reports;
    for (const LoadedCharacter& loaded : input.characters) {
      InspectOptions options{judging_, original_of(loaded, originals)};
      options.judging.seed = session.options().seed;
      options.judging.hierarchy = *hierarchy_choice_from(hierarchy_);
      options.judging.spines = take(input.path, own_spine_bones(input.document, loaded));
      const std::vector<int> bones = listed_bones(loaded);
      reports.push_back(
          {take(input.path, inspect_character(loaded, options, session.progress())), bones});
      for (const FileNotices& about_file : input.notices)
        reports.back().inspection.file_warnings += count_warnings(about_file.notices);
    }
    std::vector<JointFit> fits;
    for (std::size_t c = 0; c < plans.size(); ++c)
      fits.push_back(
          fit_joints_of(session, input, c, plans[c], parts_to_fit(input, c, Levels::finest)));
    session.erase_progress();

    print_inspection(session, input, reports);
    for (const JointFit& fit : fits) print_joint_fit(session, fit, JointTense::would_move);
    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    Json& characters = session.report["characters"] = Json::array();
    for (const CharacterReport& report : reports) characters.push_back(to_json(input, report));
    for (std::size_t c = 0; c < fits.size(); ++c) characters[c]["joint_fit"] = to_json(fits[c]);
    session.report["notices"] = Json::array();
    for (const FileNotices& about_file : input.notices)
      add_notices(session.report, about_file.file, about_file.notices);
    if (session.options().json)  // else the rows on stdout have said it
      for (const FileNotices& each : all_notices(input))
        session.print_notices(each.file, each.notices);
    std::vector<GatedCharacter> gated;
    for (const CharacterReport& report : reports)
      gated.push_back({report.inspection.name, figures(report.inspection)});
    return check_gates(session, input.path, gates, gated);
  }

 private:
  std::vector<int> listed_bones(const LoadedCharacter& loaded) const {
    if (bones_.empty()) return {};
    Result<std::vector<int>> bones = match_bones(loaded.character.skeleton, bones_);
    if (!bones.ok()) throw usage_failure("--bones", bones.error().message);
    return *std::move(bones);
  }

  /// Empty unless joints are asked about.
  std::vector<JointPlan> joint_plans(const Session& session, const Input& input) const {
    if (!joints_ && (fitting_.has_any() || solving_.has_any()))
      throw usage_failure("--joints",
                          "is missing: --lock-joints, --max-move, --force, --mirror and "
                          "--exemplars mean nothing without");
    if (!joints_) return {};
    const BindOptions bind =
        solving_.bind_options(session.options().seed, *hierarchy_choice_from(hierarchy_));
    return fitting_.resolve(input, std::vector<BindOptions>(input.characters.size(), bind));
  }

  std::vector<LoadedCharacter> load_originals(Session& session) const {
    if (original_.empty()) return {};
    InputOptions options;
    options.file = original_;
    options.bind_pose = input_.bind_pose;
    return load_input(session, options).characters;
  }

  /// Of several, the one of the same name.
  const Character* original_of(const LoadedCharacter& loaded,
                               const std::vector<LoadedCharacter>& originals) const {
    if (original_.empty()) return nullptr;
    if (originals.size() == 1) return &related(loaded, originals.front());
    for (const LoadedCharacter& original : originals)
      if (original.character.name == loaded.character.name) return &related(loaded, original);
    throw usage_failure("--original",
                        fmt::format("it has no character '{}'", printable(loaded.character.name)));
  }

  /// Judging on joints that the character does not have would tell nothing of it.
  static const Character& related(const LoadedCharacter& loaded, const LoadedCharacter& original) {
    const std::vector<Bone>& bones = loaded.character.skeleton.bones();
    const std::vector<Bone>& there = original.character.skeleton.bones();
    const bool is_related =
        bones.empty() || std::ranges::any_of(bones, [&](const Bone& bone) {
          return std::ranges::find(there, bone.name, &Bone::name) != there.end();
        });
    if (!is_related)
      throw usage_failure(
          "--original",
          fmt::format("none of its {} is a joint of '{}': it is another character",
                      counted(there.size(), "joint", "joints"), printable(loaded.character.name)));
    return original.character;
  }

  InputOptions input_;
  JudgeOptions judging_;
  std::string original_;
  std::string hierarchy_ = "effective";
  std::vector<std::string> bones_;
  std::vector<std::string> gates_;
  JointFittingOptions fitting_;
  JointSolving solving_;
  bool joints_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_inspect_verb() { return std::make_unique<InspectVerb>(); }

}  // namespace sinew::cli
