// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"
#include "sinew/jobs/inspect_job.h"

namespace sinew::cli {

/// What is in a file, for a person: a line for the file, then rows with a label each.
void print_inspection(Session& session, const InspectJobResult& result);

}  // namespace sinew::cli
