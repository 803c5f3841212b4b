// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "sinew/math/types.h"

namespace sinew {

/// The barycentric coordinates of a triangle's closest point, by the region of its plane that the
/// point projects into (C. Ericson, Real-Time Collision Detection, 5.1.5). A triangle without area
/// is its longest edge.
[[nodiscard]] std::array<double, 3> closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b,
                                                        const Vec3& c);

}  // namespace sinew
