// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/jobs/bound_character.h"
#include "sinew/jobs/delivery.h"
#include "sinew/jobs/gate.h"
#include "sinew/jobs/job_input.h"
#include "sinew/jobs/joint_fitting.h"
#include "sinew/jobs/keep_weights.h"
#include "sinew/jobs/optimiser_inputs.h"
#include "sinew/jobs/outputs.h"
#include "sinew/jobs/spine_rows.h"

namespace sinew {

/// How a file is bound. What BindOptions says by the number of a bone, a clip or a vertex is said
/// by name here, for every character of the file; `bind` says the rest.
struct BindJobOptions {
  BindOptions bind;
  std::uint64_t seed = 1;          // of all that is drawn at random, in place of those in `bind`
  std::vector<std::string> bones;  // bound to even if they look like controls
  std::vector<std::string> skip_bones;  // never bound to
  WeightsToKeep keep;
  OptimiserInputs optimiser;
  SpineOptions spines;
  DeliveryOptions delivery;  // in place of the limits and the format in `bind`
  enum class Lods {
    automatic,  // of levels of detail the finest is bound, and the others take its weights
    off,        // all are bound together
  };
  Lods lods = Lods::automatic;
  std::optional<JointFittingOptions> fit_joints;  // before the bind; without it joints stay
  JudgeOptions judging;                           // before and after; with no poses not at all
  std::vector<Gate> require;                      // of every character in every document
  OutputOptions output;
  std::filesystem::path log;  // a .csv for the energy of each step; empty: none
};

struct BindJobResult {
  LoadedInput input;     // with its joints where they are now
  BindJobOptions asked;  // as it was asked for; of influences, as it was decided
  Delivery delivery;
  std::vector<BoundCharacter> characters;
  std::vector<JointFit> joint_fits;  // one per character, where joints were fitted
  std::vector<FileNotices> notices;
  std::vector<GateCheck> gates;
  JobOutputs outputs;  // a document for each budget, and what belongs to them

  [[nodiscard]] bool gates_met() const { return first_unmet(gates) == nullptr; }
};

/// Reads a file, gives every vertex of its characters weights, reads what came of it as any program
/// would, and judges it beside what was there. With `input.meshes`, only these change. Writes
/// nothing: write_outputs does, unless demands that are not met speak against it.
[[nodiscard]] JobResult<BindJobResult> run_bind_job(const JobInput& input,
                                                    const BindJobOptions& options = {},
                                                    const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once files are written.
[[nodiscard]] Json to_json(const BindJobResult& result);

/// Adds to it what was written: "output", "files" and "outputs".
void add_written_budgets(Json& report, const WrittenOutputs& written);

}  // namespace sinew
