// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/pose_job.h"

#include <fmt/format.h>

#include "sinew/gltf/selection.h"

namespace sinew {
namespace {

/// A time without a clip can mean one thing only if there is one clip.
JobResult<Notice> take_only_clip(const LoadedInput& input, PoseOptions& pose) {
  const std::vector<std::string> names = clip_names(input.document);
  if (names.empty()) return error_of_option("time", "means nothing: the file has no clip");
  if (names.size() > 1)
    return error_of_option("time",
                           "means nothing without --animation; there is " + list_clips(names));
  pose.clip = "0";
  return Notice{Notice::Level::note, "only_clip", "animations[0]",
                names[0].empty()
                    ? "is taken: the file has no other clip"
                    : fmt::format("'{}' is taken: the file has no other clip", names[0])};
}

}  // namespace

JobResult<PoseJobResult> run_pose_job(const JobInput& input, const PoseJobOptions& options,
                                      const Progress& progress) {
  if (!options.output.path.empty()) SINEW_CHECK(check_output_path(options.output.path));
  PoseJobResult result;
  SINEW_TRY(result.input, load_input(input, progress));
  SINEW_CHECK(store_bind_pose(result.input));
  SINEW_CHECK(progress.checkpoint("posing", 0));
  Notices notices;
  result.pose = {options.clip, options.time_s.value_or(0), options.deformer};
  if (options.time_s && options.clip.empty()) {
    SINEW_TRY(Notice told, take_only_clip(result.input, result.pose));
    notices.push_back(std::move(told));
  }
  Result<Document> posed = pose_document(result.input.document, result.pose, &notices);
  if (!posed.ok() && posed.error().code == ErrorCode::bad_argument)
    return error_of_option("animation", posed.error().message);
  SINEW_TRY(Document document, in_file(result.input.path, std::move(posed)));
  result.notices = all_notices(result.input);
  result.notices.push_back({result.input.path.string(), std::move(notices)});
  result.outputs.documents.push_back({std::move(document), options.output.path});
  result.outputs.options = options.output;
  result.outputs.files_read = result.input.files;
  return result;
}

Json to_json(const PoseJobResult& result) {
  return {{"input", result.input.path.string()},
          {"format", result.input.format},
          {"animation", result.pose.clip},
          {"time_s", result.pose.time_s},
          {"deformer", result.pose.deformer == Deformer::dual_quaternion ? "dqs" : "lbs"},
          {"notices", to_json(result.notices)}};
}

}  // namespace sinew
