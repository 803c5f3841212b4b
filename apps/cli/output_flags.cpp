// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output_flags.h"

#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

std::string size_text(std::uintmax_t bytes) {
  constexpr std::uintmax_t kKilobyte = 1000;
  if (bytes < kKilobyte) return fmt::format("{} bytes", bytes);
  return fmt::format("{} kB", fmt::group_digits((bytes + kKilobyte / 2) / kKilobyte));
}

}  // namespace

void add_output_option(CLI::App& app, OutputFlags& flags) {
  app.add_option("-o,--output", flags.path, "Where to write; .glb or .gltf decides the format")
      ->option_text("FILE")
      ->group("Output");
}

void add_in_place_option(CLI::App& app, OutputFlags& flags) {
  app.add_flag("--in-place", flags.in_place, "Allow writing over the file that was read")
      ->group("Output");
}

OutputOptions output_options(const Session& session, const OutputFlags& flags,
                             const fs::path& input) {
  OutputOptions options;
  options.path = flags.path.empty() && flags.in_place ? input : fs::path(flags.path);
  if (options.path.empty()) throw usage_failure("--output", "say where to write: -o FILE.glb");
  check(check_output_path(options.path));
  if (flags.in_place) options.inputs = OutputOptions::Inputs::may_be_replaced;
  options.reserved = settings_files(session);
  return options;
}

std::vector<ReservedFile> settings_files(const Session& session) {
  std::vector<ReservedFile> files;
  for (const std::string& settings : {session.options().settings, session.options().save_settings})
    files.push_back({settings, "the settings file"});
  return files;
}

void write_and_tell(Session& session, const JobOutputs& outputs) {
  const WrittenOutputs written = take(write_outputs(outputs, session.progress()));
  add_written(session.report, written);
  for (const fs::path& file : written.files) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    session.say(fmt::format("wrote  {}{}", file.string(), error ? "" : ", " + size_text(bytes)));
  }
}

}  // namespace sinew::cli
