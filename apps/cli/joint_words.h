// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"
#include "sinew/jobs/joint_fitting.h"

namespace sinew::cli {

enum class JointTense { moved, would_move };
/// Rows for a person: how much was won, each joint that moved, worst first, and what was held.
void print_joint_fit(Session& session, const JointFit& fit, JointTense tense = JointTense::moved);

}  // namespace sinew::cli
