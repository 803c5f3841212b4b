// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_problem.h"
#include "sinew/rig/bone_anchors.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/part_links.h"

namespace sinew {

/// Adds stiffness · (w_ij − target)² to the energy ([araplbs] section 4.3).
struct WeightConstraint {
  std::uint32_t vertex = 0;
  std::uint32_t bone = 0;  // one of B(vertex)
  double target = 0;
  double stiffness = 0;
  friend bool operator==(const WeightConstraint&, const WeightConstraint&) = default;
};

/// Adds stiffness · Δ_i(w_j)² to the energy ([araplbs] section 6, Eq. 13 at one vertex): the bone's
/// weight there is drawn to the mean of its weights around, as WeightProblem::laplacian conducts.
struct FlatConstraint {
  std::uint32_t vertex = 0;
  std::uint32_t bone = 0;
  double stiffness = 0;
  friend bool operator==(const FlatConstraint&, const FlatConstraint&) = default;
};

/// Which constraints keep a mesh with its bones.
enum class ConstraintSet {
  soft,   // bones lead the vertices around their middle, as firmly as obedience says
          // (docs/decisions/obedience.md)
  paper,  // [araplbs] section 4.3: attached where weights peak, fading where influences end
};
[[nodiscard]] std::string_view to_string(ConstraintSet set);
[[nodiscard]] std::optional<ConstraintSet> constraint_set_from(std::string_view name);

/// A problem with its parts linked, and what is set before it is factorised.
struct ConstrainedProblem {
  WeightProblem problem;
  std::vector<WeightConstraint> constraints;
  std::size_t attached = 0;  // of them
  std::size_t fading = 0;    // of them
};

/// Constrains a problem without links as the paper does, and links it then: a weight does not fade
/// out because what sits on it is without it.
[[nodiscard]] ConstrainedProblem constrain_as_paper(WeightProblem problem, const BoneCells& cells,
                                                    std::span<const PartLink> links);

/// Constrains a problem without links by soft_constraints, and links it then.
[[nodiscard]] ConstrainedProblem constrain_softly(WeightProblem problem,
                                                  std::span<const Anchor> anchors, double obedience,
                                                  std::span<const PartLink> links);

/// w_ij → 1 on the anchors of each bone: the larger `obedience`, in [0, 1], the more distortion may
/// be paid for it; each tenth is a factor of 2.5. Firmer for bones with few anchors, so that
/// fingers do not drown in the body, and weaker on dense meshes, as the energy of their short edges
/// is. Every anchor's bone must be one of B(vertex).
[[nodiscard]] std::vector<WeightConstraint> soft_constraints(const WeightProblem& problem,
                                                             std::span<const Anchor> anchors,
                                                             double obedience);

/// What to add where bones have lost what they lead, given what leads them: constraints as before
/// on their anchors, that with those of the rounds before make them three times as firm each round.
/// A bone is lost when no anchor weighs 0.6 of it, or all of them less than a half on average.
[[nodiscard]] std::vector<WeightConstraint> firmer_for_lost(
    const InfluenceMaps& maps, const std::vector<double>& weights,
    std::span<const WeightConstraint> leading, int round);

/// c_i = 100 · BBD² · Λ_i · #exemplars, with the diagonal BBD = 1 in the unit frame.
[[nodiscard]] double paper_stiffness(const WeightProblem& problem, std::size_t vertex);

/// w_ij → 1 where w_ij is a strict local maximum of the bone's map, above one half, and the vertex
/// sees the bone: the ends of a skeleton are not ignored. A bone without such a vertex, on a tube
/// whose rings weigh the same all around, is attached wherever its weight is largest, if that is
/// above one half and seen. In a tetrahedral mesh those are the
/// vertices on the bones or next to them.
[[nodiscard]] std::vector<WeightConstraint> attach_constraints(const WeightProblem& problem,
                                                               const BoneCells& cells);

/// w_ij → 0 where a neighbour of i is not influenced by bone j: a weight fades out before its
/// influence ends. Where all bones of a vertex would be constrained so, the strongest is left.
[[nodiscard]] std::vector<WeightConstraint> neumann_constraints(const WeightProblem& problem);

/// w_ij → 0 for weights below −`tolerance` that are local minima of their bone's map: few, and they
/// push up what is around them.
[[nodiscard]] std::vector<WeightConstraint> positivity_constraints(
    const WeightProblem& problem, const std::vector<double>& weights, double tolerance = 1e-3);

}  // namespace sinew
