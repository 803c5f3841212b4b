// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/assimp_material.h"

#include <assimp/material.h>

#include "formats/material_writer.h"

namespace sinew::reading {

void add_materials(Document& document, const aiScene& scene, const std::filesystem::path& folder,
                   Notices& notices) {
  MaterialWriter writer(document, folder, notices);
  for (unsigned i = 0; i < scene.mNumMaterials; ++i) {
    const aiMaterial& material = *scene.mMaterials[i];
    MaterialInfo info;
    aiString text;
    if (material.Get(AI_MATKEY_NAME, text) == aiReturn_SUCCESS) info.name = text.C_Str();
    aiColor3D colour(1, 1, 1);
    material.Get(AI_MATKEY_COLOR_DIFFUSE, colour);
    info.base_color = {colour.r, colour.g, colour.b, 1};
    material.Get(AI_MATKEY_OPACITY, info.base_color[3]);
    if (material.GetTexture(aiTextureType_BASE_COLOR, 0, &text) == aiReturn_SUCCESS ||
        material.GetTexture(aiTextureType_DIFFUSE, 0, &text) == aiReturn_SUCCESS)
      info.texture = text.C_Str();
    writer.add(info);
  }
}

}  // namespace sinew::reading
