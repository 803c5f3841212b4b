// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model/skin_weights.h"

namespace sinew {

/// Keeps the strongest bones of every vertex, at most `max_influences`, and scales the rest away.
/// Of equals, the bone that comes first.
[[nodiscard]] SkinWeights cap_influences(const SkinWeights& weights, int max_influences);

}  // namespace sinew
