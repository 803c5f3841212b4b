// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/geometry/surface_queries.h"
#include "sinew/model/mesh.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// Where points lie on a surface: for each, the closest point of any triangle. `surface` must have
/// triangles, and both be in one frame of about unit size.
[[nodiscard]] std::vector<SurfacePoint> closest_points(const SurfaceQueries& surface,
                                                       std::span<const Vec3> points);

/// The weights of a surface at points of it: those of the triangle's corners, blended. A point has
/// as many bones as its corners together: cap_influences is the caller's. Corners without weights
/// do not count.
[[nodiscard]] SkinWeights weights_at(const SurfaceQueries& surface, const SkinWeights& weights,
                                     std::span<const SurfacePoint> points);

}  // namespace sinew
