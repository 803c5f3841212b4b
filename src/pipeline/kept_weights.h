// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/optimise/weight_constraints.h"
#include "sinew/pipeline/bind.h"
#include "sinew/prepare/prepared_mesh.h"

namespace sinew {

/// What of the old weights has to stay.
struct KeptWeights {
  SkinWeights old;                 // a row may be empty: nothing to keep there
  std::vector<bool> is_locked;     // bones whose weights stay
  std::vector<bool> may_change;    // vertices
  [[nodiscard]] bool any() const;  // whether anything stays
  /// Whether a bone's weight on a vertex has to be what it was.
  [[nodiscard]] bool keeps(std::size_t vertex, std::uint32_t bone) const {
    return !old.row(vertex).empty() && (!may_change[vertex] || is_locked[bone]);
  }
};

/// The same for the vertices that are solved for and for those that are stored: copies of a vertex
/// may have had different weights, and each keeps its own.
struct Keeping {
  KeptWeights welded;
  KeptWeights stored;
};

/// Fails when options ask to keep weights that are not there, or more of them on a vertex than a
/// vertex may have.
[[nodiscard]] Result<Keeping> find_kept_weights(const Character& character,
                                                const WeldedMesh& welded,
                                                const BindOptions& options);

/// The maps where kept bones influence what they did and nothing else.
[[nodiscard]] InfluenceMaps keep_in_maps(const InfluenceMaps& maps, const KeptWeights& kept);

/// Holds kept weights where they were while the others are optimised.
[[nodiscard]] std::vector<WeightConstraint> keeping_constraints(const WeightProblem& problem,
                                                                const KeptWeights& kept);

/// Fresh weights with the kept ones put back, bit for bit; the others are scaled to what those
/// leave. No row has more than `max_influences`, unless more are kept.
[[nodiscard]] SkinWeights put_back(const KeptWeights& kept, const SkinWeights& fresh,
                                   int max_influences);

/// Between the old weights, 0, and fresh ones, 1; vertices without old weights are fresh.
[[nodiscard]] SkinWeights blend(const SkinWeights& old, const SkinWeights& fresh, double amount);

}  // namespace sinew
