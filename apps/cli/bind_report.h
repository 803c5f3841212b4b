// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "input.h"
#include "session.h"
#include "sinew/io/inspection.h"
#include "sinew/pipeline/bind.h"

namespace sinew::cli {

/// One character of a bind: what it was, what was done, what it is now. Both inspections are judged
/// on the same poses, unless judging was switched off or there were no weights.
struct BoundCharacter {
  Inspection before;
  Inspection after;  // of the document as it is written
  Bound bound;
};

/// The table for a person, but for its last row: a line for the file, then rows for what there is
/// something to say of. Every guess is listed with the flag that reverses it.
void print_bind(Session& session, const Input& input, const BindOptions& options,
                std::span<const BoundCharacter> characters);

/// The same for a program. docs/command-line.md lists the fields.
[[nodiscard]] Json to_json(const BoundCharacter& character);

}  // namespace sinew::cli
