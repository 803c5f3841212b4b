// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "characters/polygonise.h"

namespace sinew::sculpt {

/// Slides the vertices of a surface along the body towards the middle of their neighbours and puts
/// them back onto it, `rounds` times: triangles become well shaped. A move that would turn a
/// triangle over or flatten it is taken back.
void relax(Surface& surface, const FieldCache& field, int rounds);

/// Unit normals of the body at the vertices.
[[nodiscard]] std::vector<Vec3> surface_normals(const Surface& surface, const FieldCache& field);

}  // namespace sinew::sculpt
