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

std::string_view bind_pose_name(BindPose::From from) {
  switch (from) {
    case BindPose::From::inverse_bind_matrices:
      return "ibm";
    case BindPose::From::nodes:
      return "nodes";
    case BindPose::From::clip:
      return "clip";
  }
  return "";
}

std::string turned(double degrees) {
  return degrees >= 0.5 ? fmt::format(", turned {:.0f} degrees", degrees) : std::string();
}

Json figures_json(std::span<const Figure> figures) {
  Json json = Json::object();
  for (const Figure& figure : figures) {
    const bool whole = figure.value == std::floor(figure.value) && std::abs(figure.value) < 1e15;
    json[std::string(figure.name)] =
        whole ? Json(static_cast<std::int64_t>(figure.value)) : Json(figure.value);
  }
  return json;
}

Json rehung_json(const EffectiveHierarchy& hierarchy, std::span<const BoneSummary> bones) {
  const auto name = [&](int bone) {
    return bone < 0 ? Json() : Json(bones[static_cast<std::size_t>(bone)].name);
  };
  Json list = Json::array();
  for (const Rehung& each : hierarchy.rehung)
    list.push_back({{"bone", name(each.bone)},
                    {"from", name(each.from)},
                    {"to", name(each.to)},
                    {"why", each.why == Rehung::Why::flat ? "flat" : "moves_with"}});
  return list;
}

}  // namespace sinew::cli
