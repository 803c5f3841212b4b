// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/part_links.h"

namespace sinew {

struct LinkedPartOptions {
  double least_gap_rel = 5e-3;  // of the diagonal: over what length a part that touches evens out
  double most_gap_rel = 1;      // of the diagonal: a weaker link would drown in rounding
  double least_weight = 1e-5;   // below it a weight is not worth storing
};

/// Weights for parts that are not bound by themselves: each takes the weights of what it sits on,
/// through its links, and evens them out over its own surface, the more the farther off it is. A
/// part that is small beside its bone evens out over its whole size, and so stays nearly rigid.
///
/// `links` are as find_part_links gives them: hosts first, one for each part.
/// `weights` has rows for all parts that nothing is linked for; those rows come back as they are.
/// Guarantee: a part bound to hosts that all have one row gets that row.
[[nodiscard]] SkinWeights weights_for_linked_parts(const PreparedMesh& prepared,
                                                   std::span<const PartLink> links,
                                                   const SkinWeights& weights,
                                                   const LinkedPartOptions& options = {});

}  // namespace sinew
