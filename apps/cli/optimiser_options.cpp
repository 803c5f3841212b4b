// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimiser_options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "name_lists.h"
#include "output.h"
#include "sinew/core/atomic_file.h"
#include "sinew/formats/edits_file.h"
#include "sinew/formats/pose_file.h"
#include "sinew/gltf/selection.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr int kMostIterations = 10000;
constexpr int kLeastCoarse = 1000;  // vertices: fewer are no shape of a character
constexpr int kMostCoarse = 10'000'000;
constexpr double kMostHarmonic = 1000;
constexpr const char* kGroup = "Optimisation";
constexpr const char* kIgnoredOptions = "ignored_options";

/// A name as a field of a .csv file.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace

void OptimiserOptions::add_to(CLI::App& app, BindOptions& options) {
  WeightSolverOptions& solver = options.solver;
  app.add_option("--exemplars", options.exemplars.count,
                 fmt::format("Random poses to optimise for [{}, or {} where both sides are solved "
                             "as one and each counts for both]",
                             BindExemplars::kUsual, BindExemplars::kUsualMirrored))
      ->check(whole_number(0, kMostExemplars))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--limits", limits_,
                 "How far bones turn in random poses. bones: by their own limits, or 60 degrees "
                 "and 10 of twist; clips: as far as in the file's animations, and some [bones]")
      ->check(one_of({"bones", "clips"}))
      ->option_text("WHOSE")
      ->group(kGroup);
  add_list_option(app, "--animation", clips_,
                  "Optimise for frames of this clip too, by name, glob or index, or all; may be "
                  "repeated")
      ->option_text("NAME")
      ->group(kGroup);
  app.add_flag("--only-animations", only_animations_,
               "Optimise for frames of animations and for no random poses; all clips without "
               "--animation")
      ->group(kGroup);
  app.add_option("--pose-file", pose_file_,
                 "Optimise for the poses in this file too: .bvh, or .json as docs/pose-format.md "
                 "says")
      ->option_text("FILE")
      ->group(kGroup);
  app.add_option("--obedience", options.obedience,
                 fmt::format("From the least distortion, 0, to skin that follows its "
                             "bones all the way, 1 [{}]",
                             options.obedience))
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
  app.add_option("--smoothing", options.smoothing,
                 fmt::format("How gently weights change: as if bones were off by so "
                             "much, of the character's diagonal; 0.05 is much [{}]",
                             options.smoothing))
      ->check(number_within(0, 1))
      ->option_text("AMOUNT")
      ->group(kGroup);
  app.add_option("--rigid-parts", rigid_parts_,
                 "Separate parts that are bound to one bone: plates, eyes, the "
                 "limbs of machines. auto: those that look like it; on: all; off: "
                 "none [auto]")
      ->check(one_of({"auto", "on", "off"}))
      ->option_text("WHICH")
      ->group(kGroup);
  app.add_option("--mirror", mirror_,
                 "auto: skeletons that are symmetric by name and place get weights that are the "
                 "same on both sides, wherever the mesh is symmetric; x: across x, however little "
                 "is; off: sides are solved apart [auto]")
      ->check(one_of({"auto", "x", "off"}))
      ->option_text("ACROSS")
      ->group(kGroup);
  app.add_option(
         "--constraints", constraints_,
         "What keeps the mesh with its bones. soft: bones lead the skin around their middle; "
         "paper: skin is held where weights peak and fades where they end [soft]")
      ->check(one_of({"soft", "paper"}))
      ->option_text("SET")
      ->group(kGroup);
  app.add_option("--rotations", rotations_,
                 "exact: every vertex turns by itself; clustered: in small groups, much faster; "
                 "auto: by size [auto]")
      ->check(one_of({"auto", "exact", "clustered"}))
      ->option_text("HOW")
      ->group(kGroup);
  app.add_option("--iterations", solver.max_iterations,
                 fmt::format("Steps of the optimisation at most [{}]", solver.max_iterations))
      ->check(whole_number(0, kMostIterations))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--coarse", coarse_,
                 fmt::format("Solve on a simplified mesh of about so many vertices and carry the "
                             "weights over; auto: on {} where there are more than {}; off: never "
                             "[auto]",
                             options.coarse.vertices, options.coarse.above))
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            if (text == "auto" || text == "off") return {};
            return whole_number(kLeastCoarse, kMostCoarse)(text);
          },
          "", "coarse"))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--filter", filter_,
                 "on: even out weights a little after each step, after which bones lead less; off: "
                 "never [off]")
      ->check(one_of({"on", "off"}))
      ->option_text("HOW")
      ->group(kGroup);
  app.add_option("--harmonic", solver.harmonic,
                 "Smooth weights by so much, at the cost of distortion and time; 0.00001 is little "
                 "and 0.001 is much [0]")
      ->check(number_within(0, kMostHarmonic))
      ->option_text("AMOUNT")
      ->group(kGroup);
  app.add_option("--edits", edits_file_,
                 "Change bones, wires, weights and attachments while optimising, as this .json "
                 "file says: docs/edits-format.md")
      ->option_text("FILE")
      ->group(kGroup);
  app.add_option("--log", log_, "Write the energy of each step to this .csv file")
      ->option_text("FILE")
      ->group(kGroup);
}

void OptimiserOptions::check_log(BindMethod method,
                                 std::span<const std::filesystem::path> others) const {
  if (log_.empty()) return;
  if (method != BindMethod::araplbs)
    throw usage_failure("--log", fmt::format("{} has no steps to write down", to_string(method)));
  const std::filesystem::path log(log_);
  if (log.extension() != ".csv") throw usage_failure("--log", "the name has to end in .csv");
  for (const std::filesystem::path& other : others)
    if (is_same_path(log, other))
      throw usage_failure("--log", fmt::format("'{}' is needed for something else", log_));
  refuse_impossible_place("--log", log);
}

void OptimiserOptions::apply(BindOptions& options, std::uint64_t seed) const {
  if (!edits_file_.empty() && options.method != BindMethod::araplbs)
    throw usage_failure("--edits",
                        fmt::format("{} optimises nothing to edit", to_string(options.method)));
  options.exemplars.seed = seed;
  options.constraints = *constraint_set_from(constraints_);
  options.rigid_parts = *rigid_parts_from(rigid_parts_);
  options.mirror = *mirror_choice_from(mirror_);
  if (coarse_ == "off") {
    options.coarse.above = std::numeric_limits<std::size_t>::max();
  } else if (coarse_ != "auto") {
    options.coarse.vertices = std::stoul(coarse_);
    options.coarse.above = options.coarse.vertices;
  }
  const BindOptions defaults;
  const bool is_soft =
      options.method == BindMethod::araplbs && options.constraints == ConstraintSet::soft;
  const auto refuse_if = [&](bool is_given, const char* flag) {
    if (is_given && !is_soft)
      throw usage_failure(flag, "is for --method araplbs with --constraints soft alone");
  };
  refuse_if(options.obedience != defaults.obedience, "--obedience");
  refuse_if(options.smoothing != defaults.smoothing, "--smoothing");
  refuse_if(options.rigid_parts != defaults.rigid_parts, "--rigid-parts");
  options.solver.seed = seed;
  options.exemplars.limits =
      limits_ == "clips" ? BindExemplars::Limits::clips : BindExemplars::Limits::bones;
  options.rotations = rotation_mode_from(rotations_);  // by size where it says neither
  options.solver.filter =
      filter_ == "on" ? WeightSolverOptions::Filter::laplacian : WeightSolverOptions::Filter::off;
  if (only_animations_) options.exemplars.count = 0;
}

void OptimiserOptions::tell_ignored(const BindOptions& options, Notices& notices) const {
  if (options.method == BindMethod::araplbs) return;
  const BindOptions defaults;
  const std::array<std::pair<bool, const char*>, 11> given{{
      {!only_animations_ && options.exemplars.count.has_value(), "--exemplars"},
      {limits_ != "bones", "--limits"},
      {!clips_.empty(), "--animation"},
      {only_animations_, "--only-animations"},
      {!pose_file_.empty(), "--pose-file"},
      {options.mirror != defaults.mirror, "--mirror"},
      {options.constraints != defaults.constraints, "--constraints"},
      {options.rotations.has_value(), "--rotations"},
      {options.solver.max_iterations != defaults.solver.max_iterations, "--iterations"},
      {options.solver.filter != defaults.solver.filter, "--filter"},
      {options.solver.harmonic != defaults.solver.harmonic, "--harmonic"},
  }};
  std::string flags;
  for (const auto& [is_given, flag] : given)
    if (is_given) flags += (flags.empty() ? "" : ", ") + std::string(flag);
  if (coarse_ != "auto") flags += (flags.empty() ? "" : ", ") + std::string("--coarse");
  const bool is_told = std::ranges::any_of(  // of another character of the file
      notices, [](const Notice& each) { return each.code == kIgnoredOptions; });
  if (flags.empty() || is_told) return;
  notices.push_back({Notice::Level::warning, kIgnoredOptions, "",
                     fmt::format("{} optimises nothing and takes no notice of {}",
                                 to_string(options.method), flags)});
}

void OptimiserOptions::apply(BindOptions& options, const Character& character,
                             Notices& notices) const {
  tell_ignored(options, notices);
  if (!edits_file_.empty()) options.edits = take(edits_file_, read_edits(edits_file_, character));
  options.exemplars.clips = chosen_clips(character);
  options.exemplars.poses.clear();
  if (pose_file_.empty()) return;
  for (NamedPose& named : take(pose_file_, read_poses(pose_file_, character.skeleton, notices)))
    options.exemplars.poses.push_back(std::move(named.pose));
}

std::vector<int> OptimiserOptions::chosen_clips(const Character& character) const {
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  std::set<int> chosen;
  if (std::ranges::find(clips_, "all") != clips_.end() || (clips_.empty() && only_animations_)) {
    for (std::size_t clip = 0; clip < names.size(); ++clip) chosen.insert(static_cast<int>(clip));
  } else {
    for (const std::string& wanted : clips_) {
      const Result<int> clip = match_clip(names, wanted);
      if (!clip.ok()) throw usage_failure("--animation", clip.error().message);
      chosen.insert(*clip);
    }
  }
  if (names.empty() && (only_animations_ || !clips_.empty() || limits_ == "clips") &&
      pose_file_.empty())
    throw usage_failure(only_animations_  ? "--only-animations"
                        : !clips_.empty() ? "--animation"
                                          : "--limits",
                        "the file has no animations");
  return {chosen.begin(), chosen.end()};
}

void OptimiserOptions::write_log(std::span<const std::string> names,
                                 std::span<const SolveReport> solves) const {
  if (log_.empty()) return;
  std::string text = "character,iteration,energy,after_rotations,after_weights,constraints,edit\n";
  for (std::size_t c = 0; c < solves.size(); ++c) {
    text += fmt::format("{},0,{},,,,\n", quoted(names[c]), solves[c].arap_start);
    for (std::size_t s = 0; s < solves[c].steps.size(); ++s) {
      const StepEnergy& step = solves[c].steps[s];
      std::string edits;  // made right before the step
      for (const EditMark& mark : solves[c].marks)
        if (mark.after_steps == s) edits += (edits.empty() ? "" : "; ") + mark.what;
      text += fmt::format("{},{},{},{},{},{},{}\n", quoted(names[c]), s + 1, step.arap,
                          step.after_rotations, step.after_weights, step.constraints, edits);
    }
  }
  take(log_, write_file_atomically(log_, std::as_bytes(std::span(text))));
}

}  // namespace sinew::cli
