// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/jobs/job_input.h"
#include "sinew/jobs/outputs.h"
#include "sinew/report/report.h"

namespace sinew {

/// A page shows files side by side: more than these are too narrow to see anything.
inline constexpr std::size_t kMostReportFiles = 16;

struct ReportJobOptions {
  std::vector<std::string> labels;            // of the files, in order; see report_labels
  std::map<std::string, std::string> failed;  // by label: why weights could not be made
  std::map<std::string, double> seconds;      // by label: how long they took to make
  std::optional<JobInput> original;           // whose joints count, as ReportOptions::original says
  std::filesystem::path log;  // how the last file's weights converged: read_energy_log
  ReportOptions report;       // but for the original and the seed
  std::uint64_t seed = 1;     // of all that is drawn at random
};

struct ReportJobResult {
  std::vector<LoadedInput> inputs;  // one per file, with bones that bend shown by rows of joints
  std::vector<std::filesystem::path> files_read;
  std::vector<FileNotices> notices;
  Report report;  // write_report makes a page of it
};

/// What the files are called: what `labels` says, and then by their names, told apart where they
/// are alike. Error: "label", for more labels than files.
[[nodiscard]] JobResult<std::vector<std::string>> report_labels(
    std::span<const std::filesystem::path> files, std::span<const std::string> labels);

/// Shows files on the same poses, of each the largest of the characters that its input chooses.
/// Errors, beside those of the inputs: "file", "label", "failed", "seconds",
/// "cells", "bone_radius".
[[nodiscard]] JobResult<ReportJobResult> run_report_job(std::span<const JobInput> files,
                                                        const ReportJobOptions& options = {},
                                                        const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once a file is written.
[[nodiscard]] Json to_json(const ReportJobResult& result);

/// Writes a page, or a picture of one, whole or not at all. Refuses, as option "output", to replace
/// what was read.
[[nodiscard]] JobStatus write_page(const std::filesystem::path& path,
                                   std::span<const std::byte> bytes,
                                   std::span<const std::filesystem::path> files_read,
                                   const Progress& progress = {});

}  // namespace sinew
