// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sinew/gltf/gltf_document.h"
#include "sinew/report/inspection.h"

namespace sinew::cli {

/// What reports of several verbs say of a character in the same words.

/// A name from a file, or "(no name)".
[[nodiscard]] std::string named(const std::string& name);

/// "3 meshes, 21,731 vertices, 11,100 triangles, 49 joints, 6 clips, 1.78 m tall".
[[nodiscard]] std::string counts_line(const Inspection& inspection);

/// "inverse bind matrices; armature x100 handled".
[[nodiscard]] std::string bind_pose_line(const BindPose& asked, const BindFacts& bind);

/// "ibm", "nodes" or "clip".
[[nodiscard]] std::string_view bind_pose_name(BindPose::From from);

/// ", turned 58 degrees" for a bone that turns in the pose that is worst for it; nothing for one
/// that stands still there, as roots do.
[[nodiscard]] std::string turned(double degrees);

/// Figures by name; whole numbers as such.
[[nodiscard]] Json figures_json(std::span<const Figure> figures);

/// What hangs elsewhere than in the file: {"bone", "from", "to", "why"}.
[[nodiscard]] Json rehung_json(const EffectiveHierarchy& hierarchy,
                               std::span<const BoneSummary> bones);

}  // namespace sinew::cli
