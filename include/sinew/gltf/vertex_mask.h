// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {

/// The first component of a vertex attribute, per vertex of a character; nothing on parts without
/// it. That none has it is an error with bad_argument; that one has too many or too few values is
/// another, with bad_file and the place of the accessor.
[[nodiscard]] Result<std::vector<std::optional<double>>> read_vertex_values(
    const Document& document, const LoadedCharacter& loaded, const std::string& attribute);

/// Which vertices of a character a vertex attribute chooses: those where its first component is
/// above one half. Such as `_MASK`, which modelling programs export for painted attributes, or
/// `COLOR_0`, by its red. Parts without it are not chosen; that none has it is an error.
[[nodiscard]] Result<std::vector<bool>> read_vertex_mask(const Document& document,
                                                         const LoadedCharacter& loaded,
                                                         const std::string& attribute);

}  // namespace sinew
