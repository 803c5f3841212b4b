// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "sinew/math/types.h"

namespace sinew {

/// Where on the segment from `head` to `tail` it is nearest to the point: 0 at the head, 1 at the
/// tail. A segment without length is its head.
[[nodiscard]] inline double closest_on_segment(const Vec3& point, const Vec3& head,
                                               const Vec3& tail) {
  const Vec3 along = tail - head;
  const double length2 = along.squaredNorm();
  return length2 > 0 ? std::clamp((point - head).dot(along) / length2, 0.0, 1.0) : 0.0;
}

[[nodiscard]] inline double squared_distance_to_segment(const Vec3& point, const Vec3& head,
                                                        const Vec3& tail) {
  return (point - head - closest_on_segment(point, head, tail) * (tail - head)).squaredNorm();
}

}  // namespace sinew
