// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/jobs/job_error.h"

namespace sinew {

/// What weights are optimised for that has a name, or a file of its own.
struct OptimiserInputs {
  std::vector<std::string> clips;  // whose frames are added, as match_clip takes them; "all"
  enum class RandomPoses {
    drawn,
    none,  // frames of animations alone, of all clips unless some are named
  };
  RandomPoses random_poses = RandomPoses::drawn;
  std::filesystem::path poses;  // a file of further poses, as formats/pose_file.h reads it
  std::filesystem::path edits;  // a file of edits, as formats/edits_file.h reads it
};

/// Refuses what the method takes no notice of, where nobody can have meant that: "edits",
/// "obedience", "smoothing", "rigid_parts".
[[nodiscard]] JobStatus check_optimiser_options(const OptimiserInputs& inputs,
                                                const BindOptions& bind);

/// Puts what was named into the options of a character. Adds a notice, once for all characters, of
/// options that the method takes no notice of. Errors: "animation", "only_animations", "limits",
/// and those of the files.
[[nodiscard]] JobStatus read_optimiser_inputs(const OptimiserInputs& inputs,
                                              const Character& character, BindOptions& options,
                                              Notices& notices);

/// The energies of each character's steps as a .csv file.
[[nodiscard]] std::string energy_log(std::span<const std::string> names,
                                     std::span<const SolveReport> solves);

}  // namespace sinew
