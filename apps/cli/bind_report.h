// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delivery.h"
#include "input.h"
#include "session.h"
#include "sinew/bind/levels_of_detail.h"
#include "sinew/report/inspection.h"
#include "spine_options.h"

namespace sinew::cli {

/// A part of a character, as far as the report names it.
struct ReportedPart {
  std::string name;
  bool is_written = true;  // whether --mesh lets its weights change
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

/// The table for a person, but for its last row: a line for the file, then rows for what there is
/// something to say of. Every guess is listed with the flag that reverses it.
void print_bind(Session& session, const Input& input, const BindOptions& options,
                const Delivery& delivery, std::span<const BoundCharacter> characters);

/// The plan of each character, a row per decision: what, and why.
void print_plans(Session& session, std::span<const BoundCharacter> characters);

/// The same for a program. docs/command-line.md lists the fields.
[[nodiscard]] Json to_json(const BoundCharacter& character);

}  // namespace sinew::cli
