// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sinew/math/types.h"

namespace sinew {

/// The vertex in the middle of the most distorted patch: one bad vertex alone is not where one
/// should look. `energy` and `rest_energy` are per vertex, as arap_energy and rest_energy give
/// them. Nothing when no vertex has a face. Cost: O(vertices).
[[nodiscard]] std::optional<std::size_t> find_worst_vertex(std::span<const Vec3> rest,
                                                           std::span<const double> energy,
                                                           std::span<const double> rest_energy,
                                                           double diagonal);

}  // namespace sinew
