// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/gltf/gltf_document.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// Where a verb writes. A file that is there already is replaced, as -o of a compiler does; a file
/// that this very command reads is replaced only with --in-place.
struct OutputOptions {
  std::string path;
  bool in_place = false;
};

/// The same file, also through links, or the same place where there is no file yet. An empty path
/// is no place.
[[nodiscard]] bool is_same_path(const std::filesystem::path& a, const std::filesystem::path& b);

/// -o, and --in-place for verbs that read a file.
void add_output_option(CLI::App& app, OutputOptions& options);
void add_in_place_option(CLI::App& app, OutputOptions& options);

/// Refuses a folder, and a name in a folder that is not there. Throws a usage Failure.
void refuse_impossible_place(const std::string& flag, const std::filesystem::path& path);

/// The path to write to, checked before any work is done: it is said, it is a .glb or .gltf, and
/// its folder is there. With --in-place and no -o it is `input`. Throws a usage Failure.
[[nodiscard]] std::filesystem::path output_path(const OutputOptions& options,
                                                const std::filesystem::path& input = {});

/// Refuses, by a usage Failure, a document that would go onto any of `files_read` without
/// --in-place, or onto a settings file. For verbs that work long: fails before the work.
void refuse_overwriting(const Session& session, const Document& document,
                        const std::filesystem::path& path, const OutputOptions& options,
                        std::span<const std::filesystem::path> files_read);

/// Writes the documents, all of them whole or none at all. Refuses, by a usage Failure, to replace
/// any of `files_read` without --in-place. Fills report["output"], with the first, and
/// report["files"], and returns the files, the main one of each first.
std::vector<std::filesystem::path> write_documents(
    Session& session, std::span<const DocumentAtPath> documents, const OutputOptions& options,
    std::span<const std::filesystem::path> files_read);

/// The same for one, and tells every file with its size on stderr.
void write_output(Session& session, const Document& document, const std::filesystem::path& path,
                  const OutputOptions& options, std::span<const std::filesystem::path> files_read);

}  // namespace sinew::cli
