// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/io/gltf_character.h"
#include "sinew/io/gltf_document.h"

namespace sinew {

/// Meshes and characters are chosen by a glob over their names, as in model/bone_names.h, or by
/// index. A pattern that is a name is one, even if it is a number. A pattern that chooses nothing
/// is an error of code bad_argument that lists what there is; its place is empty, for the caller to
/// say which flag it came from.

/// Indices of json["meshes"] that any of the patterns chooses, by the name of the mesh or of a node
/// that shows it.
[[nodiscard]] Result<std::vector<int>> match_meshes(const Document& document,
                                                    std::span<const std::string> patterns);

/// The document as if its nodes showed only these meshes. All indices stay what they are, so that
/// what is read from it can be written into the whole document.
[[nodiscard]] Document show_only_meshes(Document document, std::span<const int> meshes);

/// Indices of characters that any of the patterns chooses.
[[nodiscard]] Result<std::vector<int>> match_characters(std::span<const LoadedCharacter> characters,
                                                        std::span<const std::string> patterns);

}  // namespace sinew
