// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <algorithm>

#include "weights/part_system.h"

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
    if (heated == Heated::seen && !cells.is_seen[v]) continue;
    const double distance =
        std::clamp(cells.distance[v], options.least_distance_rel, options.most_distance_rel);
    sources.push_back(
        {v, prepared.graph.vertex_measure[v] / (distance * distance), owners_of(cells, v)});
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
  std::size_t solved = 0;
  for (int part = 0; part < static_cast<int>(prepared.parts.count()); ++part) {
    if (!parts[static_cast<std::size_t>(part)]) continue;
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
    const bool any_seen = std::any_of(members.begin(), members.end(),
                                      [&](VertexIndex v) { return cells.is_seen[v]; });
    Status status = any_seen ? solve(Heated::seen)
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
  for (VertexIndex v = 0; v < vertices; ++v)
    if (prepared.parts.of_vertex[v] < 0) rows[v] = owners_of(cells, v);
  result.weights = SkinWeights::from_rows(cells.owners.bone_count(), rows);
  return result;
}

}  // namespace sinew
