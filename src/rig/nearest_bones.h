// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// The bone of the segment that is nearest to each vertex, the first of equals; -1 without any.
[[nodiscard]] std::vector<int> nearest_bones(const Mesh& mesh, std::span<const Segment> segments);

}  // namespace sinew
