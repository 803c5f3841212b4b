// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "input.h"
#include "session.h"
#include "sinew/report/inspection.h"

namespace sinew::cli {

struct CharacterReport {
  Inspection inspection;
  std::vector<int> listed_bones;  // those that the user asked about
};

/// The report for a person: a line for the file, then rows with a label each.
void print_inspection(Session& session, const Input& input,
                      std::span<const CharacterReport> reports);

/// The same for a program. docs/command-line.md lists the fields.
[[nodiscard]] Json to_json(const Input& input, const CharacterReport& report);

}  // namespace sinew::cli
