// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "sinew/weights/bounded_biharmonic.h"

namespace sinew {

/// Whether weights can be made at all: levels that fit each other, numbers that make sense, a point
/// for every handle, and a handle for every connected piece. Fails with bad_argument, and the place
/// in the levels or options.
[[nodiscard]] Status check_levels(std::span<const BiharmonicLevel> levels,
                                  std::size_t handle_count);
[[nodiscard]] Status check_options(const BoundedBiharmonicOptions& options);

}  // namespace sinew
