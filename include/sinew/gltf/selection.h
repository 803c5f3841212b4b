// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"

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

/// The same character with only the parts of these meshes: what write_weights then writes. Its
/// vertices and weights stay, so that rows mean what they did.
[[nodiscard]] LoadedCharacter with_only_meshes(LoadedCharacter loaded, const std::set<int>& meshes);

/// Indices of characters that any of the patterns chooses.
[[nodiscard]] Result<std::vector<int>> match_characters(std::span<const LoadedCharacter> characters,
                                                        std::span<const std::string> patterns);

/// The one clip, of those with these names, that is meant: the one of exactly this name, else by
/// index, else by a glob as above. Several are an error of code bad_argument that lists them; so is
/// none, with the nearest name. Clips without a name, and those that share one, are listed with
/// their index.
[[nodiscard]] Result<int> match_clip(std::span<const std::string> names, const std::string& wanted);

/// The clips as a message lists them: "Walk, Run and 2 (no name)", or "none".
[[nodiscard]] std::string list_clips(std::span<const std::string> names);

/// The names of json["animations"]; empty for those that have none.
[[nodiscard]] std::vector<std::string> clip_names(const Document& document);

}  // namespace sinew
