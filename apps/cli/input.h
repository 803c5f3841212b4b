// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What a verb reads, as the user said it.
struct InputOptions {
  std::string file;
  std::string skeleton;           // a file whose skeleton is added to one that has none
  std::string rig;                // a file that says more about the bones
  std::string bind_pose = "ibm";  // "ibm", "nodes" or "CLIP:TIME"
  std::vector<std::string> characters;
  std::vector<std::string> meshes;
};

/// The file itself, as the verb's argument.
void add_file_argument(CLI::App& app, InputOptions& options);
/// --bind-pose.
void add_bind_pose_option(CLI::App& app, InputOptions& options);
/// --skeleton, --rig.
void add_skeleton_options(CLI::App& app, InputOptions& options);
/// --hierarchy: words that hierarchy_choice_from knows.
void add_hierarchy_option(CLI::App& app, std::string& choice);
/// --poses: how many to judge weights on, as `description` says.
void add_poses_option(CLI::App& app, int& poses, const std::string& description);
/// --character, --mesh.
void add_selection_options(CLI::App& app, InputOptions& options);

struct Input {
  std::filesystem::path path;
  std::string format;  // "glTF", "FBX", ...
  Document document;   // whole, whatever was selected
  BindPose bind_pose;
  std::vector<LoadedCharacter> characters;  // those that were selected
  std::vector<std::filesystem::path>
      files;                         // everything that was read: a verb must not write over it
  std::vector<FileNotices> notices;  // of the files; each character has its own
};

/// Reads, adds the skeleton, and selects. Throws Failure.
[[nodiscard]] Input load_input(Session& session, const InputOptions& options);

/// Makes the document say the bind pose that it was read with, if that was another than its own:
/// new inverse bind matrices, written with the weights, which stay.
void store_bind_pose(Input& input);

/// Those of the files and of every character.
[[nodiscard]] std::vector<FileNotices> all_notices(const Input& input);

/// The path that the user gave, or a usage Failure when there is none.
[[nodiscard]] std::filesystem::path required_file(const InputOptions& options);

}  // namespace sinew::cli
