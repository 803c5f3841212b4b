// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/gltf/gltf_document.h"

namespace sinew::test {

/// More than one of tiny_character.h in a document. Failures throw.

/// Two characters, each with a skeleton of its own, in one file.
[[nodiscard]] Document two_characters(const std::string& first, const std::string& second);

/// Two meshes of one character, shown with one skin. All of the second is on the upper bone.
[[nodiscard]] Document two_meshes(const std::string& first, const std::string& second);

/// Gives the first node of this name another.
void rename_node(Document& document, const std::string& from, const std::string& to);

/// Overwrites the first stored weight of the first mesh.
void spoil_first_weight(Document& document, float value);

/// JOINTS_0 and WEIGHTS_0 of a mesh's first primitive, as stored in a file.
[[nodiscard]] std::vector<std::byte> stored_weights(const std::filesystem::path& file,
                                                    std::size_t mesh);

}  // namespace sinew::test
