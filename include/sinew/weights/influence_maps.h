// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/geometry/mesh_graph.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// B(i): the bones that may influence each vertex, ascending, and the weight that each starts with:
/// none is negative, and rows sum to one. A bone that only connects others may start at zero, which
/// SkinWeights cannot say. A vertex that has no weights yet has no bones here either.
struct InfluenceMaps {
  std::size_t bone_count = 0;
  std::vector<std::size_t> begin{0};  // vertices + 1
  std::vector<std::uint32_t> bones;   // grouped by vertex
  std::vector<double> weights;        // beside bones

  [[nodiscard]] std::size_t vertex_count() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> bones_of(std::size_t vertex) const {
    return std::span(bones).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }
  [[nodiscard]] std::span<const double> weights_of(std::size_t vertex) const {
    return std::span(weights).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
  }

  /// Where a bone of a vertex is in bones and weights; nothing when it does not influence it.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t vertex, std::uint32_t bone) const {
    const std::span<const std::uint32_t> row = bones_of(vertex);
    const auto found = std::lower_bound(row.begin(), row.end(), bone);
    if (found == row.end() || *found != bone) return std::nullopt;
    return begin[vertex] + static_cast<std::size_t>(found - row.begin());
  }

  friend bool operator==(const InfluenceMaps&, const InfluenceMaps&) = default;
};

/// The maps with no more than `most_of` each vertex bones: the strongest, those of `kept`, vertex
/// and bone, however many these are, and of the others those that weigh most on it and around it.
/// Bones that weigh the same, as the left and the right one in the plane between them, stay or go
/// together. Rows sum to what they did.
[[nodiscard]] InfluenceMaps with_fewer_bones(
    const InfluenceMaps& maps, const MeshGraph& graph, std::span<const std::size_t> most_of,
    std::span<const std::pair<std::uint32_t, std::uint32_t>> kept);

/// The maps with a bone added, at weight zero, to every vertex without it that has a neighbour on
/// which it weighs more than `edge_weight`: on a coarse mesh a weight must not end from one vertex
/// to the next.
[[nodiscard]] InfluenceMaps widen_steep_edges(const InfluenceMaps& maps, const MeshGraph& graph,
                                              double edge_weight);

/// The maps with more bones, at weight zero where they were not: pairs of a vertex and a bone.
[[nodiscard]] InfluenceMaps with_more_bones(
    const InfluenceMaps& maps, std::span<const std::pair<std::uint32_t, std::uint32_t>> added);

/// Every bone that has weight on a vertex may influence it.
[[nodiscard]] InfluenceMaps influence_maps(const SkinWeights& weights);

}  // namespace sinew
