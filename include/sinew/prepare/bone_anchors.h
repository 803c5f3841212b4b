// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/prepare/bone_cells.h"
#include "sinew/prepare/prepared_mesh.h"

namespace sinew {

/// A vertex that a bone should lead.
struct Anchor {
  VertexIndex vertex = 0;
  std::uint32_t bone = 0;
  double share = 0;  // in (0, 1]: how much it matters that it does
};

struct AnchorOptions {
  double middle = 1.0 / 3;     // of a bone's length: what is nearest to it should follow
  double least_share = 0.3;    // of what is nearest to a bone; where its middle has less, as on a
                               // coarse mesh, anchors reach farther to its ends
  double fork_distance = 1.3;  // as CellOptions::fork_distance
  std::size_t least_vertices = 4;  // a bone that fewer are nearest to is given those for which it
                                   // is nearly the nearest
  double nearly_nearest = 2;       // times as far as the nearest bone at most
};

/// Which vertices each bone should lead: those nearest to its middle, the first of them fully, and
/// less towards the ends of the middle, where joints have to bend. A vertex has at most one. Of
/// what is nearest to a bone on one part only the largest patch counts: the inside of the other
/// thigh is no anchor. A part serves bones that hang together: a leg that reaches across another
/// one is none of its own. `skeleton` is what the segments are of. Vertices where `is_free` is
/// false have none. Cost: O(vertices × segments).
[[nodiscard]] std::vector<Anchor> find_bone_anchors(const PreparedMesh& prepared,
                                                    const Skeleton& skeleton,
                                                    const BoneSegments& bones,
                                                    const std::vector<bool>& is_free,
                                                    const AnchorOptions& options = {});

}  // namespace sinew
