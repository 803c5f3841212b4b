// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/bind/bind.h"

namespace sinew {

/// Binds a simplified mesh of about so many vertices, carries its weights over to the whole one and
/// refines them there: the few vertices decide what bones do, and all of them how that goes on
/// between neighbours. For characters of which plan_mesh says so.
[[nodiscard]] Result<Bound> bind_coarsely(const Character& character, const BindOptions& options,
                                          std::size_t vertices, const Progress& progress);

}  // namespace sinew
