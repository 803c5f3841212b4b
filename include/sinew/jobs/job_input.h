// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/file_notices.h"
#include "sinew/jobs/job_error.h"

namespace sinew {

/// What a job reads. Names are globs or indices, as in gltf/selection.h.
struct JobInput {
  std::filesystem::path file;           // of any format that sinew knows
  std::optional<Document> document;     // in memory instead; `file` is then only what it is called
  std::filesystem::path skeleton;       // a file whose skeleton is added to one that has none
  std::filesystem::path rig;            // a file that says more about the bones
  BindPose bind_pose;                   // that the meshes were modelled in
  std::vector<std::string> characters;  // without any all
  std::vector<std::string> meshes;      // the same
};

/// A file as it was read, with the characters that were chosen of it.
struct LoadedInput {
  std::filesystem::path path;
  std::string format;  // "glTF", "FBX", ...
  Document document;   // whole, whatever was chosen
  BindPose bind_pose;
  std::vector<LoadedCharacter> characters;
  std::vector<std::filesystem::path> files;  // all that was read: a job must not write over it
  std::vector<FileNotices> notices;          // of the files; each character has its own
};

/// Reads, adds the skeleton, chooses, and applies the rig. Errors name "character" and "mesh" where
/// these choose nothing.
[[nodiscard]] JobResult<LoadedInput> load_input(const JobInput& input,
                                                const Progress& progress = {});

/// The same with all meshes, for jobs that change some of them and have to know the others.
[[nodiscard]] JobResult<LoadedInput> load_all_meshes(const JobInput& input,
                                                     const Progress& progress = {});

/// Refuses an input of which a character has no bones.
[[nodiscard]] JobStatus require_skeletons(const LoadedInput& input);

/// Makes the document say the bind pose that it was read with, if that was another than its own:
/// new inverse bind matrices, written with the weights, which stay.
[[nodiscard]] JobStatus store_bind_pose(LoadedInput& input);

/// Notices of the files and of every character.
[[nodiscard]] std::vector<FileNotices> all_notices(const LoadedInput& input);

}  // namespace sinew
