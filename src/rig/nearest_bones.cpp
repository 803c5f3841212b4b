// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/nearest_bones.h"

#include <limits>

#include "core/parallel.h"
#include "math/segment.h"

namespace sinew {

std::vector<int> nearest_bones(const Mesh& mesh, std::span<const Segment> segments) {
  std::vector<int> nearest(mesh.vertex_count(), -1);
  parallel_for(nearest.size(), [&](std::size_t v) {
    double best = std::numeric_limits<double>::infinity();
    for (const Segment& segment : segments) {
      const double d2 =
          squared_distance_to_segment(mesh.positions()[v], segment.head, segment.tail);
      if (d2 < best) {
        best = d2;
        nearest[v] = segment.bone;
      }
    }
  });
  return nearest;
}

}  // namespace sinew
