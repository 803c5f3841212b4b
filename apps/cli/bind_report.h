// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "input.h"
#include "session.h"
#include "sinew/io/inspection.h"
#include "sinew/pipeline/bind.h"
#include "sinew/quality/weight_judge.h"

namespace sinew::cli {

/// One character of a bind: what it was, what was done, what it is now.
struct BoundCharacter {
  Inspection before;
  Inspection after;  // of the document as it is written
  Bound bound;
  std::optional<WeightQuality> quality_before;  // of a file that had weights
  std::optional<WeightQuality> quality_after;   // unless judging was switched off
};

/// The table for a person, but for its last row: a line for the file, then rows for what there is
/// something to say of. Every guess is listed with the flag that reverses it.
void print_bind(Session& session, const Input& input, const BindOptions& options,
                std::span<const BoundCharacter> characters);

/// The same for a program. docs/command-line.md lists the fields.
[[nodiscard]] Json to_json(const BoundCharacter& character);

/// All figures that a demand can be held against, after the bind.
[[nodiscard]] std::vector<Figure> figures_after(const BoundCharacter& character);

}  // namespace sinew::cli
