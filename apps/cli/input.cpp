// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "input.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "sinew/formats/import.h"
#include "sinew/formats/rig_file.h"
#include "sinew/gltf/attach_skeleton.h"
#include "sinew/gltf/gltf_files.h"
#include "sinew/gltf/selection.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

/// All poses are held in memory: so many, of a hundred bones, take 128 MB.
constexpr int kMaxPoses = 10000;

/// The library leaves the place of a bad pattern to the caller: it is the flag.
template <class T>
T take_flag(std::string_view flag, Result<T> result) {
  if (result.ok()) return *std::move(result);
  Error error = std::move(result).error();
  throw usage_failure(std::string(flag), std::move(error.message));
}

void read_documents(const InputOptions& options, Input& input) {
  Imported imported = take(input.path, read_any(input.path));
  input.document = std::move(imported.document);
  input.format = std::move(imported.format);
  input.notices.push_back({input.path.string(), std::move(imported.notices)});
  input.files = referenced_files(input.document);
  input.files.push_back(input.path);
  if (options.skeleton.empty()) return;

  const Imported skeleton = take(options.skeleton, read_any(options.skeleton));
  input.notices.push_back({options.skeleton, skeleton.notices});
  AttachedSkeleton attached = take(input.path, attach_skeleton(input.document, skeleton.document));
  input.document = std::move(attached.document);
  input.notices.push_back({options.skeleton, std::move(attached.notices)});
  for (const std::filesystem::path& file : referenced_files(skeleton.document))
    input.files.push_back(file);
  input.files.emplace_back(options.skeleton);
}

/// The bones as the rig file has them, in the characters and in the document.
void apply_rig_file(const std::filesystem::path& path, Input& input) {
  Notices notices;
  Result<Rig> read = read_rig(path, notices);
  if (!read.ok()) {
    Failure failure = file_failure(path, std::move(read).error());
    failure.exit = ExitCode::input_refused;  // the mistake is in the file, not in the command
    throw failure;
  }
  const Rig rig = *std::move(read);
  for (LoadedCharacter& loaded : input.characters) {
    Skeleton& skeleton = loaded.character.skeleton;
    skeleton = take(path, apply_rig(rig, skeleton, notices));
    write_node_settings(input.document, skeleton);
  }
  input.notices.push_back({path.string(), std::move(notices)});
  input.files.push_back(path);
}

std::vector<LoadedCharacter> select_characters(std::vector<LoadedCharacter> all,
                                               const std::vector<std::string>& patterns) {
  if (patterns.empty()) return all;
  std::vector<LoadedCharacter> chosen;
  for (const int index : take_flag("--character", match_characters(all, patterns)))
    chosen.push_back(std::move(all[static_cast<std::size_t>(index)]));
  return chosen;
}

}  // namespace

void add_file_argument(CLI::App& app, InputOptions& options) {
  app.add_option("file", options.file, fmt::format("What to read: {}", readable_extensions()))
      ->option_text(" ");
}

void add_skeleton_options(CLI::App& app, InputOptions& options) {
  app.add_option("--skeleton", options.skeleton,
                 "Take the skeleton from this file, for a mesh that has none")
      ->option_text("FILE")
      ->group("Input");
  app.add_option("--rig", options.rig, "What the file does not say about its bones: limits, kinds")
      ->option_text("FILE")
      ->group("Input");
}

void add_bind_pose_option(CLI::App& app, InputOptions& options) {
  app.add_option("--bind-pose", options.bind_pose,
                 "The pose that the mesh was modelled in: ibm (the skin's inverse bind matrices), "
                 "nodes (as stored) or CLIP:TIME [ibm]")
      ->option_text("POSE")
      ->group("Input");
}

void add_hierarchy_option(CLI::App& app, std::string& choice) {
  app.add_option("--hierarchy", choice,
                 "What bones hang on: what they move with (effective), or their parents in the "
                 "file (file) [effective]")
      ->option_text("WHICH")
      ->check(one_of({"effective", "file"}));
}

void add_poses_option(CLI::App& app, int& poses, const std::string& description) {
  app.add_option("--poses", poses, fmt::format("{} [{}]", description, poses))
      ->option_text("N")
      ->check(whole_number(0, kMaxPoses));
}

void add_selection_options(CLI::App& app, InputOptions& options) {
  add_list_option(app, "--character", options.characters,
                  "Only this character, by name, glob or index; may be repeated")
      ->option_text("NAME")
      ->group("Input");
  add_list_option(app, "--mesh", options.meshes,
                  "Look at this mesh only, by name, glob or index; may be repeated")
      ->option_text("NAME")
      ->group("Input");
}

std::filesystem::path required_file(const InputOptions& options) {
  if (options.file.empty()) throw usage_failure("", "a file to read is missing; see --help");
  return options.file;
}

void store_bind_pose(Input& input) {
  if (input.bind_pose.from == BindPose::From::inverse_bind_matrices) return;
  for (const LoadedCharacter& loaded : input.characters) {
    const SkinWeights& weights = loaded.character.weights;
    if (weights.influence_count() == 0) continue;
    WriteWeightsOptions options;
    options.max_influences = static_cast<int>(weights.max_influences());
    Status written = write_weights(input.document, loaded, weights, options);
    if (written.ok()) continue;
    throw Failure{ExitCode::input_refused, std::move(written).error(), input.path.string()};
  }
}

std::vector<FileNotices> all_notices(const Input& input) {
  std::vector<FileNotices> notices = input.notices;
  for (const LoadedCharacter& loaded : input.characters)
    notices.push_back({input.path.string(), loaded.notices});
  return notices;
}

Input load_input(Session& session, const InputOptions& options) {
  Input input;
  input.path = required_file(options);
  input.bind_pose = take_flag("--bind-pose", BindPose::parse(options.bind_pose));

  session.checkpoint("reading", 0);
  read_documents(options, input);

  session.checkpoint("reading", 0.5);
  const ReadOptions read_options{input.bind_pose};
  const auto read = [&]() -> Result<std::vector<LoadedCharacter>> {
    if (options.meshes.empty()) return read_characters(input.document, read_options);
    const std::vector<int> meshes =
        take_flag("--mesh", match_meshes(input.document, options.meshes));
    return read_characters(show_only_meshes(input.document, meshes), read_options);
  };
  input.characters = select_characters(take(input.path, read()), options.characters);
  if (!options.rig.empty()) apply_rig_file(options.rig, input);
  session.checkpoint("reading", 1);
  return input;
}

}  // namespace sinew::cli
