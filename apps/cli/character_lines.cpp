// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "character_lines.h"

#include <cmath>

#include <fmt/format.h>

#include "text.h"

namespace sinew::cli {
namespace {

constexpr double kScaleWorthAWord = 1e-3;  // relative; below it an armature's scale is rounding

}  // namespace

std::string named(const std::string& name) { return name.empty() ? "(no name)" : name; }

std::string counts_line(const Inspection& i) {
  std::string line = fmt::format("{}, {}", counted(i.meshes, "mesh", "meshes"),
                                 counted(i.vertices, "vertex", "vertices"));
  if (i.triangles > 0) line += ", " + counted(i.triangles, "triangle", "triangles");
  if (i.tetrahedra > 0) line += ", " + counted(i.tetrahedra, "tetrahedron", "tetrahedra");
  if (i.wires > 0) line += ", " + counted(i.wires, "loose edge", "loose edges");
  line += ", " + counted(i.joints, "joint", "joints");
  line += ", " + counted(i.clips.size(), "clip", "clips");
  if (i.vertices > 0) line += fmt::format(", {:.3g} m tall", i.size.y());
  return line;
}

std::string bind_pose_line(const BindPose& asked, const BindFacts& bind) {
  std::string line;
  switch (bind.from) {
    case BindPose::From::inverse_bind_matrices:
      line = "inverse bind matrices";
      break;
    case BindPose::From::nodes:
      line = asked.from == BindPose::From::nodes ? "the nodes as stored"
                                                 : "the nodes as stored; there are no matrices";
      break;
    case BindPose::From::clip:
      line = fmt::format("clip {} at {:g} s", asked.clip, asked.time_s);
      break;
  }
  if (std::abs(bind.scene_scale - 1) > kScaleWorthAWord)
    line += fmt::format("; armature x{:.4g} handled", bind.scene_scale);
  return line;
}

std::string turned(double degrees) {
  return degrees >= 0.5 ? fmt::format(", turned {:.0f} degrees", degrees) : std::string();
}

}  // namespace sinew::cli
