// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/bind/levels_of_detail.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// The levels of detail of a character: nodes that MSFT_lod lists, with all that hangs on them, and
/// meshes named NAME_LOD0, NAME_LOD1 and so on, or LOD0_NAME, in any case and with '.', '-', blanks
/// or nothing instead of '_'. The smallest number is the finest. A name needs two levels to count,
/// and the finest one a surface. Groups come in the order of their finest parts.
[[nodiscard]] std::vector<DetailGroup> find_levels_of_detail(const Document& document,
                                                             const LoadedCharacter& loaded);

}  // namespace sinew
