// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "bind_report.h"
#include "input.h"
#include "session.h"
#include "sinew/quality/weight_judge.h"

namespace sinew::cli {

/// A character that was bound, for its judge.
struct JudgedBind {
  const Character& as_read;           // before joints moved
  const Character& whole;             // with its old weights
  std::span<const MeshPart> written;  // whose weights are new
  bool joints_moved = false;
  std::span<const SpineBone> spines;  // where vertices sit on its own spines
};

/// Judges the old weights and those that each file will have, on the same poses. Of levels of
/// detail the finest is judged: no program draws more than one. Where bones became rows of joints,
/// these are what the file will have, and what is judged.
void judge_bind(Session& session, const Input& input, const JudgedBind& bind,
                const JudgeOptions& judging, BoundCharacter& character);

}  // namespace sinew::cli
