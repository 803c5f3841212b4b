// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// Checks everything in the JSON that later code follows without asking again: types, index ranges,
/// the sizes of buffer views and accessors against each other (buffers count as long as they claim:
/// their loader holds them to it), and that the nodes are a forest of bounded depth. What sinew
/// does not follow (materials, cameras, unknown extensions) is not looked at.
[[nodiscard]] Status check_structure(const Json& json);

}  // namespace sinew
