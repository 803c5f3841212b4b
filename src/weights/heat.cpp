// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <algorithm>
#include <functional>

#include "core/parallel.h"
#include "weights/part_system.h"
#include "weights/wired_parts.h"

namespace sinew {
namespace {

std::vector<Influence> owners_of(const BoneCells& cells, VertexIndex v) {
  const std::span<const Influence> owners = cells.owners.row(v);
  return {owners.begin(), owners.end()};
}

enum class Heated { seen, all };

/// Vertices of a part that is worth a progress of its own. Smaller ones are solved side by side, so
/// many vertices of them between two looks at whether to stop.
constexpr std::size_t kLargePart = 20'000;

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
  struct OfPart {
    Status status;
    bool is_blind = false;
  };
  std::vector<OfPart> outcomes(prepared.parts.count());
  const std::vector<int> places = places_in_parts(prepared.parts);
  const auto heat_part = [&](int part, const Progress& part_progress) {
    const std::vector<VertexIndex>& members =
        prepared.parts.members[static_cast<std::size_t>(part)];
    const auto solve = [&](Heated heated) {
      const std::vector<WeightSource> sources =
          heat_sources(prepared, cells, members, heated, options);
      return solve_part(prepared, part, places, sources, options.least_weight, part_progress, rows);
    };
    auto& [status, is_blind] = outcomes[static_cast<std::size_t>(part)];
    status = is_seen(part) ? solve(Heated::seen)
                           : Status(Error{ErrorCode::bad_argument, "", "no bone is seen"});
    is_blind = !status.ok() && status.error().code == ErrorCode::bad_argument;
    if (is_blind) status = solve(Heated::all);
    for (const VertexIndex v : members)  // what no digit of heat has reached
      if (rows[v].empty()) rows[v] = owners_of(cells, v);
  };
  const auto is_stopped = [&](int part) {
    const Status& status = outcomes[static_cast<std::size_t>(part)].status;
    return !status.ok() && status.error().code != ErrorCode::bad_argument;
  };
  const auto size_of = [&](int part) {
    return prepared.parts.members[static_cast<std::size_t>(part)].size();
  };
  const double all = static_cast<double>(std::max<std::size_t>(1, vertices));
  std::vector<int> small;
  std::size_t solved = 0;
  for (int part = 0; part < static_cast<int>(prepared.parts.count()); ++part) {
    if (!parts[static_cast<std::size_t>(part)] || by_wires_alone[static_cast<std::size_t>(part)])
      continue;
    if (size_of(part) < kLargePart) {
      small.push_back(part);
      continue;
    }
    heat_part(part, progress.within(static_cast<double>(solved) / all,
                                    static_cast<double>(solved + size_of(part)) / all));
    if (is_stopped(part)) break;
    solved += size_of(part);
  }
  std::ranges::stable_sort(small, std::ranges::greater(), size_of);
  for (std::size_t first = 0, end = 0; first < small.size(); first = end) {
    SINEW_CHECK(progress.checkpoint("weights", static_cast<double>(solved) / all));
    for (std::size_t size = 0; end < small.size() && size < kLargePart; ++end)
      size += size_of(small[end]);
    parallel_for(
        end - first, [&](std::size_t s) { heat_part(small[first + s], {}); }, 1);
    for (std::size_t s = first; s != end; ++s) solved += size_of(small[s]);
  }
  for (std::size_t part = 0; part < outcomes.size(); ++part) {
    auto& [status, is_blind] = outcomes[part];
    if (is_blind) result.blind_parts.push_back(static_cast<int>(part));
    if (!status.ok() && status.error().code != ErrorCode::bad_argument)
      return std::move(status).error();
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
