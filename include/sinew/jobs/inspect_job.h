// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/jobs/gate.h"
#include "sinew/jobs/job_input.h"
#include "sinew/jobs/joint_fitting.h"
#include "sinew/report/inspection.h"
#include "sinew/report/interior_inspection.h"

namespace sinew {

/// Where joints should be, and how that is found out.
struct JointAdvice {
  JointFittingOptions fitting;
  BindOptions bind;  // how weights are made for them
};

struct InspectJobOptions {
  JudgeOptions judging;            // with no poses, weights are not judged: quick
  std::uint64_t seed = 1;          // of all that is drawn at random, in place of others here
  std::vector<std::string> bones;  // to list, by name or glob, as in model/bone_names.h
  std::filesystem::path original;  // whose joints count, as InspectOptions::original says
  /// Poses (formats/pose_file.h) to compare with the original in, as InspectOptions::compare_in
  /// says; needs an original.
  std::filesystem::path compare_in;
  std::optional<JointAdvice> joints;        // without it nothing is said of where they should be
  std::optional<InteriorOptions> interior;  // without it nothing is filled
  std::vector<Gate> require;
};

struct InspectedCharacter {
  Inspection inspection;
  std::optional<InteriorInspection> interior;  // where it was asked about and there is a mesh
  std::vector<int> listed_bones;
};

struct InspectJobResult {
  LoadedInput input;
  std::vector<InspectedCharacter> characters;
  bool is_interior_asked = false;
  std::vector<JointFit> joint_fits;  // one per character, where joints were asked about
  std::vector<GateCheck> gates;

  [[nodiscard]] bool gates_met() const { return first_unmet(gates) == nullptr; }
};

/// Tells what is in a file, how good its weights are and what is wrong. Errors, beside those of the
/// input: "bones", "original", "compare_in", "lock_joints", "bind_pose", "cells", "bone_radius",
/// "require". Of levels of detail the interior is that of the finest.
[[nodiscard]] JobResult<InspectJobResult> run_inspect_job(const JobInput& input,
                                                          const InspectJobOptions& options = {},
                                                          const Progress& progress = {});

/// The report of docs/command-line.md.
[[nodiscard]] Json to_json(const InspectJobResult& result);

}  // namespace sinew
