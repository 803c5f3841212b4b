// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/result.h"
#include "sinew/deform/spine_bones.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// Where every vertex of a character sits on its own spines, as the settings of their bones say
/// (`parameters`, docs/rig-schema.md): what the weights on them were made for. Spines without a
/// length, which move rigidly, are left out; gradients are empty.
///
/// Fails with place "bones[i]" when a bone names an attribute that no mesh has, or one with a value
/// that is not a number.
[[nodiscard]] Result<std::vector<SpineBone>> own_spine_bones(const Document& document,
                                                             const LoadedCharacter& loaded);

}  // namespace sinew
