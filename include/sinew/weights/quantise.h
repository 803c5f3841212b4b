// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/math/types.h"
#include "sinew/model/skin_weights.h"
#include "sinew/model/weight_format.h"

namespace sinew {

/// Every row in whole steps by itself, as apportion does it. Weights that round to nothing are
/// gone.
[[nodiscard]] SkinWeights round_weights(const SkinWeights& weights, std::uint32_t steps);

/// What decides which of a vertex's weights go up and which go down. All in one frame, in which the
/// mesh is of about unit size around the origin: sums over poses lose their digits elsewhere.
struct QuantiseMetric {
  std::span<const Vec3> positions;
  const MeshGraph& graph;
  std::span<const std::vector<Affine3>> poses;  // of each, per bone: from bind to posed
};

struct QuantiseOptions {
  std::uint32_t steps = kSteps8;
  int sweeps = 8;  // over all vertices at most; most meshes need four until nothing changes
};

/// Distortions over the poses (some of them, where there are many vertices), relative to X Σ a|e|².
struct QuantisedWeights {
  SkinWeights weights;
  double arap_before = 0;   // of the weights that were given
  double arap_nearest = 0;  // of round_weights
  double arap_after = 0;    // of these; never more than arap_nearest
  std::size_t changed = 0;  // rows that differ from round_weights
};

/// Rounds weights so that a mesh deforms as it did: as round_weights does, and then, vertex after
/// vertex, one weight up for another that goes down wherever that brings the edges around closer to
/// where exact weights have them over the poses, given how the neighbours are rounded. Neighbours
/// err alike, where rounding each vertex by itself roughens the surface: the energy's second order.
/// The promises of apportion hold. Fails only when cancelled. Cost of a sweep: O(edges × bones²),
/// whatever the number of poses.
[[nodiscard]] Result<QuantisedWeights> quantise_weights(const SkinWeights& weights,
                                                        const QuantiseMetric& metric,
                                                        const QuantiseOptions& options = {},
                                                        const Progress& progress = {});

}  // namespace sinew
