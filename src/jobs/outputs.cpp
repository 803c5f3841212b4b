// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/outputs.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sinew/core/atomic_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// A file that is on the disk, but not in its place yet.
struct StagedFile {
  fs::path path;
  AtomicFile file;
};

JobStatus stage(std::span<const JobFile> files, std::vector<StagedFile>& staged) {
  for (const JobFile& each : files) {
    if (each.path.empty()) continue;
    SINEW_TRY(AtomicFile file, in_file(each.path, AtomicFile::create(each.path)));
    SINEW_CHECK(in_file(each.path, file.write(std::as_bytes(std::span(each.text)))));
    staged.push_back({each.path, std::move(file)});
  }
  return {};
}

bool is_any_of(const fs::path& file, std::span<const fs::path> files) {
  return std::ranges::any_of(files,
                             [&](const fs::path& other) { return is_same_path(other, file); });
}

JobStatus refuse_reserved(const fs::path& file, const OutputOptions& options) {
  for (const ReservedFile& reserved : options.reserved)
    if (is_same_path(file, reserved.path))
      return error_of_option(
          "output", fmt::format("{}: this is {}; give another name", file.string(), reserved.what));
  return {};
}

}  // namespace

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

bool is_same_path(const fs::path& a, const fs::path& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  if (fs::equivalent(a, b, error) && !error) return true;
  const auto resolved = [](const fs::path& path) {
    std::error_code unresolved;
    const fs::path whole = fs::absolute(path, unresolved);
    const fs::path canonical = fs::weakly_canonical(whole, unresolved);
    return unresolved ? whole.lexically_normal() : canonical;
  };
  return resolved(a) == resolved(b);
}

JobStatus refuse_impossible_place(std::string_view option, const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return error_of_option(option, fmt::format("{}: this is a folder", path.string()));
  if (path.has_parent_path() && !fs::is_directory(path.parent_path(), error))
    return error_of_option(option,
                           fmt::format("{}: there is no such folder", path.parent_path().string()));
  return {};
}

JobStatus check_output_path(const fs::path& path) {
  const std::string extension = lower_extension(path);
  if (extension != ".glb" && extension != ".gltf")
    return error_of_option("output",
                           fmt::format("{}: only .glb and .gltf are written", path.string()));
  return refuse_impossible_place("output", path);
}

JobStatus refuse_overwriting(const Document& document, const fs::path& path,
                             const OutputOptions& options, std::span<const fs::path> files_read) {
  for (const fs::path& file : files_to_write(document, path)) {
    if (is_any_of(file, files_read) && options.inputs == OutputOptions::Inputs::keep)
      return error_of_option("output", fmt::format("{}: this is the input; give another name, or "
                                                   "--in-place to write over it",
                                                   file.string()));
    SINEW_CHECK(refuse_reserved(file, options));
  }
  return {};
}

JobStatus refuse_overwriting(const fs::path& path, const OutputOptions& options,
                             std::span<const fs::path> files_read) {
  if (is_any_of(path, files_read))
    return error_of_option("output",
                           fmt::format("{}: this is the input; give another name", path.string()));
  return refuse_reserved(path, options);
}

JobResult<WrittenOutputs> write_outputs(const JobOutputs& outputs, const Progress& progress) {
  WrittenOutputs written;
  std::vector<DocumentAtPath> documents;
  for (const auto& [document, path] : outputs.documents) {
    if (path.empty()) continue;
    SINEW_CHECK(refuse_overwriting(document, path, outputs.options, outputs.files_read));
    documents.push_back({document, path});
    written.documents.push_back(path);
    for (fs::path& file : files_to_write(document, path)) written.files.push_back(std::move(file));
  }
  for (const JobFile& each : outputs.main_files)
    if (!each.path.empty())
      SINEW_CHECK(refuse_overwriting(each.path, outputs.options, outputs.files_read));
  std::vector<StagedFile> staged;
  SINEW_CHECK(stage(outputs.main_files, staged));
  SINEW_CHECK(stage(outputs.beside, staged));
  SINEW_CHECK(stage(outputs.logs, staged));
  SINEW_CHECK(progress.checkpoint("writing", 0));
  if (!documents.empty()) SINEW_CHECK(in_file(documents.front().path, write_gltf_files(documents)));
  progress.update("writing", 1);
  for (StagedFile& each : staged) SINEW_CHECK(in_file(each.path, each.file.commit()));
  for (const auto* files : {&outputs.main_files, &outputs.beside})
    for (const JobFile& each : *files)
      if (!each.path.empty()) written.files.push_back(each.path);
  return written;
}

void add_written(Json& report, const WrittenOutputs& written) {
  if (written.files.empty()) return;
  report["output"] = written.files.front().string();
  Json& files = report["files"] = Json::array();
  for (const fs::path& file : written.files) files.push_back(file.string());
}

}  // namespace sinew
