// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <assimp/scene.h>

#include "sinew/core/notice.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew::reading {

/// Appends every material of the scene: name, base colour, opacity and base colour texture.
/// Textures are referred to, never read: only PNG and JPEG files that exist below `folder`.
void add_materials(Document& document, const aiScene& scene, const std::filesystem::path& folder,
                   Notices& notices);

}  // namespace sinew::reading
