// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/copy_job.h"

namespace sinew {

JobResult<CopyJobResult> run_copy_job(const JobInput& input, const OutputOptions& output,
                                      const Progress& progress) {
  if (!output.path.empty()) SINEW_CHECK(check_output_path(output.path));
  CopyJobResult result;
  SINEW_TRY(result.input, load_input(input, progress));
  SINEW_CHECK(store_bind_pose(result.input));
  result.notices = all_notices(result.input);
  result.outputs = {{{result.input.document, output.path}}, {}, {}, output, result.input.files};
  return result;
}

Json to_json(const CopyJobResult& result) {
  return {{"input", result.input.path.string()},
          {"format", result.input.format},
          {"notices", to_json(result.notices)}};
}

}  // namespace sinew
