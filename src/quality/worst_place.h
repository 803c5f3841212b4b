// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "sinew/math/types.h"

namespace sinew {

struct WorstPatch {
  std::size_t vertex = 0;  // in its middle
  double arap = 0;         // its distortion
};

/// The most distorted patch: one bad vertex alone is not where one should look. `energy` and
/// `rest_energy` are per vertex, as arap_energy and rest_energy give them. Nothing when no vertex
/// has a face. Cost: O(vertices).
[[nodiscard]] std::optional<WorstPatch> find_worst_patch(std::span<const Vec3> rest,
                                                         std::span<const double> energy,
                                                         std::span<const double> rest_energy,
                                                         double diagonal);

}  // namespace sinew
