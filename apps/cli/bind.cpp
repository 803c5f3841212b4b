// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bind_judge.h"
#include "bind_report.h"
#include "delivery.h"
#include "gate.h"
#include "input.h"
#include "joint_fitting.h"
#include "keeping_options.h"
#include "name_lists.h"
#include "optimiser_options.h"
#include "output.h"
#include "sinew/formats/rig_file.h"
#include "sinew/gltf/selection.h"
#include "spine_options.h"
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
                   "poses; heat: weights spread over the surface like warmth; distance: by how "
                   "near a bone is [araplbs]")
        ->check(one_of({"araplbs", "heat", "distance"}))
        ->option_text("KIND");
    add_list_option(app, "--bones", bones_,
                    "Bind to these bones too, even if they look like controls, by name or glob, "
                    "with commas between several; may be repeated")
        ->option_text("NAME,...");
    add_list_option(app, "--skip-bones", skip_bones_,
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
    delivery_options_.add_to(app);
    optimiser_.add_to(app, options_);
    keeping_.add_to(app, options_);
    spines_.add_to(app);
    app.add_flag("--fit-joints", fit_joints_,
                 "Move joints first, to where the mesh distorts least when they turn")
        ->group("Joints");
    fitting_.add_to(app);
    add_poses_option(app, judging_.poses,
                     "Random poses to judge the weights on, before and after; 0 does not judge");
    app.add_flag("--explain", explains_,
                 "Print first what was decided about each character, and why");
    add_require_option(app, gates_, "Write nothing and exit with 4 unless this holds afterwards",
                       figure_names());
    add_selection_options(app, input_);
    app.get_option("--mesh")->description(
        "Change the weights of this mesh only, by name, glob or index; may be repeated");
    add_skeleton_options(app, input_);
    add_bind_pose_option(app, input_);
    add_output_option(app, output_);
    add_in_place_option(app, output_);
  }

  ExitCode run(Session& session) override {
    const std::filesystem::path path = output_path(output_, required_file(input_));
    const std::vector<Gate> gates = parse_gates(gates_, figure_names());
    delivery_ = delivery_options_.resolve();
    if (output_.path.empty() && delivery_.budgets.size() > 1)
      throw usage_failure("--in-place", "several files cannot take the place of one; give -o FILE");
    options_.method = *bind_method_from(method_);
    options_.links = links_ == "off" ? BindOptions::Links::off : BindOptions::Links::automatic;
    options_.hierarchy = *hierarchy_choice_from(hierarchy_);
    options_.max_influences = delivery_.budgets.front();
    options_.further_budgets.assign(delivery_.budgets.begin() + 1, delivery_.budgets.end());
    options_.format = delivery_.format;
    judging_.seed = session.options().seed;
    optimiser_.apply(options_, session.options().seed);

    Input input = load_whole(session);
    spines_.set_parameters(input);
    // Weights that are made better keep as many influences as they had: cutting would make them
    // worse.
    if (keeping_.starts_from_existing() && !delivery_options_.limits_influences()) {
      for (const LoadedCharacter& loaded : input.characters)
        options_.max_influences = std::max(
            options_.max_influences,
            std::min(kMostInfluences, static_cast<int>(loaded.character.weights.max_influences())));
      delivery_.budgets = {options_.max_influences};
    }
    std::vector<std::filesystem::path> in_use = input.files;
    std::vector<std::filesystem::path> paths;
    for (std::size_t b = 0; b < delivery_.budgets.size(); ++b) {
      paths.push_back(path_of_budget(path, delivery_, b));
      refuse_impossible_place("--output", paths.back());
      refuse_overwriting(session, input.document, paths.back(), output_, input.files);
      in_use.push_back(paths.back());
    }
    optimiser_.check_log(options_.method, in_use);
    const std::set<int> meshes = chosen_meshes(input);
    const std::vector<DeformingOptions> deforming = chosen_bones(input);
    std::vector<BindOptions> options;  // fails before the work, not after
    Notices pose_notices;
    for (std::size_t c = 0; c < input.characters.size(); ++c) {
      options.push_back(options_);
      options.back().deforming = deforming[c];
      optimiser_.apply(options.back(), input.characters[c].character, pose_notices);
    }
    keeping_.apply(input, options);
    spines_.apply(input, meshes, options);
    spines_.tell_ignored(options, pose_notices);
    const std::vector<JointPlan> joints = joint_plans(input, options);
    if (!pose_notices.empty()) input.notices.push_back({input.path.string(), pose_notices});

    const std::vector<LoadedCharacter> as_read = input.characters;
    const std::vector<JointFit> fits = fit_all(session, input, joints, meshes);
    if (!fits.empty()) spines_.apply(input, meshes, options);  // their bones may have moved

    std::vector<Document> documents(paths.size(), input.document);
    std::vector<BoundCharacter> characters;
    std::vector<LoadedCharacter> written;
    for (std::size_t c = 0; c < input.characters.size(); ++c) {
      written.push_back(with_only_meshes(input.characters[c], meshes));
      const JointFit* fit = fits.empty() ? nullptr : &fits[c];
      characters.push_back(bind_one(session, input, options[c], input.characters[c], written.back(),
                                    meshes, fit, documents));
    }
    std::vector<Notices*> notices;
    for (BoundCharacter& character : characters) notices.push_back(&character.bound.notices);
    leave_out_idle_warnings(notices);
    for (std::size_t b = 0; b < documents.size(); ++b)
      inspect_result(input, documents[b], b, written, characters);
    for (std::size_t c = 0; c < characters.size(); ++c)
      judge_bind(session, input,
                 {as_read[c].character, input.characters[c].character, written[c].character.parts,
                  fit_joints_, options[c].own_spines},
                 judging_, characters[c]);
    session.erase_progress();

    report(session, input, characters, fits, paths.front());
    if (const ExitCode exit = check_gates(session, input.path, gates, gated(characters));
        exit != ExitCode::done) {
      Json& message = session.report["error"]["message"];
      message = message.get<std::string>() + "; nothing was written";
      session.print_row("wrote", fmt::format("nothing: --require is not met; {} untouched",
                                             input.path.filename().string()));
      return exit;
    }
    std::vector<DocumentAtPath> outputs;
    for (std::size_t b = 0; b < documents.size(); ++b) outputs.push_back({documents[b], paths[b]});
    std::vector<StagedDrivers> drivers = stage_all_drivers(paths, characters);
    std::vector<std::filesystem::path> files =
        write_documents(session, outputs, output_, input.files);
    for (StagedDrivers& each : drivers) {
      take(each.path, each.file.commit());
      files.push_back(each.path);
      session.report["files"].push_back(each.path.string());
    }
    session.report["outputs"] = Json::array();
    for (const std::filesystem::path& each : paths)
      session.report["outputs"].push_back(each.string());
    write_log(characters);
    tell_written(session, input, files, characters);
    return ExitCode::done;
  }

 private:
  /// What has to fail before anything is written.
  static std::vector<StagedDrivers> stage_all_drivers(std::span<const std::filesystem::path> paths,
                                                      std::span<const BoundCharacter> characters) {
    std::vector<StagedDrivers> staged;
    for (std::size_t b = 0; b < paths.size(); ++b) {
      std::vector<TwistDriver> drivers;
      for (const BoundCharacter& character : characters)
        drivers.insert(drivers.end(), character.spines[b].converted.drivers.begin(),
                       character.spines[b].converted.drivers.end());
      if (auto one = stage_drivers(paths[b], drivers)) staged.push_back(std::move(*one));
    }
    return staged;
  }

  /// With --mesh too, the whole character is read: its other meshes tell which bones deform, and
  /// what the chosen ones sit on.
  Input load_whole(Session& session) const {
    InputOptions whole = input_;
    whole.meshes.clear();
    Input input = load_input(session, whole);
    for (const LoadedCharacter& loaded : input.characters)
      if (loaded.character.skeleton.bone_count() == 0)
        throw Failure{ExitCode::input_refused,
                      {ErrorCode::bad_skin, "", "has no skeleton; --skeleton FILE gives it one"},
                      input.path.string()};
    return input;
  }

  /// What --bones and --skip-bones mean in each character.
  std::vector<DeformingOptions> chosen_bones(const Input& input) const {
    std::vector<const Skeleton*> skeletons;
    for (const LoadedCharacter& loaded : input.characters)
      skeletons.push_back(&loaded.character.skeleton);
    const std::vector<std::vector<int>> bones = match_bone_lists("--bones", bones_, skeletons);
    const std::vector<std::vector<int>> skip =
        match_bone_lists("--skip-bones", skip_bones_, skeletons);
    std::vector<DeformingOptions> chosen;
    for (std::size_t c = 0; c < skeletons.size(); ++c) chosen.push_back({bones[c], skip[c]});
    return chosen;
  }

  /// The meshes whose weights may change. Characters that show none of them are dropped.
  std::set<int> chosen_meshes(Input& input) const {
    std::set<int> meshes;
    for (const LoadedCharacter& loaded : input.characters)
      for (const PartSource& source : loaded.sources) meshes.insert(source.mesh);
    if (input_.meshes.empty()) return meshes;
    const Result<std::vector<int>> matched = match_meshes(input.document, input_.meshes);
    if (!matched.ok()) throw usage_failure("--mesh", matched.error().message);
    std::set<int> chosen;
    for (const int mesh : *matched)
      if (meshes.contains(mesh)) chosen.insert(mesh);
    if (chosen.empty()) throw usage_failure("--mesh", "chooses no mesh that has a skeleton");
    std::erase_if(input.characters, [&](const LoadedCharacter& loaded) {
      return std::none_of(loaded.sources.begin(), loaded.sources.end(),
                          [&](const PartSource& source) { return chosen.contains(source.mesh); });
    });
    return chosen;
  }

  /// Empty unless joints are to move.
  std::vector<JointPlan> joint_plans(const Input& input,
                                     std::span<const BindOptions> options) const {
    if (!fit_joints_ && fitting_.has_any())
      throw usage_failure("--fit-joints",
                          "is missing: --lock-joints, --max-move and --force mean nothing without");
    if (!fit_joints_) return {};
    if (options_.method != BindMethod::araplbs)
      throw usage_failure("--fit-joints",
                          fmt::format("{} optimises nothing to fit joints to", method_));
    if (keeping_.starts_from_existing())
      throw usage_failure("--fit-joints",
                          "joints are fitted along with weights that are made "
                          "anew; sinew fit-joints moves them and keeps weights");
    return fitting_.resolve(input, options);
  }

  /// Fits and moves the joints of every character there is a plan for.
  std::vector<JointFit> fit_all(Session& session, Input& input, std::span<const JointPlan> plans,
                                const std::set<int>& meshes) const {
    const std::vector<int> chosen(meshes.begin(), meshes.end());
    std::vector<JointFit> fits;
    for (std::size_t c = 0; c < plans.size(); ++c) {
      const Levels levels = lods_ == "auto" ? Levels::finest : Levels::all;
      fits.push_back(
          fit_joints_of(session, input, c, plans[c], parts_to_fit(input, c, levels, chosen)));
      move_fitted_joints(input, c, fits.back(), fitting_.moving());
    }
    return fits;
  }

  /// Binds a character, and writes the weights of each budget into that budget's document.
  BoundCharacter bind_one(Session& session, const Input& input, const BindOptions& options,
                          const LoadedCharacter& loaded, const LoadedCharacter& written,
                          const std::set<int>& meshes, const JointFit* fit,
                          std::span<Document> documents) const {
    BoundCharacter character;
    if (lods_ == "auto") character.levels = find_levels_of_detail(input.document, loaded);
    if (fit != nullptr && fit->covers_all) {
      character.bound = fit->fitted.bound;
    } else {
      Result<Bound> bound =
          bind_levels(loaded.character, character.levels, options, session.progress());
      if (!bound.ok())
        throw bind_failure(input.path, optimiser_.edits_file(), std::move(bound).error());
      character.bound = *std::move(bound);
    }
    character.before = describe(loaded, character.bound);
    for (std::size_t p = 0; p < loaded.character.parts.size(); ++p)
      character.parts.push_back(
          {loaded.character.parts[p].name, meshes.contains(loaded.sources[p].mesh)});
    for (std::size_t b = 0; b < documents.size(); ++b) {
      Document& document = documents[b];
      character.spines.push_back(
          take(input.path, make_spine_joints(document, written, character.weights(b),
                                             character.bound, delivery_.budgets[b])));
      const MadeSpines& made = character.spines.back();
      const LoadedCharacter& shown = made.any() ? made.converted.loaded : written;
      take(input.path,
           write_weights(document, shown,
                         made.any() ? made.converted.weights : character.weights(b), writing(b)));
      write_node_settings(document, without_spines(character.bound.skeleton, made));
      character.joints.push_back(
          take(input.path, limit_joints(document, shown, delivery_, b, character.bound.notices)));
      if (b == 0)
        character.bound.notices.insert(character.bound.notices.end(),
                                       made.converted.notices.begin(),
                                       made.converted.notices.end());
    }
    return character;
  }

  static Inspection describe(const LoadedCharacter& loaded, const Bound& bound) {
    return describe_character(loaded, bound.report.roles, bound.report.hierarchy);
  }

  /// Reads the document as any program would, and holds it against the rules that it was written
  /// by.
  void inspect_result(const Input& input, const Document& document, std::size_t budget,
                      std::span<const LoadedCharacter> written,
                      std::span<BoundCharacter> characters) const {
    const std::vector<LoadedCharacter> reread = take(input.path, read_characters(document));
    for (std::size_t c = 0; c < characters.size(); ++c) {
      const std::size_t now = take(input.path, find_written(reread, written[c], writing(budget)));
      const KnownBones known = known_bones(reread[now].character.skeleton, characters[c].bound);
      Inspection& after = characters[c].after.emplace_back(
          characters[c].spines[budget].any()
              ? describe_character(reread[now], known.roles, known.hierarchy)
              : describe(reread[now], characters[c].bound));
      after.file_warnings = count_warnings(characters[c].bound.notices);
      for (const FileNotices& about_file : input.notices)
        after.file_warnings += count_warnings(about_file.notices);
    }
  }

  /// Demands hold for every file.
  [[nodiscard]] std::vector<GatedCharacter> gated(
      std::span<const BoundCharacter> characters) const {
    std::vector<GatedCharacter> gated;
    for (std::size_t b = 0; b < delivery_.budgets.size(); ++b)
      for (const BoundCharacter& character : characters) {
        const std::string& name = character.before.name;
        gated.push_back({delivery_.budgets.size() == 1
                             ? name
                             : fmt::format("{} within {}", name, delivery_.budgets[b]),
                         figures(character.after[b])});
      }
    return gated;
  }

  void write_log(std::span<const BoundCharacter> characters) const {
    std::vector<std::string> names;
    std::vector<SolveReport> solves;
    for (const BoundCharacter& character : characters) {
      if (!character.bound.report.solve) continue;
      names.push_back(character.before.name);
      solves.push_back(*character.bound.report.solve);
    }
    optimiser_.write_log(names, solves);
  }

  [[nodiscard]] WriteWeightsOptions writing(std::size_t budget) const {
    WriteWeightsOptions options;
    options.format = delivery_.format;
    options.max_influences = delivery_.budgets[budget];
    return options;
  }

  void report(Session& session, const Input& input, std::span<const BoundCharacter> characters,
              std::span<const JointFit> fits, const std::filesystem::path& output) const {
    session.report["input"] = input.path.string();
    session.report["format"] = input.format;
    session.report["method"] = to_string(options_.method);
    session.report["max_influences"] = options_.max_influences;
    add_delivery(session.report, delivery_);
    session.report["lods"] = lods_;
    session.report["links"] = links_;
    session.report["hierarchy"] = hierarchy_;
    if (!optimiser_.edits_file().empty()) session.report["edits"] = optimiser_.edits_file();
    session.report["constraints"] = to_string(options_.constraints);
    session.report["obedience"] = options_.obedience;
    session.report["smoothing"] = options_.smoothing;
    session.report["rigid_parts"] = to_string(options_.rigid_parts);
    session.report["mirror"] = to_string(options_.mirror);
    Json& list = session.report["characters"] = Json::array();
    for (const BoundCharacter& character : characters) {
      list.push_back(to_json(character));
      list.back()["spines"] = spines_json(character.spines.front(), character.bound.skeleton);
    }
    for (std::size_t c = 0; c < fits.size(); ++c) list[c]["joint_fit"] = to_json(fits[c]);
    std::vector<FileNotices> notices = all_notices(input);
    for (const BoundCharacter& character : characters)
      notices.push_back({input.path.string(), character.bound.notices});
    session.report["notices"] = Json::array();
    for (FileNotices& each : notices) {
      add_notices(session.report, each.file, each.notices);
      if (!session.options().json) std::erase_if(each.notices, is_in_the_table);
      session.print_notices(each.file, each.notices);
    }
    if (explains_) print_plans(session, characters);
    print_bind(session, input, options_, delivery_, characters);
    for (const BoundCharacter& character : characters) {
      print_spines(session, character.spines.front(), output);
      if (spines_.finds_twist())
        print_twist(session, character.spines.front(), character.bound.skeleton);
    }
    for (const JointFit& fit : fits) print_joint_fit(session, fit);
  }

  void tell_written(Session& session, const Input& input,
                    std::span<const std::filesystem::path> files,
                    std::span<const BoundCharacter> characters) const {
    std::size_t most = 0;
    for (const BoundCharacter& character : characters)
      for (const Inspection& after : character.after) most = std::max(most, after.max_influences);
    std::vector<std::string> names;
    for (const std::filesystem::path& file : files) names.push_back(file.string());
    const bool kept = std::none_of(files.begin(), files.end(), [&](const auto& file) {
      return is_same_path(file, input.path);
    });
    session.print_row(
        "wrote", fmt::format("{}, at most {}{}, valid{}", listed(names, names.size()),
                             counted(most, "influence", "influences"),
                             delivery_.format == WeightFormat::f32
                                 ? std::string()
                                 : fmt::format(", {} weights", to_string(delivery_.format)),
                             kept ? fmt::format("; {} untouched", input.path.filename().string())
                                  : std::string()));
  }

  InputOptions input_;
  OutputOptions output_;
  BindOptions options_;
  OptimiserOptions optimiser_;
  KeepingOptions keeping_;
  SpineOptions spines_;
  JointFittingOptions fitting_;
  bool explains_ = false;
  bool fit_joints_ = false;
  DeliveryOptions delivery_options_;
  Delivery delivery_;
  JudgeOptions judging_;
  std::string method_ = "araplbs";
  std::string links_ = "auto";
  std::string hierarchy_ = "effective";
  std::string lods_ = "auto";
  std::vector<std::string> bones_;
  std::vector<std::string> skip_bones_;
  std::vector<std::string> gates_;
};

}  // namespace

std::unique_ptr<Verb> make_bind_verb() { return std::make_unique<BindVerb>(); }

}  // namespace sinew::cli
