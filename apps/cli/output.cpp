// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "text.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

std::string size_text(std::uintmax_t bytes) {
  constexpr std::uintmax_t kKilobyte = 1000;
  if (bytes < kKilobyte) return fmt::format("{} bytes", bytes);
  return fmt::format("{} kB", fmt::group_digits((bytes + kKilobyte / 2) / kKilobyte));
}

}  // namespace

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

void add_output_option(CLI::App& app, OutputOptions& options) {
  app.add_option("-o,--output", options.path, "Where to write; .glb or .gltf decides the format")
      ->option_text("FILE")
      ->group("Output");
}

void add_in_place_option(CLI::App& app, OutputOptions& options) {
  app.add_flag("--in-place", options.in_place, "Allow writing over the file that was read")
      ->group("Output");
}

void refuse_impossible_place(const std::string& flag, const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    throw usage_failure(flag, fmt::format("{}: this is a folder", path.string()));
  if (path.has_parent_path() && !fs::is_directory(path.parent_path(), error))
    throw usage_failure(flag,
                        fmt::format("{}: there is no such folder", path.parent_path().string()));
}

fs::path output_path(const OutputOptions& options, const fs::path& input) {
  const bool onto_input = options.path.empty() && options.in_place;
  const fs::path path = onto_input ? input : fs::path(options.path);
  if (path.empty()) throw usage_failure("--output", "say where to write: -o FILE.glb");
  const std::string extension = lower_extension(path);
  if (extension != ".glb" && extension != ".gltf")
    throw usage_failure("--output",
                        fmt::format("{}: only .glb and .gltf are written", path.string()));
  refuse_impossible_place("--output", path);
  return path;
}

void refuse_overwriting(const Session& session, const Document& document, const fs::path& path,
                        const OutputOptions& options, std::span<const fs::path> files_read) {
  for (const fs::path& file : files_to_write(document, path)) {
    const bool was_read =
        std::any_of(files_read.begin(), files_read.end(),
                    [&](const fs::path& read) { return is_same_path(read, file); });
    if (was_read && !options.in_place)
      throw usage_failure("--output", fmt::format("{}: this is the input; give another name, or "
                                                  "--in-place to write over it",
                                                  file.string()));
    for (const std::string& settings :
         {session.options().settings, session.options().save_settings})
      if (is_same_path(file, settings))
        throw usage_failure("--output", fmt::format("{}: this is the settings file; give another "
                                                    "name",
                                                    file.string()));
  }
}

std::vector<fs::path> write_documents(Session& session, std::span<const DocumentAtPath> documents,
                                      const OutputOptions& options,
                                      std::span<const fs::path> files_read) {
  std::vector<fs::path> files;
  for (const auto& [document, path] : documents) {
    refuse_overwriting(session, document, path, options, files_read);
    for (fs::path& file : files_to_write(document, path)) files.push_back(std::move(file));
  }
  session.checkpoint("writing", 0);
  take(documents.front().path, write_gltf_files(documents));
  session.progress().update("writing", 1);
  session.report["output"] = documents.front().path.string();
  Json& written = session.report["files"] = Json::array();
  for (const fs::path& file : files) written.push_back(file.string());
  return files;
}

void write_output(Session& session, const Document& document, const fs::path& path,
                  const OutputOptions& options, std::span<const fs::path> files_read) {
  const DocumentAtPath only{document, path};
  for (const fs::path& file : write_documents(session, std::span(&only, 1), options, files_read)) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    session.say(fmt::format("wrote  {}{}", file.string(), error ? "" : ", " + size_text(bytes)));
  }
}

}  // namespace sinew::cli
