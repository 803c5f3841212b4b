// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality/weight_maps.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/parallel.h"
#include "geometry/patches.h"

namespace sinew {
namespace {

constexpr double kRoughPercentile = 0.999;  // of the differences: one kink is no roughness

/// The value at a place between two of `count` sorted numbers, of which all but `values` are zero;
/// linear between them.
double percentile(std::vector<double> values, double count, double part) {
  if (count < 1) return 0;
  const double zeros = count - static_cast<double>(values.size());
  const double rank = part * (count - 1);
  const auto at = [&](double index) {
    if (index < zeros) return 0.0;
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(index - zeros);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
  };
  const double low = std::floor(rank);
  const double below = at(low);
  const double above = low + 1 < count ? at(low + 1) : below;
  return below + (rank - low) * (above - below);
}

}  // namespace

double weight_on(const SkinWeights& weights, std::size_t vertex, int bone) {
  for (const Influence& influence : weights.row(vertex))
    if (static_cast<int>(influence.bone) == bone) return influence.weight;
  return 0;
}

std::size_t count_islands(const SkinWeights& weights, const MeshGraph& graph,
                          const MeshParts& parts) {
  std::vector<std::vector<VertexIndex>> members(weights.bone_count());
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    if (parts.of_vertex[v] < 0) continue;
    for (const auto& [bone, weight] : weights.row(v))
      if (weight > kPatchWeight) members[bone].push_back(static_cast<VertexIndex>(v));
  }
  PatchFinder finder(graph);
  std::size_t islands = 0;
  for (const std::vector<VertexIndex>& of_bone : members) {
    std::set<int> met;  // parts that have a patch of this bone already
    for (const std::vector<VertexIndex>& patch : finder.find(of_bone))
      if (!met.insert(parts.of_vertex[patch.front()]).second) ++islands;
  }
  return islands;
}

double roughness(const SkinWeights& weights, const MeshGraph& graph) {
  using Values = std::vector<double>;
  Values differences = parallel_reduce(
      graph.vertex_count(), kDefaultGrain, Values{},
      [&](ChunkRange range) {
        Values found;
        std::vector<double> difference(weights.bone_count(), 0);
        std::vector<bool> is_touched(weights.bone_count(), false);
        std::vector<std::uint32_t> touched;
        const auto add = [&](const Influence& influence, double factor) {
          difference[influence.bone] += factor * influence.weight;
          if (is_touched[influence.bone]) return;
          is_touched[influence.bone] = true;
          touched.push_back(influence.bone);
        };
        for (std::size_t i = range.begin; i != range.end; ++i) {
          const std::span<const VertexIndex> neighbours = graph.neighbours_of(i);
          if (neighbours.empty()) continue;
          const double share = 1 / static_cast<double>(neighbours.size());
          for (const VertexIndex k : neighbours)
            for (const Influence& influence : weights.row(k)) add(influence, -share);
          for (const Influence& influence : weights.row(i)) add(influence, 1);
          for (const std::uint32_t bone : touched) {
            found.push_back(std::abs(difference[bone]));
            difference[bone] = 0;
            is_touched[bone] = false;
          }
          touched.clear();
        }
        return found;
      },
      [](Values total, Values part) {
        total.insert(total.end(), part.begin(), part.end());
        return total;
      });
  std::size_t vertices = 0;
  for (std::size_t i = 0; i < graph.vertex_count(); ++i)
    if (!graph.neighbours_of(i).empty()) ++vertices;
  const std::vector<double> per_bone = weights.weight_per_bone();
  const auto bones =
      std::count_if(per_bone.begin(), per_bone.end(), [](double weight) { return weight > 0; });
  return percentile(std::move(differences),
                    static_cast<double>(vertices) * static_cast<double>(bones), kRoughPercentile);
}

}  // namespace sinew
