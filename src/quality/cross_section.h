// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// A plane across a limb, model space at rest.
struct SectionPlane {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  // unit
};

/// The area of the mesh cut by a plane: the mesh is cut at rest, and what the cut encloses is
/// measured where the vertices are in `posed`, seen along the normal. So a twist about the normal
/// that pinches a limb shows, and one that turns it whole does not. Only triangles all of whose
/// corners have counts[v] are cut; `posed` may be `rest` itself. Turned inside out counts as
/// negative.
[[nodiscard]] double cross_section_area(std::span<const Vec3> rest, std::span<const Vec3> posed,
                                        std::span<const Triangle> triangles,
                                        const SectionPlane& plane, const std::vector<bool>& counts);

}  // namespace sinew
