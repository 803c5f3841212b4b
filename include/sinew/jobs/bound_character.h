// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/bind/levels_of_detail.h"
#include "sinew/jobs/delivery.h"
#include "sinew/jobs/job_input.h"
#include "sinew/jobs/spine_rows.h"
#include "sinew/quality/weight_judge.h"
#include "sinew/report/inspection.h"

namespace sinew {

/// A part of a character, as far as reports name it.
struct ReportedPart {
  std::string name;
  bool is_written = true;  // whether its weights may change
};

/// One character of a bind: what it was, what was done, what it is now. All inspections are judged
/// on the same poses, unless judging was switched off or there were no weights.
struct BoundCharacter {
  Inspection before;
  std::vector<Inspection> after;  // of each budget's document as it is written
  Bound bound;
  std::vector<DetailGroup> levels;
  std::vector<ReportedPart> parts;  // that the levels refer to
  std::vector<JointUse> joints;     // of each budget's document
  std::vector<MadeSpines> spines;   // of each budget's document

  [[nodiscard]] const SkinWeights& weights(std::size_t budget) const {
    return budget == 0 ? bound.weights : bound.further[budget - 1];
  }
};

/// What the judge of a bind has to know beside what came of it.
struct BindToJudge {
  const Character& as_read;           // before joints moved
  const Character& whole;             // with its old weights
  std::span<const MeshPart> written;  // whose weights are new
  bool has_moved_joints = false;
  std::span<const SpineBone> spines;  // where vertices sit on its own spines
};

/// Judges the old weights and those that each file will have, on the same poses. Of levels of
/// detail the finest is judged: no program draws more than one. Where bones became rows of joints,
/// these are what the file will have, and what is judged. Fails only when cancelled.
[[nodiscard]] Status judge_bind(const BindToJudge& bind, const JudgeOptions& judging,
                                BoundCharacter& character, const Progress& progress = {});

/// What docs/command-line.md lists as a character of `sinew bind`, but for the fit of its joints.
[[nodiscard]] Json to_json(const BoundCharacter& character);

}  // namespace sinew
