// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/job_input.h"

#include "sinew/formats/import.h"
#include "sinew/formats/rig_file.h"
#include "sinew/gltf/attach_skeleton.h"
#include "sinew/gltf/bone_settings.h"
#include "sinew/gltf/gltf_files.h"
#include "sinew/gltf/selection.h"

namespace sinew {
namespace {

JobResult<Imported> read_file_or_memory(const JobInput& input) {
  if (input.document) return Imported{*input.document, {}, "glTF"};
  return in_file(input.file, read_any(input.file));
}

JobStatus read_documents(const JobInput& input, LoadedInput& loaded) {
  SINEW_TRY(Imported imported, read_file_or_memory(input));
  loaded.document = std::move(imported.document);
  loaded.format = std::move(imported.format);
  loaded.notices.push_back({loaded.path.string(), std::move(imported.notices)});
  loaded.files = referenced_files(loaded.document);
  loaded.files.push_back(loaded.path);
  if (input.skeleton.empty()) return {};

  SINEW_TRY(const Imported skeleton, in_file(input.skeleton, read_any(input.skeleton)));
  loaded.notices.push_back({input.skeleton.string(), skeleton.notices});
  SINEW_TRY(AttachedSkeleton attached,
            in_file(loaded.path, attach_skeleton(loaded.document, skeleton.document)));
  loaded.document = std::move(attached.document);
  loaded.notices.push_back({input.skeleton.string(), std::move(attached.notices)});
  for (const std::filesystem::path& file : referenced_files(skeleton.document))
    loaded.files.push_back(file);
  loaded.files.push_back(input.skeleton);
  return {};
}

/// The bones as the rig file has them, in the characters and in the document.
JobStatus apply_rig_file(const std::filesystem::path& path, LoadedInput& loaded) {
  Notices notices;
  SINEW_TRY(const Rig rig, in_file(path, read_rig(path, notices)));
  for (LoadedCharacter& each : loaded.characters) {
    Skeleton& skeleton = each.character.skeleton;
    SINEW_TRY(skeleton, in_file(path, apply_rig(rig, skeleton, notices)));
    write_node_settings(loaded.document, skeleton);
  }
  loaded.notices.push_back({path.string(), std::move(notices)});
  loaded.files.push_back(path);
  return {};
}

JobResult<std::vector<LoadedCharacter>> select_characters(
    std::vector<LoadedCharacter> all, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return all;
  SINEW_TRY(const std::vector<int> indices,
            of_option("character", match_characters(all, patterns)));
  std::vector<LoadedCharacter> chosen;
  for (const int index : indices) chosen.push_back(std::move(all[static_cast<std::size_t>(index)]));
  return chosen;
}

JobResult<std::vector<LoadedCharacter>> read_meshes(const LoadedInput& loaded,
                                                    const std::vector<std::string>& patterns) {
  const ReadOptions options{loaded.bind_pose};
  if (patterns.empty()) return in_file(loaded.path, read_characters(loaded.document, options));
  SINEW_TRY(const std::vector<int> meshes,
            of_option("mesh", match_meshes(loaded.document, patterns)));
  return in_file(loaded.path, read_characters(show_only_meshes(loaded.document, meshes), options));
}

JobResult<LoadedInput> load(const JobInput& input, const std::vector<std::string>& meshes,
                            const Progress& progress) {
  LoadedInput loaded;
  loaded.path = input.file;
  loaded.bind_pose = input.bind_pose;
  SINEW_CHECK(progress.checkpoint("reading", 0));
  SINEW_CHECK(read_documents(input, loaded));
  SINEW_CHECK(progress.checkpoint("reading", 0.5));
  SINEW_TRY(std::vector<LoadedCharacter> all, read_meshes(loaded, meshes));
  SINEW_TRY(loaded.characters, select_characters(std::move(all), input.characters));
  if (!input.rig.empty()) SINEW_CHECK(apply_rig_file(input.rig, loaded));
  SINEW_CHECK(progress.checkpoint("reading", 1));
  return loaded;
}

}  // namespace

JobResult<LoadedInput> load_input(const JobInput& input, const Progress& progress) {
  return load(input, input.meshes, progress);
}

JobResult<LoadedInput> load_all_meshes(const JobInput& input, const Progress& progress) {
  return load(input, {}, progress);
}

JobStatus require_skeletons(const LoadedInput& input) {
  for (const LoadedCharacter& loaded : input.characters)
    if (loaded.character.skeleton.bone_count() == 0)
      return error_in_file(
          input.path, {ErrorCode::bad_skin, "", "has no skeleton; --skeleton FILE gives it one"});
  return {};
}

JobStatus store_bind_pose(LoadedInput& input) {
  if (input.bind_pose.from == BindPose::From::inverse_bind_matrices) return {};
  for (const LoadedCharacter& loaded : input.characters) {
    const SkinWeights& weights = loaded.character.weights;
    if (weights.influence_count() == 0) continue;
    WriteWeightsOptions options;
    options.max_influences = static_cast<int>(weights.max_influences());
    Status written = write_weights(input.document, loaded, weights, options);
    if (written.ok()) continue;
    JobError error = error_in_file(input.path, std::move(written).error());
    error.blame = JobError::Blame::input;  // the weights are the file's own
    return error;
  }
  return {};
}

std::vector<FileNotices> all_notices(const LoadedInput& input) {
  std::vector<FileNotices> notices = input.notices;
  for (const LoadedCharacter& loaded : input.characters)
    notices.push_back({input.path.string(), loaded.notices});
  return notices;
}

}  // namespace sinew
