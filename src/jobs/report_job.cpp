// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/report_job.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"
#include "sinew/spines/spines.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// Of several characters, the one that was asked for, else the largest.
JobResult<const LoadedCharacter*> shown_character(const LoadedInput& input, Notices& notices) {
  const auto largest = std::ranges::max_element(
      input.characters, {},
      [](const LoadedCharacter& loaded) { return loaded.character.mesh.vertex_count(); });
  if (largest == input.characters.end() || largest->character.mesh.vertex_count() == 0)
    return error_in_file(input.path, {ErrorCode::bad_mesh, "", "it has no mesh to show"});
  if (input.characters.size() > 1)
    notices.push_back({Notice::Level::note, "one_of_several", "",
                       fmt::format("'{}' is shown, the largest of {} characters; --character "
                                   "chooses another",
                                   largest->character.name, input.characters.size())});
  return &*largest;
}

/// What is said by label is about one of the files.
template <class Value>
JobStatus check_labels(std::string_view option, const std::map<std::string, Value>& by_label,
                       const std::vector<std::string>& labels) {
  for (const auto& [label, value] : by_label)
    if (std::ranges::find(labels, label) == labels.end())
      return error_of_option(option, fmt::format("no file has the label '{}'", label));
  return {};
}

/// Per bone what it is there to show; nothing for a character without spines.
using ShownFor = std::vector<int>;

/// A page plays joints: bones that bend are shown by rows of them. One entry per character.
JobResult<std::vector<ShownFor>> show_spines(LoadedInput& input) {
  std::vector<ShownFor> shown_for;
  for (LoadedCharacter& loaded : input.characters) {
    shown_for.emplace_back();
    if (!has_spines(loaded.character.skeleton)) continue;
    SINEW_TRY(SpinesShown shown, in_file(input.path, show_own_spines(input.document, loaded)));
    loaded = std::move(shown.loaded);
    shown_for.back() = std::move(shown.shown_for);
    if (!shown.notices.empty()) input.notices.push_back({input.path.string(), shown.notices});
    if (shown.spines == 0) continue;
    input.notices.push_back(
        {input.path.string(),
         {{Notice::Level::note, "spines_shown", "",
           fmt::format("its spines bend, and are shown by {} joints each, at most {:.2g}% of its "
                       "size from where they are",
                       kMostSpineJoints, 100 * shown.deviation_rel)}}});
  }
  return shown_for;
}

JobResult<ReportFile> report_file(const LoadedInput& input, const std::string& label,
                                  const std::vector<ShownFor>& shown_for,
                                  const ReportJobOptions& options) {
  ReportFile file;
  file.name = input.path.filename().string();
  file.label = label;
  file.document = &input.document;
  SINEW_TRY(file.character, shown_character(input, file.notices));
  file.shown_for = shown_for[static_cast<std::size_t>(file.character - input.characters.data())];
  for (const FileNotices& about_file : input.notices)
    file.notices.insert(file.notices.end(), about_file.notices.begin(), about_file.notices.end());
  if (const auto found = options.failed.find(label); found != options.failed.end())
    file.failed = found->second;
  if (const auto found = options.seconds.find(label); found != options.seconds.end())
    file.seconds = found->second;
  return file;
}

void add_files_read(const LoadedInput& input, ReportJobResult& result) {
  result.files_read.insert(result.files_read.end(), input.files.begin(), input.files.end());
}

}  // namespace

JobResult<std::vector<std::string>> report_labels(std::span<const fs::path> files,
                                                  std::span<const std::string> given) {
  if (given.size() > files.size())
    return error_of_option("label", fmt::format("there are {} labels for {} {}", given.size(),
                                                fmt::group_digits(files.size()),
                                                files.size() == 1 ? "file" : "files"));
  std::vector<std::string> labels(given.begin(), given.end());
  for (std::size_t f = labels.size(); f < files.size(); ++f)
    labels.push_back(files[f].stem().string());
  // Files of one name in several folders are told apart by the folders.
  for (std::size_t f = given.size(); f < labels.size(); ++f)
    if (std::ranges::count(labels, labels[f]) > 1)
      labels[f] = (files[f].parent_path().filename() / labels[f]).string();
  for (std::size_t f = 0; f < labels.size(); ++f)
    if (std::ranges::count(labels, labels[f]) > 1) labels[f] += fmt::format(" ({})", f + 1);
  return labels;
}

JobResult<ReportJobResult> run_report_job(std::span<const JobInput> files,
                                          const ReportJobOptions& options,
                                          const Progress& progress) {
  if (files.empty()) return error_of_option("file", "there is nothing to show");
  if (files.size() > kMostReportFiles)
    return error_of_option("file", fmt::format("{} files do not fit on a page; {} do", files.size(),
                                               kMostReportFiles));
  std::vector<fs::path> paths;
  for (const JobInput& file : files) paths.push_back(file.file);
  SINEW_TRY(const std::vector<std::string> labels, report_labels(paths, options.labels));
  SINEW_CHECK(check_labels("failed", options.failed, labels));
  SINEW_CHECK(check_labels("seconds", options.seconds, labels));

  ReportJobResult result;
  std::vector<std::vector<ShownFor>> shown_for;  // per file and character
  for (const JobInput& file : files) {
    SINEW_TRY(LoadedInput loaded, load_input(file, progress));
    SINEW_CHECK(store_bind_pose(loaded));
    SINEW_TRY(std::vector<ShownFor> shown, show_spines(loaded));
    result.inputs.push_back(std::move(loaded));
    shown_for.push_back(std::move(shown));
  }
  std::vector<ReportFile> shown;  // refer to the inputs
  for (std::size_t f = 0; f < result.inputs.size(); ++f) {
    SINEW_TRY(ReportFile file, report_file(result.inputs[f], labels[f], shown_for[f], options));
    shown.push_back(std::move(file));
    add_files_read(result.inputs[f], result);
    for (FileNotices& notices : all_notices(result.inputs[f]))
      result.notices.push_back(std::move(notices));
  }
  if (!options.log.empty()) {
    SINEW_TRY(shown.back().convergence, in_file(options.log, read_energy_log(options.log)));
    result.files_read.push_back(options.log);
  }
  ReportOptions report = options.report;
  report.judging.seed = options.seed;
  LoadedInput original;
  if (options.original) {
    SINEW_TRY(original, load_input(*options.original, progress));
    Notices ignored;
    SINEW_TRY(const LoadedCharacter* const character, shown_character(original, ignored));
    report.original = &character->character;
    add_files_read(original, result);
  }
  Result<Report> made = make_report(shown, report, progress);
  if (!made.ok() && made.error().code == ErrorCode::bad_argument && !made.error().place.empty())
    return error_of_option(made.error().place, made.error().message);
  SINEW_TRY(result.report, in_file(result.inputs.front().path, std::move(made)));
  return result;
}

Json to_json(const ReportJobResult& result) {
  const Json& payload = result.report.payload;
  Json report = {{"verdict", payload["verdict"]}, {"poses", payload["poses"].size()}};
  Json& files = report["characters"] = Json::array();
  for (std::size_t f = 0; f < payload["files"].size(); ++f) {
    const Json& entry = payload["files"][f];
    Json told = {{"input", result.inputs[f].path.string()},
                 {"label", entry["label"]},
                 {"figures", entry["figures"]}};
    for (const char* const field : {"failed", "textures_note"})
      if (entry.contains(field)) told[field] = entry[field];
    if (entry.contains("interior")) {
      const Json& interior = payload["interiors"][entry["interior"].get<std::size_t>()];
      for (const char* const field : {"cells", "points", "cell_edge", "cell_size", "split_places"})
        told["interior"][field] = interior[field];
    }
    files.push_back(std::move(told));
  }
  report["notices"] = to_json(result.notices);
  return report;
}

JobStatus write_page(const fs::path& path, std::span<const std::byte> bytes,
                     std::span<const fs::path> files_read, const Progress& progress) {
  for (const fs::path& read : files_read)
    if (is_same_path(read, path))
      return error_of_option("output",
                             fmt::format("{}: this is an input; give another name", path.string()));
  SINEW_CHECK(progress.checkpoint("writing", 1));
  return in_file(path, write_file_atomically(path, bytes));
}

}  // namespace sinew
