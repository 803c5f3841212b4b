// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"
#include "sinew/jobs/bind_job.h"

namespace sinew::cli {

/// What came of a bind, for a person, but for the last row: a line for the file, then rows for what
/// there is something to say of. Every guess is listed with the flag that reverses it.
void print_bind(Session& session, const BindJobResult& result);

}  // namespace sinew::cli
