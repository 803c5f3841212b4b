// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/report/inspection.h"

namespace sinew::cli {

/// What reports of several verbs say of a character in the same words.

/// A name from a file, or "(no name)".
[[nodiscard]] std::string named(const std::string& name);

/// "3 meshes, 21,731 vertices, 11,100 triangles, 49 joints, 6 clips, 1.78 m tall".
[[nodiscard]] std::string counts_line(const Inspection& inspection);

/// "inverse bind matrices; armature x100 handled".
[[nodiscard]] std::string bind_pose_line(const BindPose& asked, const BindFacts& bind);

/// ", turned 58 degrees" for a bone that turns in the pose that is worst for it; nothing for one
/// that stands still there, as roots do.
[[nodiscard]] std::string turned(double degrees);

}  // namespace sinew::cli
