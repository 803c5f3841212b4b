// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cmath>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gate.h"
#include "input.h"
#include "inspect_report.h"
#include "sinew/io/inspection.h"
#include "sinew/model/bone_names.h"
#include "text.h"
#include "value_checks.h"
#include "verb.h"

namespace sinew::cli {
namespace {

constexpr int kMaxPoses = 1000000;  // more would take days

class InspectVerb final : public Verb {
 public:
  std::string_view name() const override { return "inspect"; }
  std::string_view summary() const override {
    return "Tell what is in a file, how good its weights are and what is wrong";
  }
  std::vector<std::string> examples() const override {
    return {"sinew inspect hero.glb", "sinew inspect hero.glb --mesh 'body*' --json",
            "sinew inspect hero.glb --bones '*hand*'     # what these bones carry",
            "sinew inspect bound.glb --original hero.glb  # on the same joints and poses",
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
    app.add_option("--poses", judging_.poses,
                   fmt::format("How many random poses to judge the weights on; 0 skips the "
                               "judging, which is quick [{}]",
                               judging_.poses))
        ->option_text("N")
        ->check(whole_number(0, kMaxPoses));
    app.add_option("--original", original_,
                   "Judge on the joints of this file, which the weights were made from, and tell "
                   "which bones have lost their vertices")
        ->option_text("FILE");
    app.add_option("--hierarchy", hierarchy_,
                   "Pose bones on what they move with (effective) or on their parents in the file "
                   "(file) [effective]")
        ->option_text("WHICH")
        ->check(one_of({"effective", "file"}));
    add_list_option(app, "--require", gates_,
                    "Exit with 4 unless this holds for every character, e.g. max_influences<=4; "
                    "may be repeated. Figures: " +
                        listed(figure_names(), figure_names().size()))
        ->option_text("DEMAND");
  }

  ExitCode run(Session& session) override {
    std::vector<Gate> gates;
    for (const std::string& text : gates_) gates.push_back(parse_gate(text, figure_names()));

    const Input input = load_input(session, input_);
    const std::vector<LoadedCharacter> originals = load_originals(session);
    std::vector<CharacterReport> reports;
    for (const LoadedCharacter& loaded : input.characters) {
      InspectOptions options{judging_, original_of(loaded, originals)};
      options.judging.seed = session.options().seed;
      options.judging.hierarchy =
          hierarchy_ == "file" ? JudgeOptions::Hierarchy::file : JudgeOptions::Hierarchy::effective;
      const std::vector<int> bones = listed_bones(loaded);
      reports.push_back(
          {take(input.path, inspect_character(loaded, options, session.progress())), bones});
      for (const FileNotices& about_file : input.notices)
        reports.back().inspection.file_warnings += count_warnings(about_file.notices);
    }
    session.erase_progress();

    print_inspection(session, input, reports);
    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    Json& characters = session.report["characters"] = Json::array();
    for (const CharacterReport& report : reports) characters.push_back(to_json(input, report));
    session.report["notices"] = Json::array();
    for (const FileNotices& about_file : input.notices)
      add_notices(session.report, about_file.file, about_file.notices);
    if (session.options().json)  // else the rows on stdout have said it
      for (const FileNotices& each : all_notices(input))
        session.print_notices(each.file, each.notices);
    return check_gates(session, input, gates, reports);
  }

 private:
  std::vector<int> listed_bones(const LoadedCharacter& loaded) const {
    if (bones_.empty()) return {};
    Result<std::vector<int>> bones = match_bones(loaded.character.skeleton, bones_);
    if (!bones.ok()) throw usage_failure("--bones", bones.error().message);
    return *std::move(bones);
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
    if (originals.size() == 1) return &originals.front().character;
    for (const LoadedCharacter& original : originals)
      if (original.character.name == loaded.character.name) return &original.character;
    throw usage_failure("--original",
                        fmt::format("it has no character '{}'", printable(loaded.character.name)));
  }

  static ExitCode check_gates(Session& session, const Input& input, const std::vector<Gate>& gates,
                              const std::vector<CharacterReport>& reports) {
    if (gates.empty()) return ExitCode::done;
    std::string first_unmet;
    Json& list = session.report["gates"] = Json::array();
    for (const Gate& gate : gates) {
      for (const CharacterReport& report : reports) {
        double value = 0;
        for (const Figure& figure : figures(report.inspection))
          if (figure.name == gate.figure) value = figure.value;
        const bool met = gate.met_by(value);
        list.push_back({{"demand", gate.text},
                        {"character", report.inspection.name},
                        {"figure", gate.figure},
                        {"value", value},
                        {"met", met}});
        if (met) continue;
        const std::string message =
            fmt::format("{} is not met: {} is {}", gate.text, gate.figure,
                        std::isnan(value) ? "unknown" : fmt::format("{:.6g}", value));
        const std::string& name = report.inspection.name;
        print_error_line(
            fmt::format("{}: {}{}{}", input.path.string(), name, name.empty() ? "" : ": ", message),
            kRed);
        if (first_unmet.empty()) first_unmet = message;
      }
    }
    if (first_unmet.empty()) return ExitCode::done;
    session.report["error"] = {{"code", "gate_not_met"},
                               {"file", input.path.string()},
                               {"place", "--require"},
                               {"message", first_unmet}};
    return ExitCode::gate_not_met;
  }

  InputOptions input_;
  JudgeOptions judging_;
  std::string original_;
  std::string hierarchy_ = "effective";
  std::vector<std::string> bones_;
  std::vector<std::string> gates_;
};

}  // namespace

std::unique_ptr<Verb> make_inspect_verb() { return std::make_unique<InspectVerb>(); }

}  // namespace sinew::cli
