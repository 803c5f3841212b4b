// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/optimiser_inputs.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "sinew/formats/edits_file.h"
#include "sinew/formats/pose_file.h"
#include "sinew/gltf/selection.h"

namespace sinew {
namespace {

using RandomPoses = OptimiserInputs::RandomPoses;

constexpr const char* kIgnoredOptions = "ignored_options";

/// A name as a field of a .csv file.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

void tell_ignored(const OptimiserInputs& inputs, const BindOptions& options, Notices& notices) {
  if (options.method == BindMethod::araplbs) return;
  const BindOptions defaults;
  const bool has_random = inputs.random_poses == RandomPoses::drawn;
  const bool is_coarse_default = options.coarse.above == defaults.coarse.above &&
                                 options.coarse.vertices == defaults.coarse.vertices;
  const std::array<std::pair<bool, const char*>, 12> given{{
      {has_random && options.exemplars.count.has_value(), "--exemplars"},
      {options.exemplars.limits != defaults.exemplars.limits, "--limits"},
      {!inputs.clips.empty(), "--animation"},
      {!has_random, "--only-animations"},
      {!inputs.poses.empty(), "--pose-file"},
      {options.mirror != defaults.mirror, "--mirror"},
      {options.constraints != defaults.constraints, "--constraints"},
      {options.rotations.has_value(), "--rotations"},
      {options.solver.max_iterations != defaults.solver.max_iterations, "--iterations"},
      {options.solver.filter != defaults.solver.filter, "--filter"},
      {options.solver.harmonic != defaults.solver.harmonic, "--harmonic"},
      {!is_coarse_default, "--coarse"},
  }};
  std::string flags;
  for (const auto& [is_given, flag] : given)
    if (is_given) flags += (flags.empty() ? "" : ", ") + std::string(flag);
  const bool is_told = std::ranges::any_of(  // of another character of the file
      notices, [](const Notice& each) { return each.code == kIgnoredOptions; });
  if (flags.empty() || is_told) return;
  notices.push_back({Notice::Level::warning, kIgnoredOptions, "",
                     fmt::format("{} optimises nothing and takes no notice of {}",
                                 to_string(options.method), flags)});
}

JobResult<std::vector<int>> chosen_clips(const OptimiserInputs& inputs, const Character& character,
                                         BindExemplars::Limits limits) {
  const bool only_clips = inputs.random_poses == RandomPoses::none;
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  std::set<int> chosen;
  if (std::ranges::find(inputs.clips, "all") != inputs.clips.end() ||
      (inputs.clips.empty() && only_clips)) {
    for (std::size_t clip = 0; clip < names.size(); ++clip) chosen.insert(static_cast<int>(clip));
  } else {
    for (const std::string& wanted : inputs.clips) {
      SINEW_TRY(const int clip, of_option("animation", match_clip(names, wanted)));
      chosen.insert(clip);
    }
  }
  const bool takes_clips =
      only_clips || !inputs.clips.empty() || limits == BindExemplars::Limits::clips;
  if (names.empty() && takes_clips && inputs.poses.empty())
    return error_of_option(only_clips              ? "only_animations"
                           : !inputs.clips.empty() ? "animation"
                                                   : "limits",
                           "the file has no animations");
  return std::vector<int>(chosen.begin(), chosen.end());
}

}  // namespace

JobStatus check_optimiser_options(const OptimiserInputs& inputs, const BindOptions& bind) {
  if (!inputs.edits.empty() && bind.method != BindMethod::araplbs)
    return error_of_option("edits",
                           fmt::format("{} optimises nothing to edit", to_string(bind.method)));
  const BindOptions defaults;
  const std::array<std::pair<bool, const char*>, 2> of_interior{
      {{bind.interior.cells != defaults.interior.cells, "cells"},
       {!(bind.interior.radius == defaults.interior.radius), "bone_radius"}}};
  for (const auto& [is_given, option] : of_interior)
    if (is_given && !is_solved_inside(bind))
      return error_of_option(option, "is for --method bbw, --init bbw and --domain volume alone");
  if (bind.method == BindMethod::araplbs && bind.constraints == ConstraintSet::soft) return {};
  const std::array<std::pair<bool, const char*>, 3> given{
      {{bind.obedience != defaults.obedience, "obedience"},
       {bind.smoothing != defaults.smoothing, "smoothing"},
       {bind.rigid_parts != defaults.rigid_parts, "rigid_parts"}}};
  for (const auto& [is_given, option] : given)
    if (is_given)
      return error_of_option(option, "is for --method araplbs with --constraints soft alone");
  return {};
}

JobStatus read_optimiser_inputs(const OptimiserInputs& inputs, const Character& character,
                                BindOptions& options, Notices& notices) {
  tell_ignored(inputs, options, notices);
  if (inputs.random_poses == RandomPoses::none) options.exemplars.count = 0;
  if (!inputs.edits.empty()) {
    SINEW_TRY(options.edits, in_file(inputs.edits, read_edits(inputs.edits, character)));
  }
  SINEW_TRY(options.exemplars.clips, chosen_clips(inputs, character, options.exemplars.limits));
  options.exemplars.poses.clear();
  if (inputs.poses.empty()) return {};
  SINEW_TRY(std::vector<NamedPose> poses,
            in_file(inputs.poses, read_poses(inputs.poses, character.skeleton, notices)));
  for (NamedPose& named : poses) options.exemplars.poses.push_back(std::move(named.pose));
  return {};
}

std::string energy_log(std::span<const std::string> names, std::span<const SolveReport> solves) {
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
  return text;
}

}  // namespace sinew
