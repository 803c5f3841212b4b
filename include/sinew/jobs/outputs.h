// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/job_error.h"

namespace sinew {

/// A file that is needed for something else, and what to call it: "the settings file".
struct ReservedFile {
  std::filesystem::path path;
  std::string what;
};

/// Where what a job makes is to go. A file that is there already is replaced, as -o of a compiler
/// does; a file that this very job read only if the caller says so.
struct OutputOptions {
  std::filesystem::path path;  // of a document a .glb or .gltf; empty: what is made stays in memory
  enum class Inputs { keep, may_be_replaced };
  Inputs inputs = Inputs::keep;
  std::vector<ReservedFile> reserved = {};
};

struct JobDocument {
  Document document;
  std::filesystem::path path;  // empty where none was asked for
};

/// A file that is no document: one that belongs to a document, tells of it, or is what was asked
/// for.
struct JobFile {
  std::filesystem::path path;
  std::string text;
};

/// What a job made, in memory.
struct JobOutputs {
  std::vector<JobDocument> documents;
  std::vector<JobFile> beside;  // belong to documents: drivers of joints
  std::vector<JobFile> logs;    // tell of the work
  OutputOptions options;
  std::vector<std::filesystem::path> files_read;  // by the job
  std::vector<JobFile> main_files = {};  // what was asked for, where it is no document: volumes
};

/// The same file, also through links, or the same place where there is no file yet. An empty path
/// is no place.
[[nodiscard]] bool is_same_path(const std::filesystem::path& a, const std::filesystem::path& b);

/// Refuses a folder, and a name in a folder that is not there.
[[nodiscard]] JobStatus refuse_impossible_place(std::string_view option,
                                                const std::filesystem::path& path);

/// ".glb" of "Hero.GLB".
[[nodiscard]] std::string lower_extension(const std::filesystem::path& path);

/// Refuses, as option "output", what is no .glb or .gltf and what cannot be written there.
[[nodiscard]] JobStatus check_output_path(const std::filesystem::path& path);

/// Refuses, as option "output", a document that would go onto any of `files_read` without leave, or
/// onto a reserved file. For jobs that work long: fails before the work.
[[nodiscard]] JobStatus refuse_overwriting(const Document& document,
                                           const std::filesystem::path& path,
                                           const OutputOptions& options,
                                           std::span<const std::filesystem::path> files_read);

/// The same for a file that is no document, which never replaces what was read.
[[nodiscard]] JobStatus refuse_overwriting(const std::filesystem::path& path,
                                           const OutputOptions& options,
                                           std::span<const std::filesystem::path> files_read);

struct WrittenOutputs {
  std::vector<std::filesystem::path> documents;  // the main file of each
  /// All of each, the main file first; then main files that are no documents; then `beside`.
  std::vector<std::filesystem::path> files;
};

/// Writes everything, whole or not at all: files are made beside their places, and renamed when all
/// are on the disk. What has no path is passed over. Refuses what refuse_overwriting does.
[[nodiscard]] JobResult<WrittenOutputs> write_outputs(const JobOutputs& outputs,
                                                      const Progress& progress = {});

/// Adds the fields "output" and "files" to the report of a job.
void add_written(Json& report, const WrittenOutputs& written);

}  // namespace sinew
