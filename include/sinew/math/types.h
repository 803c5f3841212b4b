// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace sinew {

using Vec3 = Eigen::Vector3d;
using Quat = Eigen::Quaterniond;
/// An affine map as [A | t], 3x4, for column vectors: p' = A p + t.
using Affine3 = Eigen::Transform<double, 3, Eigen::AffineCompact>;

}  // namespace sinew
