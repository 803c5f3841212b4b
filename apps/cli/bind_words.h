// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "session.h"
#include "sinew/jobs/bind_job.h"

namespace sinew::cli {

/// What came of a bind, for a person, but for the last row: a line for the file, then rows for what
/// there is something to say of. Every guess is listed with the flag that reverses it.
void print_bind(Session& session, const BindJobResult& result);

/// The plan of each character, a row per decision: what, and why.
void print_plans(Session& session, std::span<const BoundCharacter> characters);

}  // namespace sinew::cli
