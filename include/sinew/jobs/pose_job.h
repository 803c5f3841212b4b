// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/job_input.h"
#include "sinew/jobs/outputs.h"
#include "sinew/spines/gltf_pose.h"

namespace sinew {

struct PoseJobOptions {
  std::string clip;              // as match_clip takes it; empty: the only one, if there is a time,
                                 // else the pose that the nodes store
  std::optional<double> time_s;  // else the beginning
  Deformer deformer = Deformer::linear_blend;
  OutputOptions output = {};
};

struct PoseJobResult {
  LoadedInput input;
  PoseOptions pose;  // as it was taken
  std::vector<FileNotices> notices;
  JobOutputs outputs;
};

/// Freezes a file at one moment of a clip. Errors, beside those of the input: "animation", "time".
/// Writes nothing: write_outputs does.
[[nodiscard]] JobResult<PoseJobResult> run_pose_job(const JobInput& input,
                                                    const PoseJobOptions& options = {},
                                                    const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once files are written.
[[nodiscard]] Json to_json(const PoseJobResult& result);

}  // namespace sinew
