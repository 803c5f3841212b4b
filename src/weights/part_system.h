// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"

namespace sinew {

/// What flows into one vertex: weights from a bone or from what a part sits on.
struct WeightSource {
  VertexIndex vertex = 0;
  double conductance = 0;          // Λ / d²
  std::vector<Influence> weights;  // at the other end; sum to one
};

/// The bones that arrive, ascending.
[[nodiscard]] std::vector<std::uint32_t> bones_of(std::span<const WeightSource> sources);

/// Of each vertex, its place among the members of its part.
[[nodiscard]] std::vector<int> places_in_parts(const MeshParts& parts);

/// Solves (L + C) w = C w_source on one connected part, for every bone that arrives, and fills the
/// rows of its vertices; `places` are those of places_in_parts. Weights below `least_weight` are
/// left out. Fails with bad_argument when the sources are too weak for doubles to solve the system,
/// and when cancelled.
[[nodiscard]] Status solve_part(const PreparedMesh& prepared, int part, std::span<const int> places,
                                std::span<const WeightSource> sources, double least_weight,
                                const Progress& progress,
                                std::vector<std::vector<Influence>>& rows);

}  // namespace sinew
