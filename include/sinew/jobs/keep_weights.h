// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/jobs/job_input.h"

namespace sinew {

/// What stays of the weights that a file has, beside BindOptions::init and BindOptions::mix.
struct WeightsToKeep {
  std::vector<std::string> lock;  // bones, as match_bone_lists takes them
  std::vector<std::string> only;  // where there are some: all others stay
  std::string vertices;  // weights change only where this vertex attribute is above one half
};

/// Puts into the options of each character what stays. A character that has nothing of what `only`
/// or `vertices` name, where another one has it, is kept whole. Errors: "lock", "only", "vertices".
[[nodiscard]] JobStatus keep_weights(const WeightsToKeep& keep, const LoadedInput& input,
                                     std::span<BindOptions> options);

/// That nothing may change is no warning where it may for another character.
void leave_out_idle_warnings(std::span<Notices* const> of_characters);

}  // namespace sinew
