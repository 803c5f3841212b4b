// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session.h"
#include "sinew/jobs/outputs.h"

namespace CLI {
class App;
}

namespace sinew::cli {

struct OutputFlags {
  std::string path;
  bool in_place = false;
};

/// -o, and --in-place for verbs that read a file.
void add_output_option(CLI::App& app, OutputFlags& flags);
void add_in_place_option(CLI::App& app, OutputFlags& flags);

/// Where to write, checked before any work is done: with --in-place and no -o it is `input`.
/// Settings files are never written over. Throws a usage Failure.
[[nodiscard]] OutputOptions output_options(const Session& session, const OutputFlags& flags,
                                           const std::filesystem::path& input = {});

/// The settings files of this command, which nothing is written over.
[[nodiscard]] std::vector<ReservedFile> settings_files(const Session& session);

/// Writes what a job made of one file, fills the report, and tells every file with its size on
/// stderr. Throws a Failure.
void write_and_tell(Session& session, const JobOutputs& outputs);

}  // namespace sinew::cli
