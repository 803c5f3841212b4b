// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/jobs/job_input.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What a verb reads, as the user said it.
struct InputFlags {
  std::string file;
  std::string skeleton;           // a file whose skeleton is added to one that has none
  std::string rig;                // a file that says more about the bones
  std::string bind_pose = "ibm";  // "ibm", "nodes" or "CLIP:TIME"
  std::vector<std::string> characters;
  std::vector<std::string> meshes;
};

/// The file itself, as the verb's argument.
void add_file_argument(CLI::App& app, InputFlags& flags);
/// --bind-pose.
void add_bind_pose_option(CLI::App& app, InputFlags& flags);
/// --skeleton, --rig.
void add_skeleton_options(CLI::App& app, InputFlags& flags);
/// --hierarchy: words that hierarchy_choice_from knows.
void add_hierarchy_option(CLI::App& app, std::string& choice);
/// --poses: how many to judge weights on, as `description` says.
void add_poses_option(CLI::App& app, int& poses, const std::string& description);
/// --character, --mesh.
void add_selection_options(CLI::App& app, InputFlags& flags);

/// What they mean. Throws a usage Failure where there is no file, or where the bind pose is none.
[[nodiscard]] JobInput job_input(const InputFlags& flags);

/// The path that the user gave, or a usage Failure when there is none.
[[nodiscard]] std::filesystem::path required_file(const InputFlags& flags);

}  // namespace sinew::cli
