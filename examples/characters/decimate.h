// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "characters/polygonise.h"

namespace sinew::sculpt {

/// Collapses edges of a closed 2-manifold, cheapest first by the distance to the planes around
/// (quadrics) with a say for short edges, until `target` vertices are left. Guarantee: still
/// closed, 2-manifold, of the same topology; no triangle is turned over or flattened. It stops
/// short of the target when nothing more can go without breaking that. Serial: O(n log n) in
/// vertices.
[[nodiscard]] Surface decimate(const Surface& surface, std::size_t target);

}  // namespace sinew::sculpt
