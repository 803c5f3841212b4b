// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "input_flags.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "sinew/formats/import.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

/// All poses are held in memory: so many, of a hundred bones, take 128 MB.
constexpr int kMaxPoses = 10000;

}  // namespace

void add_file_argument(CLI::App& app, InputFlags& flags) {
  app.add_option("file", flags.file, fmt::format("What to read: {}", readable_extensions()))
      ->option_text(" ");
}

void add_skeleton_options(CLI::App& app, InputFlags& flags) {
  app.add_option("--skeleton", flags.skeleton,
                 "Take the skeleton from this file, for a mesh that has none")
      ->option_text("FILE")
      ->group("Input");
  app.add_option("--rig", flags.rig, "What the file does not say about its bones: limits, kinds")
      ->option_text("FILE")
      ->group("Input");
}

void add_bind_pose_option(CLI::App& app, InputFlags& flags) {
  app.add_option("--bind-pose", flags.bind_pose,
                 "The pose that the mesh was modelled in: ibm (the skin's inverse bind matrices), "
                 "nodes (as stored) or CLIP:TIME [ibm]")
      ->option_text("POSE")
      ->group("Input");
}

void add_hierarchy_option(CLI::App& app, std::string& choice) {
  app.add_option("--hierarchy", choice,
                 "What bones hang on: what they move with (effective), or their parents in the "
                 "file (file) [effective]")
      ->option_text("WHICH")
      ->check(one_of({"effective", "file"}));
}

void add_poses_option(CLI::App& app, int& poses, const std::string& description) {
  app.add_option("--poses", poses, fmt::format("{} [{}]", description, poses))
      ->option_text("N")
      ->check(whole_number(0, kMaxPoses));
}

void add_selection_options(CLI::App& app, InputFlags& flags) {
  add_list_option(app, "--character", flags.characters,
                  "Only this character, by name, glob or index; may be repeated")
      ->option_text("NAME")
      ->group("Input");
  add_list_option(app, "--mesh", flags.meshes,
                  "Look at this mesh only, by name, glob or index; may be repeated")
      ->option_text("NAME")
      ->group("Input");
}

std::filesystem::path required_file(const InputFlags& flags) {
  if (flags.file.empty()) throw usage_failure("", "a file to read is missing; see --help");
  return flags.file;
}

JobInput job_input(const InputFlags& flags) {
  JobInput input;
  input.file = required_file(flags);
  Result<BindPose> bind_pose = BindPose::parse(flags.bind_pose);
  if (!bind_pose.ok()) throw usage_failure("--bind-pose", bind_pose.error().message);
  input.bind_pose = *std::move(bind_pose);
  input.skeleton = flags.skeleton;
  input.rig = flags.rig;
  input.characters = flags.characters;
  input.meshes = flags.meshes;
  return input;
}

}  // namespace sinew::cli
