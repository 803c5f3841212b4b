// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session.h"
#include "sinew/report/inspection.h"
#include "sinew/report/interior_inspection.h"

namespace sinew::cli {

/// Rows about the inside of a character, in words of riggers.
void print_interior(Session& session, const InteriorInspection& interior,
                    const std::vector<BoneSummary>& bones);

}  // namespace sinew::cli
