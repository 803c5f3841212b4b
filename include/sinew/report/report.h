// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/report/inspection.h"
#include "sinew/weights/interior.h"

namespace sinew {

/// A step of an optimisation, for the plot of how it converged.
struct ConvergencePoint {
  double iteration = 0;
  double energy = 0;
};

/// A file that a report shows. Document and character must outlive the call.
struct ReportFile {
  std::string name;                            // "hero.glb"
  std::string label;                           // what a reader calls it: "artist", "heat"
  const Document* document = nullptr;          // whole
  const LoadedCharacter* character = nullptr;  // of that document
  /// Per bone, the one that it is there to show: itself, or of a joint that stands for a bone which
  /// bends, in the page alone, that bone; its influences count as that one's. Empty: all
  /// themselves.
  std::vector<int> shown_for;
  Notices notices;  // about the file; the character has its own
  std::vector<ConvergencePoint> convergence;
  std::optional<double> seconds;  // how long the weights took to make
  std::string failed;  // why a method gave no result; a file without any weights fails by itself
};

struct ReportOptions {
  JudgeOptions judging;
  /// Whose bones' roles, hierarchy and poses count, as in InspectOptions; else the first file.
  const Character* original = nullptr;
  int max_influences = 4;                       // vertices with more are marked
  std::uint64_t max_texture_bytes = 8'000'000;  // of all files together; see PlainGlbOptions
  std::string title;                            // else the labels
  std::string generator = "sinew";
  /// What characters are filled with is shown, too, with the weights that are solved there: how.
  /// Absent: not, since it takes as long as making weights.
  std::optional<InteriorOptions> interior;
};

/// What a page shows, before it is put into one.
struct Report {
  Json payload;                         // docs/report-format.md
  std::vector<Bytes> blobs;             // the files as .glb, as payload["files"][f]["blob"] counts
  std::vector<Inspection> inspections;  // one per file, as inspect_character gives them
};

/// Judges all files on the same poses and gathers what a reader wants to see. Poses are those that
/// a rigger tries first (poses/limb_poses.h), the worst moment of each clip, and the random
/// ones that the figures are means of; they are made on the first file, or the original, and other
/// files take them by the names of bones. The figures are those of inspect_character, with the
/// original, or for further files the first one, as what they are judged against.
/// Files of one mesh with one skeleton have one interior, that of the first of them.
/// Fails when cancelled, when a file cannot be written as .glb, and as solve_interior does.
[[nodiscard]] Result<Report> make_report(std::span<const ReportFile> files,
                                         const ReportOptions& options = {},
                                         const Progress& progress = {});

/// The page that reports are put into, as it was built into this library; empty in a build without
/// SINEW_WITH_REPORT.
[[nodiscard]] std::string_view report_page();

/// The report as one HTML file. Fails when the page does not have its place for one.
[[nodiscard]] Result<std::string> write_report(const Report& report,
                                               std::string_view page = report_page());

/// Rows "iteration,energy" of a text file with commas, found by these words in its first line;
/// other columns are passed over. The place of an error is its line.
[[nodiscard]] Result<std::vector<ConvergencePoint>> read_energy_log(
    const std::filesystem::path& path);

}  // namespace sinew
