// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report/report_parts.h"
#include "sinew/weights/interior.h"

namespace sinew {

/// What a character is filled with, for the page: cubes, and bounded biharmonic weights at their
/// corners in 8 bits, scaled to one at each. Bones are those that bind makes weights for, by the
/// inspection's roles and hierarchy. docs/report-format.md says how it is packed. Fails as
/// solve_interior does.
[[nodiscard]] Result<Json> describe_interior(const JudgedFile& judged,
                                             const InteriorOptions& options,
                                             const Progress& progress);

/// Whether two files are one mesh with one skeleton, whatever their weights are: what fills one
/// fills the other.
[[nodiscard]] bool are_filled_alike(const JudgedFile& one, const JudgedFile& other);

}  // namespace sinew
