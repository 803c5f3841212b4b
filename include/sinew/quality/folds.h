// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/quality/skin_surface.h"

namespace sinew {

/// An edge between two triangles.
struct FoldEdge {
  VertexIndex from = 0;
  VertexIndex to = 0;
  std::size_t triangle = 0;
  std::size_t other_triangle = 0;
  double length = 0;
  double angle_rad = 0;  // between the triangles' normals at rest; 0 is flat
};

/// The edges with two triangles, both of whose ends are nearer to a place than `reach`. Cost:
/// O(triangles).
[[nodiscard]] std::vector<FoldEdge> fold_edges_near(const SkinSurface& surface, const Vec3& place,
                                                    double reach);

/// The part of the length of these edges, in percent, whose angle grows by more than 60 degrees:
/// a flap under an armpit, a crease that no body has. Sets `vertices` at their ends.
[[nodiscard]] double folded_percent(const SkinSurface& surface, std::span<const FoldEdge> edges,
                                    std::span<const Vec3> deformed, std::vector<bool>& vertices);

}  // namespace sinew
