// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/model/character.h"

namespace sinew::test {

struct Badge {
  Vec3 middle;  // model space
  double width = 0;
};
/// Where a badge of 2% of the mesh's diagonal is pinned: over the middle of a triangle.
[[nodiscard]] Badge badge_over(const Mesh& mesh, std::size_t triangle);

/// The character with a flat square of about so many vertices over a triangle, as a part of its own
/// without weights. The character's own vertices come first, as they were.
[[nodiscard]] Character with_badge(const Character& character, std::size_t triangle,
                                   std::size_t vertices);

/// The character with its longest edges cut in the middle, one after the other, until its mesh has
/// so many more vertices. Its own come first, as they were; the new ones have no weights.
[[nodiscard]] Character with_edges_cut(const Character& character, std::size_t more);

}  // namespace sinew::test
