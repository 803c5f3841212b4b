// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <algorithm>

#include "weights/part_system.h"
#include "weights/wired_parts.h"

namespace sinew {
namespace {

std::vector<Influence> owners_of(const BoneCells& cells, VertexIndex v) {
  const std::span<const Influence> owners = cells.owners.row(v);
  return {owners.begin(), owners.end()};
}

enum class Heated { seen, all };

/// H χ of the vertices of a part, times Λ.
std::vector<WeightSource> heat_sources(const PreparedMesh& prepared, const BoneCells& cells,
                                       const std::vector<VertexIndex>& members, Heated heated,
                                       const HeatOptions& options) {
  std::vector<WeightSource> sources;
  for (const VertexIndex v : members) {
    const double visibility = heated == Heated::all ? 1 : cells.visibility[v];
    if (visibility <= 0) continue;
    const double distance =
        std::clamp(cells.distance[v], options.least_distance_rel, options.most_distance_rel);
    sources.push_back({v, visibility * prepared.graph.vertex_measure[v] / (distance * distance),
                       owners_of(cells, v)});
  }
  return sources;
}

}  // namespace

Result<HeatWeights> heat_weights(const PreparedMesh& prepared, const BoneCells& cells,
                                 const std::vector<bool>& parts, const HeatOptions& options,
                                 const Progress& progress) {
  HeatWeights result;
  const std::size_t vertices = prepared.mesh.vertex_count();
  std::vector<std::vector<Influence>> rows(vertices);
  const auto is_seen = [&](int part) {
    return std::ranges::any_of(prepared.parts.members[static_cast<std::size_t>(part)],
                               [&](VertexIndex v) { return cells.visibility[v] > 0; });
  };
  const std::vector<WiredGroup> groups = wired_groups(prepared, parts, options.wires);
  std::vector<bool> by_wires_alone(parts.size(), false);
  for (const WiredGroup& group : groups)
    if (std::ranges::any_of(group.parts, is_seen))
      for (const int part : group.parts)
        by_wires_alone[static_cast<std::size_t>(part)] = !is_seen(part);
  std::size_t solved = 0;
  for (int part = 0; part < static_cast<int>(prepared.parts.count()); ++part) {
    if (!parts[static_cast<std::size_t>(part)] || by_wires_alone[static_cast<std::size_t>(part)])
      continue;
    const std::vector<VertexIndex>& members =
        prepared.parts.members[static_cast<std::size_t>(part)];
    const double all = static_cast<double>(vertices);
    const Progress part_progress = progress.within(
        static_cast<double>(solved) / all, static_cast<double>(solved + members.size()) / all);
    const auto solve = [&](Heated heated) {
      const std::vector<WeightSource> sources =
          heat_sources(prepared, cells, members, heated, options);
      return solve_part(prepared, part, sources, options.least_weight, part_progress, rows);
    };
    Status status = is_seen(part) ? solve(Heated::seen)
                                  : Status(Error{ErrorCode::bad_argument, "", "no bone is seen"});
    if (!status.ok() && status.error().code == ErrorCode::bad_argument) {
      result.blind_parts.push_back(part);
      status = solve(Heated::all);
    }
    if (!status.ok() && status.error().code != ErrorCode::bad_argument)
      return std::move(status).error();
    for (const VertexIndex v : members)  // what no digit of heat has reached
      if (rows[v].empty()) rows[v] = owners_of(cells, v);
    solved += members.size();
  }
  for (const WiredGroup& group : groups) {
    const bool any_seen = std::ranges::any_of(group.parts, is_seen);
    std::vector<WeightSource> sources;
    for (const int part : group.parts)
      for (WeightSource& source :
           heat_sources(prepared, cells, prepared.parts.members[static_cast<std::size_t>(part)],
                        any_seen ? Heated::seen : Heated::all, options))
        sources.push_back(std::move(source));
    const Status status =
        raise_by_wires(prepared, group, sources, options, progress.within(0.95, 1), rows);
    if (!status.ok() && status.error().code != ErrorCode::bad_argument) return status.error();
    for (const int part : group.parts)
      for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(part)])
        if (rows[v].empty()) rows[v] = owners_of(cells, v);
  }
  for (VertexIndex v = 0; v < vertices; ++v)
    if (prepared.parts.of_vertex[v] < 0) rows[v] = owners_of(cells, v);
  result.weights = SkinWeights::from_rows(cells.owners.bone_count(), rows);
  return result;
}

}  // namespace sinew
