// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/math/types.h"
#include "sinew/model/mesh.h"
#include "sinew/volume/elements.h"

namespace sinew {

/// Of the cell size: what a segment touches it passes through, on whichever side rounding has put
/// it, and what is nearer by less is equally near. Far above what rounding does in a grid of
/// thousands of cells, far below what anyone can see.
inline constexpr double kTouchRel = 1e-9;

/// The least box along the axes.
[[nodiscard]] Box box_of(const Elements& elements, std::size_t element);

/// The mean of the corners.
[[nodiscard]] Vec3 centre_of(const Elements& elements, std::size_t element);

/// A box that is larger by so much on every side.
[[nodiscard]] inline Box grown(const Box& box, double by) {
  return {box.min() - Vec3::Constant(by), box.max() + Vec3::Constant(by)};
}

/// Whether a segment and a box have a point in common.
[[nodiscard]] bool meets(const Box& box, const Vec3& head, const Vec3& tail);

/// Whether a segment has a point in an element, or within kTouchRel of the planes of its faces.
[[nodiscard]] bool passes_through(const Elements& elements, std::size_t element, const Vec3& head,
                                  const Vec3& tail);

}  // namespace sinew
