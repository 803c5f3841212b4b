// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/jobs/job_input.h"
#include "sinew/jobs/joint_fitting.h"
#include "sinew/jobs/outputs.h"
#include "sinew/quality/weight_judge.h"

namespace sinew {

struct FitJointsJobOptions {
  JointFittingOptions fitting;
  BindOptions bind;        // how weights are made that joints are fitted with
  JudgeOptions judging;    // of the file's own weights, before and after; with no poses not at all
  std::uint64_t seed = 1;  // of all that is drawn at random, in place of those above
  OutputOptions output;
};

/// A character whose joints were fitted.
struct FittedCharacter {
  std::string name;
  JointFit fit;
  /// The weights that the file has, on the bones as they were and as they are, in poses that
  /// nothing was fitted to; nothing without weights.
  std::optional<WeightQuality> before, after;
};

struct FitJointsJobResult {
  LoadedInput input;  // with its joints where they are now
  MirrorChoice mirror = MirrorChoice::automatic;
  std::vector<FittedCharacter> characters;  // those that show a chosen mesh
  std::vector<FileNotices> notices;
  JobOutputs outputs;
};

/// Moves the joints of a file to where its meshes distort least when they turn; its weights stay.
/// With `input.meshes`, joints are fitted to these alone. Writes nothing: write_outputs does.
[[nodiscard]] JobResult<FitJointsJobResult> run_fit_joints_job(
    const JobInput& input, const FitJointsJobOptions& options = {}, const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once files are written.
[[nodiscard]] Json to_json(const FitJointsJobResult& result);

}  // namespace sinew
