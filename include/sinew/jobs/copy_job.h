// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/jobs/job_input.h"
#include "sinew/jobs/outputs.h"

namespace sinew {

struct CopyJobResult {
  LoadedInput input;
  std::vector<FileNotices> notices;
  JobOutputs outputs;
};

/// Reads a file of any format as glTF, unchanged but for the skeleton, the rig and the bind pose
/// that the input names. Writes nothing: write_outputs does.
[[nodiscard]] JobResult<CopyJobResult> run_copy_job(const JobInput& input,
                                                    const OutputOptions& output = {},
                                                    const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once files are written.
[[nodiscard]] Json to_json(const CopyJobResult& result);

}  // namespace sinew
