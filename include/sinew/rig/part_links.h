// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

struct PartLinkOptions {
  double seen_share = 0.25;   // a part of which bones see at least this much stands by itself ...
  double small_rel = 0.5;     // ... unless its diagonal is below this part of its bone's length
  double contact_rel = 0.02;  // of the character's diagonal: vertices that near another part link
};

/// A vertex of what something sits on, and how much of the place it sits on is there.
struct LinkEnd {
  VertexIndex vertex = 0;
  double share = 0;
};

/// One end is a vertex of a linked part, the other the closest point of a part that it sits on.
struct VertexLink {
  VertexIndex vertex = 0;
  std::vector<LinkEnd> ends;  // sorted by vertex; shares sum to one
  double distance = 0;        // unit frame
  double hold = 1;            // of its weight in diffusion; little at the end of the part's reach,
                              // where rounding decides whether there is a link at all
};

/// What a part sits on.
struct PartLink {
  int part = -1;
  int host = -1;                  // the part that is nearest to it, of those that come before it
  double gap = 0;                 // between the two, unit frame
  bool is_small = false;          // far smaller than its bone's reach
  std::vector<VertexLink> links;  // at least one
};

/// Eyes, buttons and clothes: parts that no bone sees, or that are far smaller than their bone's
/// reach, and what they sit on. Every chain of hosts ends at a part that stands by itself; there is
/// always one. In an order in which hosts come first. Fails only when cancelled.
[[nodiscard]] Result<std::vector<PartLink>> find_part_links(const PreparedMesh& prepared,
                                                            const BoneSegments& bones,
                                                            const BoneCells& cells,
                                                            const PartLinkOptions& options = {},
                                                            const Progress& progress = {});

}  // namespace sinew
