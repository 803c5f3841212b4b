// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

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

/// Parts with so many vertices are solved one after the other, each with its own progress. Smaller
/// ones are solved side by side, about so many vertices between two looks at whether to stop.
constexpr std::size_t kLargePart = 20'000;
/// Of all the work, where there are wires: what these join comes last.
constexpr double kGroupsBegin = 0.95;

/// The right-hand side of [araplbs] Eq. 6: H χ with H = 1/d², times the area of each vertex.
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

/// Heat over the parts of a mesh: each by itself, what hangs on wires with all that these join.
class HeatSolve {
 public:
  HeatSolve(const PreparedMesh& prepared, const BoneCells& cells, const std::vector<bool>& parts,
            const HeatOptions& options)
      : prepared_(prepared),
        cells_(cells),
        parts_(parts),
        options_(options),
        groups_(wired_groups(prepared, parts, options.wires)),
        by_wires_alone_(parts.size(), false),
        places_(places_in_parts(prepared.parts)),
        outcomes_(prepared.parts.count()),
        rows_(prepared.mesh.vertex_count()) {
    for (const WiredGroup& group : groups_)
      if (is_seen(group))
        for (const int part : group.parts)
          by_wires_alone_[static_cast<std::size_t>(part)] = !is_seen(part);
  }

  Result<HeatWeights> solve(const Progress& progress) {
    SINEW_CHECK(heat_parts(groups_.empty() ? progress : progress.within(0, kGroupsBegin)));
    HeatWeights result;
    for (std::size_t part = 0; part < outcomes_.size(); ++part) {
      auto& [status, is_blind] = outcomes_[part];
      if (is_blind) result.blind_parts.push_back(static_cast<int>(part));
      if (is_blocked(status)) return std::move(status).error();
    }
    const auto share_of = [&](std::size_t g) {
      return std::lerp(kGroupsBegin, 1.0,
                       static_cast<double>(g) / static_cast<double>(groups_.size()));
    };
    for (std::size_t g = 0; g < groups_.size(); ++g)
      SINEW_CHECK(heat_group(groups_[g], progress.within(share_of(g), share_of(g + 1))));
    for (VertexIndex v = 0; v < rows_.size(); ++v)
      if (prepared_.parts.of_vertex[v] < 0) rows_[v] = owners_of(cells_, v);
    result.weights = SkinWeights::from_rows(cells_.owners.bone_count(), rows_);
    return result;
  }

 private:
  struct Outcome {
    Status status;
    bool is_blind = false;
  };

  [[nodiscard]] const std::vector<VertexIndex>& members_of(int part) const {
    return prepared_.parts.members[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] bool is_seen(int part) const {
    return std::ranges::any_of(members_of(part),
                               [&](VertexIndex v) { return cells_.visibility[v] > 0; });
  }
  [[nodiscard]] bool is_seen(const WiredGroup& group) const {
    return std::ranges::any_of(group.parts, [&](int part) { return is_seen(part); });
  }
  /// Nothing heats it: no reason to stop.
  [[nodiscard]] static bool is_cold(const Status& status) {
    return !status.ok() && status.error().code == ErrorCode::bad_argument;
  }
  [[nodiscard]] static bool is_blocked(const Status& status) {
    return !status.ok() && !is_cold(status);
  }

  /// Large parts one after the other, then small ones side by side.
  Status heat_parts(const Progress& progress) {
    const double all = static_cast<double>(std::max<std::size_t>(1, rows_.size()));
    std::vector<int> small;
    std::size_t solved = 0;
    for (int part = 0; part < static_cast<int>(prepared_.parts.count()); ++part) {
      const auto p = static_cast<std::size_t>(part);
      const std::size_t size = members_of(part).size();
      if (!parts_[p] || by_wires_alone_[p]) continue;
      if (size < kLargePart) {
        small.push_back(part);
        continue;
      }
      heat_part(part, progress.within(static_cast<double>(solved) / all,
                                      static_cast<double>(solved + size) / all));
      if (is_blocked(outcomes_[p].status)) return outcomes_[p].status;
      solved += size;
    }
    const auto size_of = [&](int part) { return members_of(part).size(); };
    std::ranges::stable_sort(small, std::ranges::greater(), size_of);
    for (std::size_t first = 0, end = 0; first < small.size(); first = end) {
      SINEW_CHECK(progress.checkpoint("weights", static_cast<double>(solved) / all));
      for (std::size_t size = 0; end < small.size() && size < kLargePart; ++end)
        size += size_of(small[end]);
      parallel_for(
          end - first, [&](std::size_t s) { heat_part(small[first + s], {}); }, 1);
      for (std::size_t s = first; s != end; ++s) solved += size_of(small[s]);
    }
    return {};
  }

  void heat_part(int part, const Progress& progress) {
    const std::vector<VertexIndex>& members = members_of(part);
    const auto heat = [&](Heated heated) {
      return solve_part(prepared_, part, places_,
                        heat_sources(prepared_, cells_, members, heated, options_),
                        options_.least_weight, progress, rows_);
    };
    auto& [status, is_blind] = outcomes_[static_cast<std::size_t>(part)];
    if (is_seen(part)) status = heat(Heated::seen);
    is_blind = !is_seen(part) || is_cold(status);
    if (is_blind) status = heat(Heated::all);
    fill_empty(members);
  }

  Status heat_group(const WiredGroup& group, const Progress& progress) {
    const Heated heated = is_seen(group) ? Heated::seen : Heated::all;
    std::vector<WeightSource> sources;
    for (const int part : group.parts)
      std::ranges::move(heat_sources(prepared_, cells_, members_of(part), heated, options_),
                        std::back_inserter(sources));
    const Status status = raise_by_wires(prepared_, group, sources, options_, progress, rows_);
    if (is_blocked(status)) return status;
    for (const int part : group.parts) fill_empty(members_of(part));
    return {};
  }

  /// What no digit of heat has reached.
  void fill_empty(const std::vector<VertexIndex>& members) {
    for (const VertexIndex v : members)
      if (rows_[v].empty()) rows_[v] = owners_of(cells_, v);
  }

  const PreparedMesh& prepared_;
  const BoneCells& cells_;
  const std::vector<bool>& parts_;
  const HeatOptions& options_;
  std::vector<WiredGroup> groups_;
  std::vector<bool> by_wires_alone_;
  std::vector<int> places_;
  std::vector<Outcome> outcomes_;
  std::vector<std::vector<Influence>> rows_;
};

}  // namespace

Result<HeatWeights> heat_weights(const PreparedMesh& prepared, const BoneCells& cells,
                                 const std::vector<bool>& parts, const HeatOptions& options,
                                 const Progress& progress) {
  return HeatSolve(prepared, cells, parts, options).solve(progress);
}

}  // namespace sinew
