// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/math/types.h"
#include "sinew/model/skin_weights.h"
#include "sinew/prepare/mesh_graph.h"

namespace sinew {

/// How a file stores weights: as floats, or as normalised integers.
enum class WeightFormat { f32, u16, u8 };
[[nodiscard]] std::string_view to_string(WeightFormat format);
[[nodiscard]] std::optional<WeightFormat> weight_format_from(std::string_view name);

/// What normalised weights are counted in: steps that make up one.
inline constexpr std::uint32_t kSteps8 = 255;
inline constexpr std::uint32_t kSteps16 = 65535;
/// Of a format; 0 for floats.
[[nodiscard]] std::uint32_t steps_of(WeightFormat format);

/// A row in whole steps, beside its influences. The sum is exactly `steps`, each weight moves by
/// less than one step, and those that lie on a step stay there: rounding twice is rounding once.
/// Every weight is rounded down, then those that lost most get one more, the first of equals.
[[nodiscard]] std::vector<std::uint32_t> apportion(std::span<const Influence> row,
                                                   std::uint32_t steps);

/// Every row so rounded, by itself. Weights that round to nothing are gone.
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
