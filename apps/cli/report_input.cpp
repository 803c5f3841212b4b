// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "report_input.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "output.h"
#include "sinew/core/atomic_file.h"
#include "sinew/formats/import.h"
#include "sinew/spines/spines.h"
#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostInfluences = 255;
constexpr double kMostTextureMb = 1000;  // a .glb of more than 4 GB cannot be
constexpr double kBytesPerMb = 1e6;
/// The page shows files side by side: more than these are too narrow to see anything.
constexpr std::size_t kMostFiles = 16;

/// Of several characters, the one that was asked for, else the largest.
const LoadedCharacter& shown_character(const Input& input, Notices& notices) {
  const auto largest = std::max_element(
      input.characters.begin(), input.characters.end(), [](const auto& a, const auto& b) {
        return a.character.mesh.vertex_count() < b.character.mesh.vertex_count();
      });
  if (largest == input.characters.end() || largest->character.mesh.vertex_count() == 0)
    throw Failure{ExitCode::input_refused,
                  {ErrorCode::bad_mesh, "", "it has no mesh to show"},
                  input.path.string()};
  if (input.characters.size() > 1)
    notices.push_back({Notice::Level::note, "one_of_several", "",
                       fmt::format("'{}' is shown, the largest of {} characters; --character "
                                   "chooses another",
                                   largest->character.name, input.characters.size())});
  return *largest;
}

std::vector<std::string> labels_of(const ReportArguments& arguments) {
  if (arguments.labels.size() > arguments.files.size())
    throw usage_failure("--label",
                        fmt::format("there are {} labels for {}", arguments.labels.size(),
                                    counted(arguments.files.size(), "file", "files")));
  std::vector<std::string> labels = arguments.labels;
  for (std::size_t f = labels.size(); f < arguments.files.size(); ++f)
    labels.push_back(fs::path(arguments.files[f]).stem().string());
  // Files of one name in several folders are told apart by the folders.
  for (std::size_t f = arguments.labels.size(); f < labels.size(); ++f)
    if (std::count(labels.begin(), labels.end(), labels[f]) > 1)
      labels[f] = (fs::path(arguments.files[f]).parent_path().filename() / labels[f]).string();
  for (std::size_t f = 0; f < labels.size(); ++f)
    if (std::count(labels.begin(), labels.end(), labels[f]) > 1)
      labels[f] += fmt::format(" ({})", f + 1);
  return labels;
}

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

Input load_one(Session& session, const ReportArguments& arguments, const std::string& file) {
  InputOptions options;
  options.file = file;
  options.bind_pose = arguments.bind_pose;
  options.characters = arguments.characters;
  return load_input(session, options);
}

/// A page plays joints: bones that bend are shown by rows of them. Returns, per character, what
/// bones are there to show; nothing for those without spines.
std::vector<std::vector<int>> show_spines(Input& input) {
  std::vector<std::vector<int>> shown_for;
  for (LoadedCharacter& loaded : input.characters) {
    shown_for.emplace_back();
    if (!has_spines(loaded.character.skeleton)) continue;
    SpinesShown shown = take(input.path, show_own_spines(input.document, loaded));
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

}  // namespace

void add_report_arguments(CLI::App& app, ReportArguments& arguments) {
  app.add_option("file", arguments.files,
                 fmt::format("What to show, side by side: {}", readable_extensions()))
      ->expected(-1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text("...");
  add_list_option(app, "--label", arguments.labels,
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
      app, arguments.options.judging.poses,
      "How many random poses to judge the weights on and to show; 0 skips the judging");
  add_hierarchy_option(app, arguments.hierarchy);
  app.add_option("--max-influences", arguments.options.max_influences,
                 fmt::format("Mark vertices with more influences than this [{}]",
                             arguments.options.max_influences))
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
  if (arguments.files.size() > kMostFiles)
    throw usage_failure("", fmt::format("{} files do not fit on a page; {} do",
                                        arguments.files.size(), kMostFiles));
  if (arguments.max_texture_mb < 0 || arguments.max_texture_mb > kMostTextureMb)
    throw usage_failure("--max-texture-mb", fmt::format("it is between 0 and {}", kMostTextureMb));
  if (report_page().empty())
    throw Failure{ExitCode::failed,
                  {ErrorCode::unsupported, "",
                   "this sinew was built without the page for reports; build it with "
                   "-DSINEW_WITH_REPORT=ON, which takes Node.js"},
                  {}};
}

LoadedReport load_report(Session& session, const ReportArguments& arguments) {
  const std::vector<std::string> labels = labels_of(arguments);
  const auto failed = by_label("--failed", arguments.failed, labels);
  const auto seconds = by_label("--seconds", arguments.seconds, labels);
  LoadedReport loaded;
  std::vector<ReportFile> files;
  std::vector<std::vector<std::vector<int>>> shown_for;  // per file and character
  for (const std::string& file : arguments.files) {
    loaded.inputs.push_back(load_one(session, arguments, file));
    store_bind_pose(loaded.inputs.back());
    shown_for.push_back(show_spines(loaded.inputs.back()));
  }
  for (std::size_t f = 0; f < loaded.inputs.size(); ++f) {
    const Input& input = loaded.inputs[f];
    ReportFile file;
    file.name = input.path.filename().string();
    file.label = labels[f];
    file.document = &input.document;
    file.character = &shown_character(input, file.notices);
    file.shown_for =
        shown_for[f][static_cast<std::size_t>(file.character - input.characters.data())];
    for (const FileNotices& about_file : input.notices)
      file.notices.insert(file.notices.end(), about_file.notices.begin(), about_file.notices.end());
    if (const auto found = failed.find(labels[f]); found != failed.end())
      file.failed = found->second;
    if (const auto found = seconds.find(labels[f]); found != seconds.end())
      file.seconds = seconds_from(found->second);
    files.push_back(std::move(file));
    loaded.files_read.insert(loaded.files_read.end(), input.files.begin(), input.files.end());
  }
  if (!arguments.log.empty()) {
    files.back().convergence = take(arguments.log, read_energy_log(arguments.log));
    loaded.files_read.emplace_back(arguments.log);
  }

  ReportOptions options = arguments.options;
  options.judging.seed = session.options().seed;
  options.judging.hierarchy = *hierarchy_choice_from(arguments.hierarchy);
  options.max_texture_bytes = static_cast<std::uint64_t>(arguments.max_texture_mb * kBytesPerMb);
  options.generator = fmt::format("sinew {}", SINEW_VERSION);
  std::optional<Input> original;
  if (!arguments.original.empty()) {
    original = load_one(session, arguments, arguments.original);
    Notices ignored;
    options.original = &shown_character(*original, ignored).character;
    loaded.files_read.insert(loaded.files_read.end(), original->files.begin(),
                             original->files.end());
  }
  Result<Report> report = make_report(files, options, session.progress());
  loaded.report = take(loaded.inputs.front().path, std::move(report));
  return loaded;
}

fs::path checked_output(const fs::path& path, std::string_view extension) {
  if (path.extension() != extension)
    throw usage_failure("--output", fmt::format("{}: a name that ends in {} is expected",
                                                path.string(), extension));
  refuse_impossible_place("--output", path);
  return path;
}

void write_plain_output(Session& session, std::span<const std::byte> bytes, const fs::path& path,
                        std::span<const fs::path> files_read) {
  for (const fs::path& read : files_read)
    if (is_same_path(read, path))
      throw usage_failure("--output",
                          fmt::format("{}: this is an input; give another name", path.string()));
  session.checkpoint("writing", 1);
  take(path, write_file_atomically(path, bytes));
  session.report["output"] = path.string();
  session.report["bytes"] = bytes.size();
  session.say(fmt::format("wrote  {}, {} kB", path.string(),
                          fmt::group_digits((bytes.size() + 500) / 1000)));
}

}  // namespace sinew::cli
