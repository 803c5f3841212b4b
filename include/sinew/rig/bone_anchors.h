// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"

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
  // Beyond the middle an anchor counts less the nearer another bone is, since joints lie there; at
  // least this much, and this much of a bone that nothing hangs on.
  double least_sure = 0.01;
  double least_sure_leaf = 0.3;
};

struct BoneAnchors {
  std::vector<Anchor> anchors;
  /// Bones that each part serves, for parts with a bone beside them that only passes by.
  std::map<int, std::set<int>> served;
};

/// Which vertices each bone should lead: those nearest to its middle, the first of them fully, and
/// less towards the ends of the middle, where joints have to bend. A bone that `skeleton` says is a
/// spine leads all along, but for its ends. A vertex has at most one. Of
/// what is nearest to a bone on one part only the largest patch counts: the inside of the other
/// thigh is no anchor. A part serves bones that hang together: a leg that reaches across another
/// one is none of its own. `skeleton` is what the segments are of. Vertices where `is_free` is
/// false have none; those of parts that `rigid_parts` binds to a bone (else -1) count as led by it,
/// so that a wing's bone does not look for more in the body. Cost: O(vertices × segments).
[[nodiscard]] BoneAnchors find_bone_anchors(const PreparedMesh& prepared, const Skeleton& skeleton,
                                            const BoneSegments& bones,
                                            const std::vector<bool>& is_free,
                                            std::span<const int> rigid_parts = {},
                                            const AnchorOptions& options = {});

}  // namespace sinew
