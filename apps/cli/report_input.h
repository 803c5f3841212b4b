// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "input.h"
#include "session.h"
#include "sinew/report/report.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What the verbs that show characters take.
struct ReportArguments {
  std::vector<std::string> files;
  std::vector<std::string> labels;      // one per file, in order
  std::vector<std::string> characters;  // which one of a file with several
  std::vector<std::string> failed;      // LABEL=WHY
  std::vector<std::string> seconds;     // LABEL=S
  std::string original;
  std::string log;
  std::string bind_pose = "ibm";
  std::string hierarchy = "effective";
  double max_texture_mb = 8;
  ReportOptions options;
};

/// The files, and --character, --label, --original, --poses, --hierarchy, --bind-pose,
/// --max-influences, --max-texture-mb.
void add_report_arguments(CLI::App& app, ReportArguments& arguments);

/// Refuses, by a usage Failure, to go on without files or in a build without the page.
void check_report_arguments(const ReportArguments& arguments);

struct LoadedReport {
  std::vector<Input> inputs;  // one per file
  std::vector<std::filesystem::path> files_read;
  Report report;
};

/// Reads the files and makes the report. Throws Failure.
[[nodiscard]] LoadedReport load_report(Session& session, const ReportArguments& arguments);

/// The path to write to, checked before any work is done: its extension is `extension` and its
/// folder is there. Throws a usage Failure.
[[nodiscard]] std::filesystem::path checked_output(const std::filesystem::path& path,
                                                   std::string_view extension);

/// Writes a file that is no document, whole or not at all, and tells it. Refuses, by a usage
/// Failure, to replace what was read.
void write_plain_output(Session& session, std::span<const std::byte> bytes,
                        const std::filesystem::path& path,
                        std::span<const std::filesystem::path> files_read);

}  // namespace sinew::cli
