// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model/mesh.h"

namespace sinew {

/// The box of a mesh without what strayed: vertices that nothing refers to never count, and if the
/// rest is several times as large as the middle 98% of it along every axis, those decide. A
/// forgotten quad a kilometre away must not turn the character into a point beside it. Empty for a
/// mesh without vertices; of all vertices when nothing is referred to.
[[nodiscard]] Box main_box(const Mesh& mesh);

}  // namespace sinew
