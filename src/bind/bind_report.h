// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "bind/prepared_bind.h"
#include "sinew/bind/bind.h"

namespace sinew {

/// Fills in what the stages did not write themselves. `weights` are those of welded vertices.
void describe_bind(const Character& character, const PreparedBind& prepared,
                   const SkinWeights& weights, BindReport& report);

/// What a rigger would want to know of it, in words.
[[nodiscard]] Notices bind_notices(const Character& character, const BindReport& report);

}  // namespace sinew
