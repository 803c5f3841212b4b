// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "report_flags.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "input_flags.h"
#include "sinew/formats/import.h"
#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostInfluences = 255;
constexpr double kMostTextureMb = 1000;  // a .glb of more than 4 GB cannot be
constexpr double kBytesPerMb = 1e6;

/// LABEL=VALUE, by label.
std::map<std::string, std::string> by_label(const std::string& flag,
                                            const std::vector<std::string>& texts,
                                            const std::vector<std::string>& labels) {
  std::map<std::string, std::string> values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string label = text.substr(0, equals);
    if (equals == std::string::npos)
      throw usage_failure(flag, fmt::format("'{}' is not LABEL=VALUE", text));
    if (std::find(labels.begin(), labels.end(), label) == labels.end())
      throw usage_failure(
          flag, fmt::format("no file has the label '{}'{}", label, did_you_mean(label, labels)));
    values[label] = text.substr(equals + 1);
  }
  return values;
}

double seconds_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0))
    throw usage_failure("--seconds", fmt::format("'{}' is not a time", text));
  return value;
}

JobInput input_of(const ReportArguments& arguments, const std::string& file) {
  InputFlags flags;
  flags.file = file;
  flags.bind_pose = arguments.bind_pose;
  flags.characters = arguments.characters;
  return job_input(flags);
}

}  // namespace

void add_report_arguments(CLI::App& app, ReportArguments& arguments) {
  app.add_option("file", arguments.files,
                 fmt::format("What to show, side by side: {}", readable_extensions()))
      ->expected(-1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text("...");
  add_list_option(app, "--label", arguments.options.labels,
                  "What to call a file instead of its name, in the order of the files; may be "
                  "repeated")
      ->option_text("TEXT");
  add_list_option(app, "--character", arguments.characters,
                  "Show this character of a file with several, by name, glob or index")
      ->option_text("NAME")
      ->group("Input");
  app.add_option("--bind-pose", arguments.bind_pose,
                 "The pose that the meshes were modelled in: ibm (the skin's inverse bind "
                 "matrices), nodes (as stored) or CLIP:TIME [ibm]")
      ->option_text("POSE")
      ->group("Input");
  app.add_option("--original", arguments.original,
                 "Judge and pose all files by the joints of this one, which their weights were "
                 "made from [the first file]")
      ->option_text("FILE")
      ->group("Input");
  add_poses_option(
      app, arguments.options.report.judging.poses,
      "How many random poses to judge the weights on and to show; 0 skips the judging");
  add_hierarchy_option(app, arguments.hierarchy);
  app.add_option("--max-influences", arguments.options.report.max_influences,
                 fmt::format("Mark vertices with more influences than this [{}]",
                             arguments.options.report.max_influences))
      ->check(whole_number(1, kMostInfluences))
      ->option_text("N");
  app.add_option("--max-texture-mb", arguments.max_texture_mb,
                 fmt::format("Leave out the largest textures beyond this, all files together [{}]",
                             arguments.max_texture_mb))
      ->check(finite_number())
      ->option_text("MB")
      ->group("Output");
}

void check_report_arguments(const ReportArguments& arguments) {
  if (arguments.files.empty()) throw usage_failure("", "a file to show is missing; see --help");
  if (arguments.files.size() > kMostReportFiles)
    throw usage_failure("", fmt::format("{} files do not fit on a page; {} do",
                                        arguments.files.size(), kMostReportFiles));
  if (arguments.max_texture_mb < 0 || arguments.max_texture_mb > kMostTextureMb)
    throw usage_failure("--max-texture-mb", fmt::format("it is between 0 and {}", kMostTextureMb));
  if (report_page().empty())
    throw Failure{ExitCode::failed,
                  {ErrorCode::unsupported, "",
                   "this sinew was built without the page for reports; build it with "
                   "-DSINEW_WITH_REPORT=ON, which takes Node.js"},
                  {}};
}

ReportJobResult make_report(Session& session, const ReportArguments& arguments) {
  const std::vector<fs::path> paths(arguments.files.begin(), arguments.files.end());
  ReportJobOptions options = arguments.options;
  const std::vector<std::string> labels = take(report_labels(paths, options.labels));
  options.failed = by_label("--failed", arguments.failed, labels);
  for (const auto& [label, text] : by_label("--seconds", arguments.seconds, labels))
    options.seconds[label] = seconds_from(text);
  options.seed = session.options().seed;
  options.report.judging.hierarchy = *hierarchy_choice_from(arguments.hierarchy);
  options.report.max_texture_bytes =
      static_cast<std::uint64_t>(arguments.max_texture_mb * kBytesPerMb);
  options.report.generator = fmt::format("sinew {}", SINEW_VERSION);
  if (!arguments.original.empty()) options.original = input_of(arguments, arguments.original);
  std::vector<JobInput> files;
  for (const std::string& file : arguments.files) files.push_back(input_of(arguments, file));
  return take(run_report_job(files, options, session.progress()));
}

fs::path checked_output(const fs::path& path, std::string_view extension) {
  if (path.extension() != extension)
    throw usage_failure("--output", fmt::format("{}: a name that ends in {} is expected",
                                                path.string(), extension));
  check(refuse_impossible_place("output", path));
  return path;
}

void write_and_tell(Session& session, std::span<const std::byte> bytes, const fs::path& path,
                    std::span<const fs::path> files_read) {
  check(write_page(path, bytes, files_read, session.progress()));
  session.report["output"] = path.string();
  session.report["bytes"] = bytes.size();
  session.say(fmt::format("wrote  {}, {} kB", path.string(),
                          fmt::group_digits((bytes.size() + 500) / 1000)));
}

}  // namespace sinew::cli
