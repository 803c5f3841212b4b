// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model/animation.h"

namespace sinew {

/// The same without a matrix: clips move nodes that are T · R · S alone. Exact for a matrix without
/// shear; one that mirrors has a negative scale along x, so that its rotation is one.
[[nodiscard]] NodeTransform as_trs(const NodeTransform& local);

}  // namespace sinew
