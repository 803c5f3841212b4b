// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_constraints.h"
#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"

namespace sinew {

/// What of the old weights has to stay.
struct KeptWeights {
  SkinWeights old;                 // a row may be empty: nothing to keep there
  std::size_t skipped = 0;         // rows of it that lost bones that nothing is to be bound to
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

/// Of each bone, whether options keep its weights.
[[nodiscard]] std::vector<bool> locked_bones(std::size_t bone_count, const BindOptions& options);

/// Refuses options that contradict each other, or the character, about what stays of old weights.
/// The place is the option's name. Bones have to be there.
[[nodiscard]] Status check_keeping(const Character& character, const BindOptions& options);

/// Copies of a vertex may change if one of them may: what a seam splits is one place. Old weights
/// that others are made from are without bones that the options skip, unless a vertex had nothing
/// else. Fails when options ask to keep weights that are not there, or more of them on a vertex
/// than it may have under the least budget.
[[nodiscard]] Result<Keeping> find_kept_weights(const Character& character,
                                                const WeldedMesh& welded,
                                                const BindOptions& options);

/// The maps where kept bones influence what they did and nothing else.
[[nodiscard]] InfluenceMaps keep_in_maps(const InfluenceMaps& maps, const KeptWeights& kept);

/// Holds kept weights where they were while the others are optimised.
[[nodiscard]] std::vector<WeightConstraint> keeping_constraints(const WeightProblem& problem,
                                                                const KeptWeights& kept);

/// Why options let nothing change, in words; empty where something may.
[[nodiscard]] std::string why_nothing_may_change(const KeptWeights& stored,
                                                 const std::vector<BoneRole>& roles,
                                                 const Skeleton& skeleton,
                                                 const BindOptions& options);

/// Kept weights that delivered ones do not have any more, as floats tell them apart.
[[nodiscard]] std::size_t count_not_kept(const KeptWeights& stored, const SkinWeights& delivered);

/// Warn that nothing may change, if that is so, and that kept weights had to be rounded, if any.
inline constexpr std::string_view kNothingMayChange = "nothing_may_change";
inline constexpr std::string_view kKeptWeightsRounded = "kept_weights_rounded";
void notice_nothing_may_change(const std::string& why, Notices& notices);
void notice_rounded(std::size_t kept_rounded, WeightFormat format, Notices& notices);

/// Fresh weights with the kept ones put back, bit for bit; the others are scaled to what those
/// leave. No row has more than `max_influences`, unless more are kept.
[[nodiscard]] SkinWeights put_back(const KeptWeights& kept, const SkinWeights& fresh,
                                   int max_influences);

/// Between the old weights, 0, and fresh ones, 1; vertices without old weights are fresh.
[[nodiscard]] SkinWeights blend(const SkinWeights& old, const SkinWeights& fresh, double amount);

}  // namespace sinew
