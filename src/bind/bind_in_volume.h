// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/bind/bind.h"

namespace sinew {

/// Solves for weights at the points of cubes that fill the mesh, on which bones lead what is around
/// their middle as they do on a surface, takes them from there to the vertices and refines them
/// under the limits of influences. For characters of which plan_mesh says so, and options that
/// check_options lets through.
[[nodiscard]] Result<Bound> bind_in_volume(const Character& character, const BindOptions& options,
                                           const Progress& progress);

}  // namespace sinew
