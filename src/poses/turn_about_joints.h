// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/skeleton.h"

namespace sinew {

/// Every bone turned by its rotation (model-space axes of the bind pose) about its own head, on
/// what it hangs on. Transforms from the bind pose, model space to model space.
[[nodiscard]] std::vector<Affine3> turn_about_joints(const Skeleton& skeleton,
                                                     std::span<const int> parent,
                                                     std::span<const Eigen::Matrix3d> rotations);

}  // namespace sinew
