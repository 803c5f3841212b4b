// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session.h"
#include "sinew/jobs/report_job.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What the verbs that show characters take.
struct ReportArguments {
  std::vector<std::string> files;
  std::vector<std::string> characters;  // which one of a file with several
  std::vector<std::string> failed;      // LABEL=WHY
  std::vector<std::string> seconds;     // LABEL=S
  std::string original;
  std::string bind_pose = "ibm";
  std::string hierarchy = "effective";
  double max_texture_mb = 8;
  ReportJobOptions options;  // as far as flags fill it in as they are
};

/// The files, and --character, --label, --original, --poses, --hierarchy, --bind-pose,
/// --max-influences, --max-texture-mb.
void add_report_arguments(CLI::App& app, ReportArguments& arguments);

/// Refuses, by a usage Failure, to go on without files or in a build without the page.
void check_report_arguments(const ReportArguments& arguments);

/// Reads the files and makes the report. Throws Failure.
[[nodiscard]] ReportJobResult make_report(Session& session, const ReportArguments& arguments);

/// The path to write to, checked before any work is done: its extension is `extension` and its
/// folder is there. Throws a usage Failure.
[[nodiscard]] std::filesystem::path checked_output(const std::filesystem::path& path,
                                                   std::string_view extension);

/// Writes a file that is no document, whole or not at all, and tells it. Throws a Failure.
void write_and_tell(Session& session, std::span<const std::byte> bytes,
                    const std::filesystem::path& path,
                    std::span<const std::filesystem::path> files_read);

}  // namespace sinew::cli
